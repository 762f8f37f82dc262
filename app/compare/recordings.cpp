#include "app/compare/recordings.h"

#include <fmt/format.h>

#include <string_view>

#include "kernels/catalogue.h"
#include "trace/io.h"

namespace auditorium::compare {

std::optional<trace::Trace> recording(std::string_view name) {
    for (const EmbeddedRecording* file = embedded_recordings(); file->name; ++file) {
        if (name != file->name)
            continue;
        auto trace = trace::read(std::string_view(reinterpret_cast<const char*>(file->begin),
                                                  std::size_t(file->end - file->begin)),
                                 std::string("the recording ") + file->name);
        return trace ? std::optional(std::move(*trace)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<trace::Trace> recorded(const trace::LaunchConfig& config) {
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    if (!kernel || config.schedule.kind != trace::Schedule::Kind::lockstep)
        return std::nullopt;
    launch::Options options;
    options.allow_wrong = true;
    const auto wanted = launch::prepare(config, options);
    if (!wanted)
        return std::nullopt;
    const std::string name = fmt::format("{}-{}-{}-{}", config.kernel, trace::name_of(config.op),
                                         trace::name_of(config.type), config.block);
    auto trace = recording(name);
    if (!trace || trace->source != kernel->source || trace->config.calls != wanted->calls ||
        trace->config.values != wanted->values)
        return std::nullopt;
    return trace;
}

Expected<trace::Trace> run(const trace::LaunchConfig& config, launch::Device device,
                           const std::function<bool()>& cancelled) {
    if (device == launch::Device::automatic)
        if (auto trace = recorded(config))
            return std::move(*trace);
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    launch::Options options;
    options.device = config.schedule.kind == trace::Schedule::Kind::lockstep ? device : launch::Device::cpu;
    options.allow_wrong = kernel && !kernel->correct;
    options.cancelled = cancelled;
    return launch::run(config, options);
}

}  // namespace auditorium::compare
