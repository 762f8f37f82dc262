#include "app/compare/presets.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "kernels/catalogue.h"
#include "trace/text.h"

namespace auditorium::compare {

std::span<const Preset> presets() {
    static constexpr std::array all = {
        Preset{"divergent", "Divergent against contiguous",
               "The same tree: only which thread does what differs.", "interleaved_divergent",
               "contiguous_full"},
        Preset{"strided", "Strided against contiguous", "Packed threads that queue at the banks.",
               "interleaved_strided", "contiguous_full"},
        Preset{"warp", "Full tree against warp", "The last five rounds without a barrier.", "contiguous_full",
               "contiguous_warp"},
        Preset{"one_barrier", "Warp against one barrier", "Every warp repeats the last rounds; nobody waits.",
               "contiguous_warp", "one_barrier"},
        Preset{"size", "256 against 1024 threads", "Four times the scores, two rounds more.",
               "contiguous_warp@256", "contiguous_warp@1024"},
        Preset{"ragged", "Power of two against 96 threads", "The same text loses the scores of 32 threads.",
               "contiguous_warp@256", "ragged_block@96"},
        Preset{"barrier", "With against without its barrier", "Right by luck proves nothing.",
               "contiguous_full", "missing_barrier"},
        Preset{"schedule", "One race, two schedules", "The same text and data, other turns.",
               "missing_barrier", "missing_barrier@256@7"},
        Preset{"syncwarp", "Shuffles against an unrolled last warp",
               "Shared memory within a warp needs __syncwarp.", "contiguous_warp", "missing_syncwarp"},
        Preset{"twice", "Once against twice in a row", "The second call writes what the first still reads.",
               "contiguous_warp", "back_to_back"},
        Preset{"identity", "Missing partials: -infinity against 0", "All scores are negative.",
               "shuffle_first", "zero_identity", "random:3664:-999:-1"},
        Preset{"mask", "Whole warps against 48 threads", "A full mask names lanes that take no part.",
               "contiguous_warp@64", "partial_mask@48"},
    };
    return all;
}

std::array<trace::LaunchConfig, 2> configs_of(const Preset& preset, const trace::LaunchConfig& base) {
    trace::LaunchConfig from = base;
    if (preset.input)
        from.input = preset.input;
    from.values.clear();
    return {config_of(preset.left, from).value(), config_of(preset.right, from).value()};
}

Expected<trace::LaunchConfig> config_of(const std::string& entry, const trace::LaunchConfig& base) {
    trace::LaunchConfig config;
    config.op = base.op;
    config.type = base.type;
    config.input = base.input;
    const std::size_t at = entry.find('@');
    config.kernel = entry.substr(0, at);
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    if (!kernel)
        return fail(ExitStatus::usage,
                    fmt::format("There is no kernel {}: `auditorium kernels` lists those there are.",
                                in_quotes(config.kernel, 60)));
    config.calls = kernel->calls;
    if (!kernel->correct)
        config.block = kernel->clinic_block;
    if (at == std::string::npos)
        return config;
    const std::size_t second = entry.find('@', at + 1);
    const std::string block = entry.substr(at + 1, second == std::string::npos ? second : second - at - 1);
    const auto [end, error] = std::from_chars(block.data(), block.data() + block.size(), config.block);
    if (error != std::errc() || end != block.data() + block.size() || config.block < 1 ||
        config.block > trace::max_block)
        return fail(ExitStatus::usage, fmt::format("In {} the block size is 1 to {}, not {}.",
                                                   in_quotes(entry, 60), trace::max_block, in_quotes(block)));
    if (const std::string why = kernels::why_not(*kernel, config.block); kernel->correct && !why.empty())
        return fail(ExitStatus::usage, why);
    if (second != std::string::npos) {
        auto schedule = trace::parse_schedule(entry.substr(second + 1));
        if (!schedule)
            return tl::unexpected(schedule.error());
        config.schedule = *schedule;
    }
    return config;
}

}  // namespace auditorium::compare
