#include "launch/gpu/counters.h"

#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)

#include <cuda_runtime_api.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <cstdint>

#include "launch/gpu/cupti.h"

namespace auditorium::launch::gpu {
namespace {

using cupti::call;
using cupti::Guard;
using cupti::try_call;

// What is counted, where the GPU has it: the first four are those that the model also counts.
const char* const launch_metrics[] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "smsp__inst_executed.sum",                          // warp instructions
    "smsp__thread_inst_executed.sum",                   // thread instructions
    "smsp__sass_branch_targets_threads_divergent.sum",  // branches whose lanes went two ways
    "sm__cycles_active.max",                            // of the one multiprocessor that worked
    // Warps that stood still, summed over cycles, for two reasons: at a barrier, and for a value from shared
    // memory or a shuffle.
    "smsp__warps_issue_stalled_barrier.sum",
    "smsp__warps_issue_stalled_short_scoreboard.sum",
};
constexpr std::size_t must_have = 4;

std::vector<trace::Counter> count_or_throw(const std::function<void()>& launch) {
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
        try_call("cuptiProfilerHostDeinitialize", end);
    });
    // One by one, since a name that a GPU does not have refuses the whole list.
    std::vector<const char*> names;
    for (const char* const metric : launch_metrics) {
        auto add = AUDITORIUM_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
        const char* name = metric;
        add.pHostObject = host.pHostObject;
        add.ppMetricNames = &name;
        add.numMetrics = 1;
        if (names.size() < must_have) {
            call("cuptiProfilerHostConfigAddMetrics", add);
        } else if (try_call("cuptiProfilerHostConfigAddMetrics", add) != CUPTI_SUCCESS) {
            continue;
        }
        names.push_back(metric);
    }
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
        try_call("cuptiRangeProfilerDisable", end);
    });
    auto image_size = AUDITORIUM_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    image_size.pRangeProfilerObject = enable.pRangeProfilerObject;
    image_size.pMetricNames = names.data();
    image_size.numMetrics = names.size();
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
            try_call("cuptiRangeProfilerStop", end);
        });
        launch();
    }
    auto decode = AUDITORIUM_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = enable.pRangeProfilerObject;
    call("cuptiRangeProfilerDecodeData", decode);
    std::vector<double> values(names.size());
    auto evaluate = AUDITORIUM_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    evaluate.pHostObject = host.pHostObject;
    evaluate.pCounterDataImage = image.data();
    evaluate.counterDataImageSize = image.size();
    evaluate.rangeIndex = 0;
    evaluate.ppMetricNames = names.data();
    evaluate.numMetrics = names.size();
    evaluate.pMetricValues = values.data();
    call("cuptiProfilerHostEvaluateToGpuValues", evaluate);

    std::vector<trace::Counter> counters;
    for (std::size_t i = 0; i < names.size(); ++i) {
        counters.push_back({names[i], values[i]});
    }
    return counters;
}

}  // namespace

Expected<std::vector<trace::Counter>> count(const std::function<void()>& launch) {
    if (!cupti::library()) {
        return fail(ExitStatus::device,
                    "The GPU's counters could not be read: the CUDA Toolkit's CUPTI is missing.");
    }
    try {
        return count_or_throw(launch);
    } catch (const cupti::Failure& failure) {
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
