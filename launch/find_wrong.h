// A run whose result is wrong, of a kernel that is wrong: simulated, under one schedule after another and on
// one input after another, always in the same order, so that the same call finds the same run.
#pragma once

#include <functional>

#include "launch/launch.h"

namespace auditorium::launch {

// `is_wrong` judges a finished run (launch knows no analysis). options.device is ignored. Errors: those of
// run and prepare; `finding` where all of 2000 runs were right, or options.cancelled said to stop.
Expected<trace::Trace> find_wrong(const trace::LaunchConfig& asked, Options options,
                                  const std::function<bool(const trace::Trace&)>& is_wrong);

}  // namespace auditorium::launch
