// A run whose result is wrong, of a kernel that is wrong: simulated, under one schedule after another and on
// one input after another, always in the same order, so that the same call finds the same run.
#pragma once

#include <functional>

#include "launch/launch.h"

namespace auditorium::launch {

// What is varied; what is not is as asked. One of the two at least.
struct Search {
    bool inputs = true, schedules = true;
    // Before each run: its config, how many were right, and how many there are at most.
    std::function<void(const trace::LaunchConfig&, int runs, int most)> trying;
};

// `is_wrong` judges a finished run (launch knows no analysis). options.device is ignored. Errors: those of
// run and prepare; `finding` where all runs, at most 2000, were right, or options.cancelled said to stop.
Expected<trace::Trace> find_wrong(const trace::LaunchConfig& asked, Options options,
                                  const std::function<bool(const trace::Trace&)>& is_wrong,
                                  const Search& search = {});

}  // namespace auditorium::launch
