#include "launch/gpu/line_counters.h"

#if __has_include(<cupti_sass_metrics.h>) && __has_include(<cupti_callbacks.h>)

#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <algorithm>
#include <map>

#include "launch/gpu/cupti.h"
#include "launch/gpu/line_table.h"

namespace auditorium::launch::gpu {
namespace {

using cupti::call;
using cupti::Guard;
using cupti::try_call;

const char* const line_metrics[] = {
    "smsp__sass_inst_executed",                               // warp instructions
    "smsp__sass_thread_inst_executed",                        // their lanes, summed
    "smsp__sass_thread_inst_executed_pred_on",                // those that no predicate kept from it
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",        // wavefronts in shared memory
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",  // and what they would be without conflicts
};

LineTable& line_tables() {
    static LineTable tables;
    return tables;
}

void CUPTIAPI module_loaded(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED || data == nullptr) {
        return;
    }
    const auto* resource = static_cast<const CUpti_ResourceData*>(data);
    const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor);
    if (module != nullptr && module->pCubin != nullptr) {
        line_tables().add(LineTable::parse({module->pCubin, module->cubinSize}));
    }
}

trace::LineCounters count_or_throw(const std::function<void()>& launch, std::string_view file) {
    auto initialize = AUDITORIUM_PARAMS(CUpti_Profiler_Initialize_Params);
    call("cuptiProfilerInitialize", initialize);
    auto chip = AUDITORIUM_PARAMS(CUpti_Device_GetChipName_Params);
    call("cuptiDeviceGetChipName", chip);
    trace::LineCounters counters;
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const char* const metric : line_metrics) {
        auto properties = AUDITORIUM_PARAMS(CUpti_SassMetrics_GetProperties_Params);
        properties.pChipName = chip.pChipName;
        properties.pMetricName = metric;
        if (try_call("cuptiSassMetricsGetProperties", properties) == CUPTI_SUCCESS) {
            configs.push_back({properties.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
            counters.metrics.emplace_back(metric);
        }
    }
    if (configs.empty()) {
        throw cupti::Failure{"This GPU counts nothing per instruction."};
    }
    auto set = AUDITORIUM_PARAMS(CUpti_SassMetricsSetConfig_Params);
    set.numOfMetricConfig = configs.size();
    set.pConfigs = configs.data();
    set.deviceIndex = 0;
    call("cuptiSassMetricsSetConfig", set);
    const Guard unset([] {
        auto end = AUDITORIUM_PARAMS(CUpti_SassMetricsUnsetConfig_Params);
        try_call("cuptiSassMetricsUnsetConfig", end);
    });
    auto enable = AUDITORIUM_PARAMS(CUpti_SassMetricsEnable_Params);  // ctx NULL: the current one
    enable.enableLazyPatching = 1;
    call("cuptiSassMetricsEnable", enable);
    std::map<int, std::vector<std::uint64_t>> lines;
    {
        const Guard disable([] {
            auto end = AUDITORIUM_PARAMS(CUpti_SassMetricsDisable_Params);
            try_call("cuptiSassMetricsDisable", end);
        });
        launch();
        auto size = AUDITORIUM_PARAMS(CUpti_SassMetricsGetDataProperties_Params);
        call("cuptiSassMetricsGetDataProperties", size);
        std::vector<CUpti_SassMetrics_Data> records(size.numOfPatchedInstructionRecords);
        // Room for every metric of every instance, whichever of the two the size counts.
        const std::size_t room = size.numOfInstances * configs.size();
        std::vector<CUpti_SassMetrics_InstanceValue> values(records.size() * room);
        for (std::size_t i = 0; i < records.size(); ++i) {
            records[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
            records[i].pInstanceValues = values.data() + i * room;
        }
        auto flush = AUDITORIUM_PARAMS(CUpti_SassMetricsFlushData_Params);
        flush.numOfPatchedInstructionRecords = records.size();
        flush.numOfInstances = size.numOfInstances;
        flush.pMetricsData = records.data();
        call("cuptiSassMetricsFlushData", flush);
        for (const CUpti_SassMetrics_Data& record : records) {
            const std::string function = record.functionName != nullptr ? record.functionName : "";
            if (!line_tables().has(function)) {
                throw cupti::Failure{"The machine code has no line table."};
            }
            auto& line = lines[line_tables().line_of(function, record.pcOffset, file)];
            line.resize(configs.size());
            for (std::size_t k = 0; k < room; ++k) {
                for (std::size_t m = 0; m < configs.size(); ++m) {
                    if (record.pInstanceValues[k].metricId == configs[m].metricId) {
                        line[m] += record.pInstanceValues[k].value;
                    }
                }
            }
        }
    }
    for (auto& [line, values] : lines) {
        if (std::any_of(values.begin(), values.end(), [](std::uint64_t value) { return value > 0; })) {
            counters.lines.push_back(line);
            counters.values.insert(counters.values.end(), values.begin(), values.end());
        }
    }
    if (counters.lines.empty()) {
        throw cupti::Failure{"The GPU counted no instruction."};
    }
    return counters;
}

}  // namespace

void keep_line_tables() {
    static const bool once = [] {
        if (cupti::library() == nullptr) {
            return false;
        }
        using Subscribe = CUptiResult (*)(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*);
        using Enable =
            CUptiResult (*)(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId);
        const auto subscribe = reinterpret_cast<Subscribe>(dlsym(cupti::library(), "cuptiSubscribe"));
        const auto enable = reinterpret_cast<Enable>(dlsym(cupti::library(), "cuptiEnableCallback"));
        CUpti_SubscriberHandle subscriber{};
        line_tables();  // made before it is needed, and so destroyed later
        return subscribe != nullptr && enable != nullptr &&
               subscribe(&subscriber, module_loaded, nullptr) == CUPTI_SUCCESS &&
               enable(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED) ==
                   CUPTI_SUCCESS;
    }();
    static_cast<void>(once);
}

Expected<trace::LineCounters> count_lines_here(const std::function<void()>& launch, std::string_view file) {
    if (cupti::library() == nullptr) {
        return fail(ExitStatus::device,
                    "The GPU's counters could not be read: the CUDA Toolkit's CUPTI is missing.");
    }
    try {
        return count_or_throw(launch, file);
    } catch (const cupti::Failure& failure) {
        return fail(ExitStatus::device, failure.sentence);
    }
}

}  // namespace auditorium::launch::gpu

#else

namespace auditorium::launch::gpu {

void keep_line_tables() {}

Expected<trace::LineCounters> count_lines_here(const std::function<void()>&, std::string_view) {
    return fail(ExitStatus::device,
                "The GPU's counters cannot be read: this program was built with a CUDA Toolkit that lacks "
                "CUPTI's counters per instruction.");
}

}  // namespace auditorium::launch::gpu

#endif
