#include "launch/find_wrong.h"

#include <fmt/format.h>

namespace auditorium::launch {

Expected<trace::Trace> find_wrong(const trace::LaunchConfig& asked, Options options,
                                  const std::function<bool(const trace::Trace&)>& is_wrong) {
    constexpr int most = 2000;
    options.device = Device::cpu;
    int runs = 0;
    for (std::uint64_t seed = 0; runs < most; ++seed) {
        std::vector<trace::Schedule> schedules;
        if (seed == 0)
            schedules = {asked.schedule, trace::Schedule{}};
        else
            schedules = {{trace::Schedule::Kind::seeded, seed}, {trace::Schedule::Kind::independent, seed}};
        std::vector<std::string> inputs{asked.input};
        if (seed == 0)
            inputs.push_back("ramp");
        inputs.push_back(fmt::format("random:{}", seed));
        inputs.push_back(fmt::format("random:{}:-999:-1", seed));
        for (const std::string& input : inputs) {
            trace::LaunchConfig config = asked;
            config.input = input;
            config.values.clear();
            const auto prepared = prepare(config, options);
            if (!prepared)
                return tl::unexpected(prepared.error());
            for (const trace::Schedule& schedule : schedules) {
                config = *prepared;
                config.schedule = schedule;
                ++runs;
                if (options.cancelled && options.cancelled())
                    return fail(ExitStatus::finding, "The search was stopped.");
                auto trace = run(config, options);
                if (!trace || is_wrong(*trace))
                    return trace;
            }
        }
    }
    return fail(
        ExitStatus::finding,
        fmt::format("{} simulated runs of {} with {} threads, under as many schedules and inputs, were all "
                    "right; nothing was written.",
                    runs, asked.kernel, asked.block));
}

}  // namespace auditorium::launch
