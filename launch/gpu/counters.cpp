#include "launch/gpu/counters.h"

#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)

#include <cuda_runtime_api.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>

namespace auditorium::launch::gpu {
namespace {

const char* const metrics[] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
};
constexpr std::size_t metric_count = std::size(metrics);

struct Failure {
    std::string sentence;
};

void* open_cupti() {
    const std::string version = std::to_string(CUDART_VERSION / 1000);
    for (const std::string& place : {
             "libcupti.so." + version,
             std::string("libcupti.so"),
             "/usr/local/cuda/lib64/libcupti.so." + version,
             "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so." + version,
             "/usr/local/cuda/lib/libcupti.so." + version,
             "/usr/local/cuda/targets/x86_64-linux/lib/libcupti.so." + version,
         }) {
        if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            return library;
        }
    }
    return nullptr;
}

// CUPTI's functions take one parameter block each.
template <class Params>
class Function {
  public:
    Function(void* library, const char* name)
        : name_(name), function_(reinterpret_cast<CUptiResult (*)(Params*)>(dlsym(library, name))) {}
    void operator()(Params& params) const {
        const CUptiResult result = function_ ? function_(&params) : CUPTI_ERROR_NOT_SUPPORTED;
        if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
            result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
            throw Failure{
                "This system keeps the GPU's counters to administrators: run as root, or load the driver "
                "with "
                "NVreg_RestrictProfilingToAdminUsers=0."};
        }
        if (result != CUPTI_SUCCESS) {
            throw Failure{fmt::format("The GPU's counters could not be read: {} failed (CUPTI error {}).",
                                      name_, static_cast<int>(result))};
        }
    }

  private:
    const char* name_;
    CUptiResult (*function_)(Params*);
};

template <class Params>
Params params(std::size_t size) {
    Params params{};
    params.structSize = size;
    return params;
}
#define AUDITORIUM_PARAMS(type) params<type>(type##_STRUCT_SIZE)

// Undoes what was begun, in any case.
template <class Undo>
class Guard {
  public:
    explicit Guard(Undo undo) : undo_(std::move(undo)) {}
    ~Guard() { undo_(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    Undo undo_;
};

std::vector<trace::Counter> count_or_throw(void* cupti, const std::function<void()>& launch) {
    const auto call = [cupti](const char* name, auto& parameters) {
        Function<std::remove_reference_t<decltype(parameters)>>(cupti, name)(parameters);
    };
    const auto call_quietly = [&call](const char* name, auto& parameters) {
        try {
            call(name, parameters);
        } catch (const Failure&) {
        }
    };

    auto initialize = AUDITORIUM_PARAMS(CUpti_Profiler_Initialize_Params);
    call("cuptiProfilerInitialize", initialize);
    auto chip = AUDITORIUM_PARAMS(CUpti_Device_GetChipName_Params);
    call("cuptiDeviceGetChipName", chip);
    auto availability = AUDITORIUM_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
    call("cuptiProfilerGetCounterAvailability", availability);
    std::vector<std::uint8_t> available(availability.counterAvailabilityImageSize);
    availability.pCounterAvailabilityImage = available.data();
    call("cuptiProfilerGetCounterAvailability", availability);

    auto host = AUDITORIUM_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.pChipName;
    host.pCounterAvailabilityImage = available.data();
    call("cuptiProfilerHostInitialize", host);
    const Guard deinitialize([&] {
        auto end = AUDITORIUM_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
        end.pHostObject = host.pHostObject;
        call_quietly("cuptiProfilerHostDeinitialize", end);
    });
    const char* names[metric_count];
    std::copy(std::begin(metrics), std::end(metrics), names);
    auto add = AUDITORIUM_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = host.pHostObject;
    add.ppMetricNames = names;
    add.numMetrics = metric_count;
    call("cuptiProfilerHostConfigAddMetrics", add);
    auto config_size = AUDITORIUM_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    config_size.pHostObject = host.pHostObject;
    call("cuptiProfilerHostGetConfigImageSize", config_size);
    std::vector<std::uint8_t> config(config_size.configImageSize);
    auto get_config = AUDITORIUM_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    get_config.pHostObject = host.pHostObject;
    get_config.configImageSize = config.size();
    get_config.pConfigImage = config.data();
    call("cuptiProfilerHostGetConfigImage", get_config);

    auto enable = AUDITORIUM_PARAMS(CUpti_RangeProfiler_Enable_Params);  // ctx NULL: the current one
    call("cuptiRangeProfilerEnable", enable);
    const Guard disable([&] {
        auto end = AUDITORIUM_PARAMS(CUpti_RangeProfiler_Disable_Params);
        end.pRangeProfilerObject = enable.pRangeProfilerObject;
        call_quietly("cuptiRangeProfilerDisable", end);
    });
    auto image_size = AUDITORIUM_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    image_size.pRangeProfilerObject = enable.pRangeProfilerObject;
    image_size.pMetricNames = names;
    image_size.numMetrics = metric_count;
    image_size.maxNumOfRanges = 1;
    image_size.maxNumRangeTreeNodes = 1;
    call("cuptiRangeProfilerGetCounterDataSize", image_size);
    std::vector<std::uint8_t> image(image_size.counterDataSize);
    auto clear = AUDITORIUM_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    clear.pRangeProfilerObject = enable.pRangeProfilerObject;
    clear.counterDataSize = image.size();
    clear.pCounterData = image.data();
    call("cuptiRangeProfilerCounterDataImageInitialize", clear);
    auto set = AUDITORIUM_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = enable.pRangeProfilerObject;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = image.size();
    set.pCounterDataImage = image.data();
    set.range = CUPTI_AutoRange;
    set.replayMode = CUPTI_KernelReplay;
    set.maxRangesPerPass = 1;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    call("cuptiRangeProfilerSetConfig", set);

    auto start = AUDITORIUM_PARAMS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = enable.pRangeProfilerObject;
    call("cuptiRangeProfilerStart", start);
    {
        const Guard stop([&] {
            auto end = AUDITORIUM_PARAMS(CUpti_RangeProfiler_Stop_Params);
            end.pRangeProfilerObject = enable.pRangeProfilerObject;
            call_quietly("cuptiRangeProfilerStop", end);
        });
        launch();
    }
    auto decode = AUDITORIUM_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = enable.pRangeProfilerObject;
    call("cuptiRangeProfilerDecodeData", decode);
    double values[metric_count] = {};
    auto evaluate = AUDITORIUM_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    evaluate.pHostObject = host.pHostObject;
    evaluate.pCounterDataImage = image.data();
    evaluate.counterDataImageSize = image.size();
    evaluate.rangeIndex = 0;
    evaluate.ppMetricNames = names;
    evaluate.numMetrics = metric_count;
    evaluate.pMetricValues = values;
    call("cuptiProfilerHostEvaluateToGpuValues", evaluate);

    std::vector<trace::Counter> counters;
    for (std::size_t i = 0; i < metric_count; ++i) {
        counters.push_back({metrics[i], values[i]});
    }
    return counters;
}

}  // namespace

Expected<std::vector<trace::Counter>> count(const std::function<void()>& launch) {
    static void* const cupti = open_cupti();
    if (!cupti) {
        return fail(ExitStatus::device,
                    "The GPU's counters could not be read: the CUDA Toolkit's CUPTI is missing.");
    }
    try {
        return count_or_throw(cupti, launch);
    } catch (const Failure& failure) {
        return fail(ExitStatus::device, failure.sentence);
    }
}

}  // namespace auditorium::launch::gpu

#else

namespace auditorium::launch::gpu {

Expected<std::vector<trace::Counter>> count(const std::function<void()>&) {
    return fail(ExitStatus::device,
                "The GPU's counters cannot be read: this program was built with a CUDA Toolkit that lacks "
                "CUPTI's range "
                "profiler.");
}

}  // namespace auditorium::launch::gpu

#endif
