#include "launch/find_wrong.h"

#include <fmt/format.h>

#include "trace/text.h"

namespace auditorium::launch {

namespace {

// What is asked for comes first, then the schedules and inputs of one seed after another.
std::vector<trace::Schedule> schedules_of(std::uint64_t seed, const trace::LaunchConfig& asked,
                                          const Search& search) {
    if (!search.schedules)
        return {asked.schedule};
    if (seed > 0)
        return {{trace::Schedule::Kind::seeded, seed}, {trace::Schedule::Kind::independent, seed}};
    if (asked.schedule == trace::Schedule{})
        return {asked.schedule};
    return {asked.schedule, trace::Schedule{}};
}

// The input asked for is tried under every schedule.
std::vector<std::string> inputs_of(std::uint64_t seed, const trace::LaunchConfig& asked,
                                   const Search& search) {
    std::vector<std::string> inputs;
    if (seed == 0 || search.schedules)
        inputs.push_back(asked.input);
    if (!search.inputs)
        return inputs;
    if (seed == 0)
        inputs.push_back("ramp");
    inputs.push_back(fmt::format("random:{}", seed));
    inputs.push_back(fmt::format("random:{}:-999:-1", seed));
    return inputs;
}

}  // namespace

Expected<trace::Trace> find_wrong(const trace::LaunchConfig& asked, Options options,
                                  const std::function<bool(const trace::Trace&)>& is_wrong,
                                  const Search& search) {
    constexpr int most = 2000;
    options.device = Device::cpu;
    int runs = 0;
    for (std::uint64_t seed = 0; runs < most; ++seed) {
        const std::vector<trace::Schedule> schedules = schedules_of(seed, asked, search);
        for (const std::string& input : inputs_of(seed, asked, search)) {
            trace::LaunchConfig config = asked;
            config.input = input;
            config.values.clear();
            const auto prepared = prepare(config, options);
            if (!prepared)
                return tl::unexpected(prepared.error());
            for (const trace::Schedule& schedule : schedules) {
                if (runs == most)
                    break;
                config = *prepared;
                config.schedule = schedule;
                if (options.cancelled && options.cancelled())
                    return fail(ExitStatus::finding, "The search was stopped.");
                if (search.trying)
                    search.trying(config, runs, most);
                ++runs;
                auto trace = run(config, options);
                if (!trace || is_wrong(*trace))
                    return trace;
            }
        }
    }
    std::string varied = "as many schedules and inputs";
    if (!search.inputs)
        varied = fmt::format("as many schedules with the input {}", in_quotes(asked.input));
    else if (!search.schedules)
        varied = fmt::format("the schedule {} on as many inputs", trace::name_of(asked.schedule));
    return fail(ExitStatus::finding,
                fmt::format("{} simulated runs of {} with {} threads, under {}, were all right; nothing was "
                            "written.",
                            runs, asked.kernel, asked.block, varied));
}

}  // namespace auditorium::launch
