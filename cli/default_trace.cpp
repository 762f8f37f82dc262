#include "cli/default_trace.h"

#include <string_view>

#include "launch/launch.h"
#include "trace/io.h"

#ifdef AUDITORIUM_DEFAULT_RECORDING
extern "C" const unsigned char auditorium_default_recording[], auditorium_default_recording_end[];
#endif

namespace auditorium::cli {

Expected<trace::Trace> default_trace() {
#ifdef AUDITORIUM_DEFAULT_RECORDING
    const char* begin = reinterpret_cast<const char*>(auditorium_default_recording);
    const char* end = reinterpret_cast<const char*>(auditorium_default_recording_end);
    return trace::read(std::string_view(begin, std::size_t(end - begin)), "the built-in recording");
#else
    launch::Options options;
    options.device = launch::Device::cpu;
    return launch::run(trace::LaunchConfig(), options);
#endif
}

}  // namespace auditorium::cli
