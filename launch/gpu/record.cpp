#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "kernels/points.h"
#include "kernels/recording.h"
#include "launch/backend.h"
#include "launch/gpu/counters.h"
#include "launch/gpu/device.h"
#include "launch/gpu/gpu.h"
#include "launch/gpu/line_counters.h"
#include "launch/gpu/runtime_timing.h"
#include "launch/gpu/speed.h"
#include "launch/gpu/table.h"
#include "launch/points_of.h"

namespace auditorium::launch::gpu {
namespace {

using trace::Event;
using trace::EventKind;

struct Cancelled {};

// The driver's own number, "580.159.04", which the runtime does not tell: the management library does.
std::string driver_version() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        return "";
    }
    using Init = int (*)();
    using Version = int (*)(char*, unsigned);
    const auto init = reinterpret_cast<Init>(dlsym(library, "nvmlInit_v2"));
    const auto version = reinterpret_cast<Version>(dlsym(library, "nvmlSystemGetDriverVersion"));
    const auto shutdown = reinterpret_cast<Init>(dlsym(library, "nvmlShutdown"));
    char text[96] = "";
    if (init && version && shutdown && init() == 0) {
        if (version(text, sizeof text) != 0) {
            text[0] = 0;
        }
        shutdown();
    }
    dlclose(library);
    return text;
}

std::string version_text(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

int entry_calls(const kernels::Kernel& kernel, const trace::LaunchConfig& config) {
    return config.calls / kernel.results;
}

struct Launch {
    const kernels::Kernel& kernel;
    const trace::LaunchConfig& config;
    const Options& options;
    const Table& table;
    const Timing& timing;
    std::size_t op, type;
    DeviceArray<std::uint32_t> in, out;

    Launch(const kernels::Kernel& kernel, const trace::LaunchConfig& config, const Options& options,
           const Table& table)
        : kernel(kernel),
          config(config),
          options(options),
          table(table),
          timing(*find_timing(kernel.file)),
          op(static_cast<std::size_t>(config.op)),
          type(static_cast<std::size_t>(config.type)),
          in(static_cast<std::size_t>(config.block)),
          out(static_cast<std::size_t>(config.block) * static_cast<std::size_t>(config.calls)) {
        in.upload(config.values);
    }

    int calls() const { return entry_calls(kernel, config); }
    std::size_t plain_shared() const { return static_cast<std::size_t>(std::max(2 * config.block, 64)) * 4; }
    void ask_whether_cancelled() const {
        if (options.cancelled && options.cancelled()) {
            throw Cancelled{};
        }
    }

    std::vector<std::vector<std::uint32_t>> results() const {
        const std::vector<std::uint32_t> all = out.download();
        std::vector<std::vector<std::uint32_t>> results;
        for (auto at = all.begin(); at != all.end(); at += config.block) {
            results.emplace_back(at, at + config.block);
        }
        return results;
    }
};

void launch_plain(const Launch& launch) {
    start(launch.table.plain[launch.op][launch.type], launch.config.block, launch.plain_shared(),
          launch.in.data(), launch.out.data(), launch.calls());
    wait("running the plain kernel");
}

std::vector<std::vector<std::uint32_t>> run_plain(const Launch& launch) {
    launch.out.fill(0xa5);
    launch_plain(launch);
    return launch.results();
}

// A record's kind and flags are the trace's own numbers.
static_assert(static_cast<int>(EventKind::load) == static_cast<int>(kernels::RecordKind::load) &&
              static_cast<int>(EventKind::store) == static_cast<int>(kernels::RecordKind::store) &&
              static_cast<int>(EventKind::combine) == static_cast<int>(kernels::RecordKind::combine) &&
              static_cast<int>(EventKind::shuffle) == static_cast<int>(kernels::RecordKind::shuffle) &&
              static_cast<int>(EventKind::syncwarp) == static_cast<int>(kernels::RecordKind::syncwarp) &&
              static_cast<int>(EventKind::barrier_arrive) ==
                  static_cast<int>(kernels::RecordKind::barrier_arrive) &&
              static_cast<int>(EventKind::barrier_leave) ==
                  static_cast<int>(kernels::RecordKind::barrier_leave));
static_assert(int{Event::undefined} == int{kernels::undefined} &&
              int{Event::no_partner} == int{kernels::no_partner} &&
              int{Event::bad_mask} == int{kernels::bad_mask} && int{Event::no_box} == int{kernels::no_box});

Event event_of(const kernels::Record& record) {
    Event event;
    event.kind = static_cast<EventKind>(record.kind);
    event.flags = record.flags;
    event.line = record.line;
    event.arg = record.arg;
    event.writer = record.writer;
    event.writer_event = record.writer_event;
    event.bits = record.bits;
    event.sent = record.sent;
    return event;
}

void run_traced(const Launch& launch, trace::Trace& trace) {
    const auto block = static_cast<std::size_t>(launch.config.block);
    const auto calls = static_cast<std::size_t>(launch.calls());
    const std::size_t capacity = 160 * calls, snapshot_capacity = 24 * calls + 1;
    const DeviceArray<kernels::Record> records(block * capacity);
    const DeviceArray<unsigned> counts(block), snapshots(block * snapshot_capacity);
    counts.fill(0);
    snapshots.fill(0);
    launch.out.fill(0xa5);
    const kernels::Recording recording{records.data(), counts.data(), snapshots.data(),
                                       static_cast<unsigned>(capacity),
                                       static_cast<unsigned>(snapshot_capacity)};
    start(launch.table.traced[launch.op][launch.type], launch.config.block,
          block * sizeof(unsigned long long), launch.in.data(), launch.out.data(), launch.calls(),
          static_cast<int>(launch.op), recording);
    wait("running the traced kernel");
    trace.results = launch.results();

    const std::vector<unsigned> events = counts.download();
    const std::vector<kernels::Record> all = records.download();
    std::size_t barriers = 0;
    std::vector<int> overflown;
    trace.events.resize(block);
    for (std::size_t thread = 0; thread < block; ++thread) {
        const std::size_t kept = std::min<std::size_t>(events[thread], capacity);
        if (events[thread] > capacity) {
            overflown.push_back(static_cast<int>(thread));
        }
        std::size_t passed = 0;
        trace.events[thread].reserve(kept);
        for (std::size_t i = 0; i < kept; ++i) {
            trace.events[thread].push_back(event_of(all[thread * capacity + i]));
            passed += trace.events[thread].back().kind == EventKind::barrier_leave;
        }
        barriers = std::max(barriers, passed);
    }
    if (!overflown.empty()) {
        trace.faults.push_back(
            {trace::RunFault::Kind::overflow,
             overflown,
             {},
             fmt::format("{} threads made more events than the {} that the trace has room for.",
                         overflown.size(), capacity)});
    }
    const std::vector<unsigned> copies = snapshots.download();
    for (std::size_t i = 0; i <= std::min(barriers, snapshot_capacity - 1); ++i) {
        trace::Snapshot snapshot;
        snapshot.interval = static_cast<int>(i);
        snapshot.boxes.assign(copies.begin() + static_cast<std::ptrdiff_t>(i * block),
                              copies.begin() + static_cast<std::ptrdiff_t>((i + 1) * block));
        trace.snapshots.push_back(std::move(snapshot));
    }
}

struct Spread {
    double min, median, max;
};

Spread spread_of(std::vector<long long> samples) {
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    const double median =
        n % 2 ? static_cast<double>(samples[n / 2])
              : (static_cast<double>(samples[n / 2 - 1]) + static_cast<double>(samples[n / 2])) / 2;
    return {static_cast<double>(samples.front()), median, static_cast<double>(samples.back())};
}

constexpr int cycles_launches = 201;
constexpr int stamp_launches = 31;

// The timing for the block size as a constant: compiled with the program, or else now.
class ConstantTiming {
  public:
    explicit ConstantTiming(const Launch& launch, const GpuInfo& device) {
        if (launch.calls() != 1) {
            return;
        }
        const auto found = launch.timing.constant.find(launch.config.block);
        if (found != launch.timing.constant.end()) {
            timing_ = &found->second;
            return;
        }
        launch.ask_whether_cancelled();
        const trace::LaunchConfig& config = launch.config;
        auto loaded = compile_timing(launch.kernel, config.op, config.type, config.block,
                                     device.compute_major, device.compute_minor)
                          .and_then([&](const auto& compiled) {
                              return LoadedTiming::load(*compiled, config.op, config.type);
                          });
        if (loaded) {
            loaded_ = std::move(*loaded);
            timing_ = &loaded_->constant();
        } else {
            why_not_ = loaded.error().sentence;
        }
    }

    // nullptr: there is none, since several entries are called or for a reason that why_not() says.
    const Timing::Constant* get() const { return timing_; }
    const std::string& why_not() const { return why_not_; }

  private:
    const Timing::Constant* timing_ = nullptr;
    std::unique_ptr<LoadedTiming> loaded_;
    std::string why_not_;
};

void run_cycles(const Launch& launch, const Timing::Constant* constant, trace::Trace& trace) {
    const auto warps = static_cast<std::size_t>(trace.warps());
    const DeviceArray<long long> clocks(warps * 2 * cycles_launches);
    const void* kernel = (constant ? constant->cycles : launch.timing.cycles)[launch.op][launch.type];
    for (int i = 0; i < cycles_launches; ++i) {
        start(kernel, launch.config.block, launch.plain_shared(), launch.in.data(), launch.out.data(),
              launch.calls(), clocks.data() + static_cast<std::size_t>(i) * warps * 2);
    }
    wait("timing the plain kernel");
    const std::vector<long long> all = clocks.download();
    std::vector<long long> samples;
    for (std::size_t i = 0; i < cycles_launches; ++i) {
        samples.push_back(static_cast<long long>(block_cycles(all.data() + i * warps * 2, warps)));
    }
    const Spread spread = spread_of(samples);
    trace.cycles = {spread.min, spread.median, spread.max, cycles_launches, constant != nullptr};
}

using kernels::Points;
constexpr std::size_t stamp_row = 1 + Points::slots;

// The samples of a stamp in the rows of `launches` launches, in cycles since the launch's first warp began.
// Clocks are low halves, so differences are taken modulo 2^32. A slot of 0: that run took another way than
// the recorded one and did not come past this point.
std::vector<long long> samples_of(const std::vector<unsigned>& rows, std::size_t warps, std::size_t warp,
                                  std::size_t slot) {
    std::vector<long long> samples;
    for (std::size_t launch = 0; launch < rows.size() / (warps * stamp_row); ++launch) {
        const unsigned* const first = rows.data() + launch * warps * stamp_row;
        const unsigned stamp = first[warp * stamp_row + 1 + slot];
        if (stamp == 0) {
            continue;
        }
        unsigned longest = 0;
        for (std::size_t other = 0; other < warps; ++other) {
            const unsigned since = stamp - first[other * stamp_row];
            // A warp that began after the stamp was taken is no start.
            longest = since < 1u << 31 ? std::max(longest, since) : longest;
        }
        samples.push_back(longest);
    }
    return samples;
}

void add_stamp(trace::Trace& trace, std::size_t warp, std::size_t event, std::vector<long long> samples) {
    if (samples.empty()) {
        return;
    }
    const int launches = static_cast<int>(samples.size());
    const Spread spread = spread_of(std::move(samples));
    trace.stamps.push_back(
        {static_cast<int>(warp), static_cast<int>(event), spread.min, spread.median, spread.max, launches});
}

void run_stamps(const Launch& launch, const Timing::Constant* constant, trace::Trace& trace) {
    const auto warps = static_cast<std::size_t>(trace.warps());
    const DeviceArray<unsigned> stamps(warps * stamp_row * stamp_launches);
    const auto row_of = [&](int i) {
        return stamps.data() + static_cast<std::size_t>(i) * warps * stamp_row;
    };
    if (constant != nullptr) {
        std::vector<std::vector<unsigned>> rows;
        for (const PerOp& group : constant->timed) {
            launch.ask_whether_cancelled();
            for (int i = 0; i < stamp_launches; ++i) {
                start(group[launch.op][launch.type], launch.config.block, launch.plain_shared(),
                      launch.in.data(), launch.out.data(), row_of(i));
            }
            wait("timing the kernel's events");
            rows.push_back(stamps.download());
        }
        for (std::size_t warp = 0; warp < warps; ++warp) {
            for (const auto& [point, event] : points_of(trace.events[warp * 32])) {
                if (const int slot = Points::slot_of(point); slot < Points::slots) {
                    add_stamp(trace, warp, event,
                              samples_of(rows[static_cast<std::size_t>(Points::group_of(point))], warps, warp,
                                         static_cast<std::size_t>(slot)));
                }
            }
        }
        return;
    }
    for (std::size_t warp = 0; warp < warps; ++warp) {
        launch.ask_whether_cancelled();
        for (const auto& [point, event] : points_of(trace.events[warp * 32])) {
            for (int i = 0; i < stamp_launches; ++i) {
                start(launch.timing.timed[launch.op][launch.type], launch.config.block, launch.plain_shared(),
                      launch.in.data(), launch.out.data(), launch.calls(), static_cast<int>(warp), point,
                      row_of(i));
            }
            wait("timing the kernel's events");
            add_stamp(trace, warp, event, samples_of(stamps.download(), warps, warp, 0));
        }
    }
}

trace::Trace record_or_throw(const kernels::Kernel& kernel, const trace::LaunchConfig& config,
                             const Options& options, const Table& table) {
    const GpuInfo device = gpu_info();
    trace::Trace trace;
    trace.config = config;
    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.origin.device = device.name;
    trace.origin.compute_major = device.compute_major;
    trace.origin.compute_minor = device.compute_minor;
    trace.origin.driver = device.driver;
    trace.origin.cuda = device.cuda;
    trace.source = kernel.source;

    const Launch launch(kernel, config, options, table);
    launch.ask_whether_cancelled();
    trace.plain_results = run_plain(launch);
    run_traced(launch, trace);
    if (options.timings) {
        launch.ask_whether_cancelled();
        const ConstantTiming constant(launch, device);
        run_cycles(launch, constant.get(), trace);
        run_stamps(launch, constant.get(), trace);
        if (!constant.why_not().empty()) {
            trace.origin.note = constant.why_not() +
                                " The stamps are those of a kernel that learns its block size as it runs, "
                                "which they slow down more.";
        }
    }
    if (options.counters) {
        if (auto counters = count([&] { launch_plain(launch); })) {
            trace.counters = std::move(*counters);
        }
        launch.ask_whether_cancelled();
        if (auto counters = count_lines(config, options.cancelled)) {
            trace.line_counters = std::move(*counters);
        }
    }
    return trace;
}

}  // namespace

GpuInfo info() {
    GpuInfo info;
    int count = 0;
    const cudaError_t found = cudaGetDeviceCount(&count);
    if (found != cudaSuccess || count < 1) {
        cudaGetLastError();
        info.reason =
            found == cudaErrorInsufficientDriver
                ? "There is no GPU to use: no NVIDIA driver is installed, or it is older than this program's "
                  "CUDA " +
                      version_text(CUDART_VERSION) + "."
            : found != cudaSuccess ? fmt::format("There is no GPU to use: {} (CUDA error {}).",
                                                 cudaGetErrorString(found), static_cast<int>(found))
                                   : std::string("There is no GPU to use: the driver finds none.");
        return info;
    }
    cudaDeviceProp properties{};
    if (const cudaError_t code = cudaGetDeviceProperties(&properties, 0); code != cudaSuccess) {
        info.reason = fmt::format("The GPU does not answer: {} (CUDA error {}).", cudaGetErrorString(code),
                                  static_cast<int>(code));
        return info;
    }
    info.available = true;
    info.name = properties.name;
    info.compute_major = properties.major;
    info.compute_minor = properties.minor;
    info.driver = driver_version();
    info.cuda = version_text(CUDART_VERSION);
    return info;
}

// Runs body(); what it throws becomes an Error, and a GPU that failed is reset.
template <class Result, class Body>
Expected<Result> caught(Body body) {
    try {
        return body();
    } catch (const Failure& failure) {
        const std::string sentence =
            fmt::format("The GPU failed while {}: {} (CUDA error {}).", failure.what,
                        cudaGetErrorString(failure.code), static_cast<int>(failure.code));
        cudaDeviceReset();
        cudaGetLastError();
        return fail(ExitStatus::device, sentence);
    } catch (const Cancelled&) {
        return cancelled();
    } catch (const std::bad_alloc&) {
        return fail(ExitStatus::device, "There is not enough memory for the recording.");
    }
}

// The same with the kernel's table.
template <class Result, class Body>
Expected<Result> guarded(const kernels::Kernel& kernel, Body body) {
    const Table* table = find_table(kernel.file);
    if (!table) {
        return fail(ExitStatus::device, fmt::format("{} was not compiled for a GPU.", kernel.id));
    }
    return caught<Result>([&] { return body(*table); });
}

std::string why_no_counters() {
    if (const GpuInfo device = gpu_info(); !device.available) {
        return device.reason;
    }
    const kernels::Kernel& kernel = *kernels::find("one_barrier");
    auto config = prepare(
        [] {
            trace::LaunchConfig config;
            config.kernel = "one_barrier";
            config.block = 32;
            return config;
        }(),
        {});
    if (!config) {
        return config.error().sentence;
    }
    const auto sentence = guarded<std::string>(kernel, [&](const Table& table) -> std::string {
        const Options options;
        const Launch launch(kernel, *config, options, table);
        if (const auto counted = count([&] { launch_plain(launch); }); !counted) {
            return counted.error().sentence;
        }
        const auto lines = count_lines(*config, {});
        return lines ? "" : lines.error().sentence;
    });
    return sentence ? *sentence : sentence.error().sentence;
}

Expected<trace::Trace> record(const kernels::Kernel& kernel, const trace::LaunchConfig& config,
                              const Options& options) {
    return guarded<trace::Trace>(
        kernel, [&](const Table& table) { return record_or_throw(kernel, config, options, table); });
}

Expected<std::vector<std::vector<std::uint32_t>>> plain_results(const kernels::Kernel& kernel,
                                                                const trace::LaunchConfig& config) {
    return guarded<std::vector<std::vector<std::uint32_t>>>(kernel, [&](const Table& table) {
        const Options options;
        return run_plain(Launch(kernel, config, options, table));
    });
}

Expected<std::vector<trace::Counter>> plain_counters(const kernels::Kernel& kernel,
                                                     const trace::LaunchConfig& config) {
    auto counted = guarded<Expected<std::vector<trace::Counter>>>(kernel, [&](const Table& table) {
        const Options options;
        const Launch launch(kernel, config, options, table);
        return count([&] { launch_plain(launch); });
    });
    return counted ? std::move(*counted) : tl::unexpected<Error>(counted.error());
}

Expected<trace::LineCounters> plain_line_counters(const kernels::Kernel& kernel,
                                                  const trace::LaunchConfig& config) {
    auto counted = guarded<Expected<trace::LineCounters>>(kernel, [&](const Table& table) {
        keep_line_tables();
        const Options options;
        const Launch launch(kernel, config, options, table);
        return count_lines_here([&] { launch_plain(launch); }, kernel.file);
    });
    return counted ? std::move(*counted) : tl::unexpected<Error>(counted.error());
}

Expected<Speed> measure_speed(int runs, const std::function<bool()>& cancelled) {
    return caught<Speed>([&] {
        return measure_speed_or_throw(runs, [&] {
            if (cancelled && cancelled()) {
                throw Cancelled{};
            }
        });
    });
}

}  // namespace auditorium::launch::gpu
