#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pictures.h"

namespace auditorium::cli {

Status info(bool json) {
    const launch::GpuInfo gpu = launch::gpu_info();
    const std::string no_counters = launch::why_no_counters();
    const PicturesInfo pictures = pictures_info();
    if (json) {
        print_json(Json{{"version", AUDITORIUM_VERSION},
                        {"compiler", __VERSION__},
                        {"build", AUDITORIUM_BUILD_TYPE},
                        {"gpu",
                         {{"available", gpu.available},
                          {"reason", gpu.available ? Json(nullptr) : Json(gpu.reason)},
                          {"name", gpu.available ? Json(gpu.name) : Json(nullptr)},
                          {"compute_capability",
                           gpu.available ? Json(fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor))
                                         : Json(nullptr)},
                          {"driver", gpu.available ? Json(gpu.driver) : Json(nullptr)},
                          {"cuda", gpu.available ? Json(gpu.cuda) : Json(nullptr)},
                          {"counters", no_counters.empty()},
                          {"counters_reason", no_counters.empty() ? Json(nullptr) : Json(no_counters)}}},
                        {"pictures",
                         {{"available", pictures.available},
                          {"reason", pictures.available ? Json(nullptr) : Json(pictures.reason)},
                          {"driver", pictures.available ? Json(pictures.driver) : Json(nullptr)}}},
                        {"display", pictures.display}});
        return ExitStatus::ok;
    }
    print(fmt::format("auditorium {} ({}, compiler {})\n", AUDITORIUM_VERSION, AUDITORIUM_BUILD_TYPE,
                      __VERSION__));
    print(gpu.available ? fmt::format("GPU:      {}, compute capability {}.{}, driver {}, CUDA {}\n",
                                      gpu.name, gpu.compute_major, gpu.compute_minor, gpu.driver, gpu.cuda)
                        : fmt::format("GPU:      none; launches are simulated on the CPU. {}\n", gpu.reason));
    if (gpu.available)
        print(fmt::format("Counters: {}\n", no_counters.empty() ? "can be read" : no_counters));
    print(pictures.available ? fmt::format("Pictures: {}\n", pictures.driver)
                             : fmt::format("Pictures: none. {}\n", pictures.reason));
    print(fmt::format("Display:  {}\n", pictures.display ? "yes" : "none; the window cannot open"));
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
