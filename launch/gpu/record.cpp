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
#include "launch/gpu/gpu.h"
#include "launch/gpu/table.h"

namespace auditorium::launch::gpu {
namespace {

using trace::Event;
using trace::EventKind;

// Inside this file a failing call of the runtime leaves through an exception, which record() turns into an
// Error.
struct Failure {
    cudaError_t code;
    const char* what;
};

void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) {
        throw Failure{code, what};
    }
}

struct Cancelled {};

template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t size) : size_(size) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<std::size_t>(size, 1) * sizeof(T)),
              "allocating memory");
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    void fill(int byte) const { check(cudaMemset(data_, byte, size_ * sizeof(T)), "clearing memory"); }
    void upload(const std::vector<T>& from) const {
        check(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying the input");
    }
    std::vector<T> download(std::size_t count) const {
        std::vector<T> to(count);
        check(cudaMemcpy(to.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost),
              "copying what was recorded");
        return to;
    }
    std::vector<T> download() const { return download(size_); }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

template <class... Args>
void start(const void* kernel, int block, std::size_t shared_bytes, Args... args) {
    void* pointers[] = {&args...};
    check(cudaLaunchKernel(kernel, dim3(1), dim3(static_cast<unsigned>(block)), pointers, shared_bytes,
                           nullptr),
          "starting a kernel");
}

void wait(const char* what) {
    check(cudaGetLastError(), what);
    check(cudaDeviceSynchronize(), what);
}

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
    std::size_t op, type;
    DeviceArray<std::uint32_t> in, out;

    Launch(const kernels::Kernel& kernel, const trace::LaunchConfig& config, const Options& options,
           const Table& table)
        : kernel(kernel),
          config(config),
          options(options),
          table(table),
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

// Several calls, and sizes and kernels without a constant, are timed with the block size read at run time.
int timing_place(const Launch& launch) {
    const int place = launch.calls() > 1 ? 0 : place_of(launch.config.block);
    return launch.table.cycles[static_cast<std::size_t>(place)][launch.op][launch.type] ? place : 0;
}

void run_cycles(const Launch& launch, trace::Trace& trace) {
    const int place = timing_place(launch);
    const auto warps = static_cast<std::size_t>(trace.warps());
    const DeviceArray<long long> clocks(warps * 2 * cycles_launches);
    const void* kernel = launch.table.cycles[static_cast<std::size_t>(place)][launch.op][launch.type];
    for (int i = 0; i < cycles_launches; ++i) {
        start(kernel, launch.config.block, launch.plain_shared(), launch.in.data(), launch.out.data(),
              launch.calls(), clocks.data() + static_cast<std::size_t>(i) * warps * 2);
    }
    wait("timing the plain kernel");
    const std::vector<long long> all = clocks.download();
    std::vector<long long> samples;
    for (std::size_t i = 0; i < cycles_launches; ++i) {
        long long begin = std::numeric_limits<long long>::max(), end = std::numeric_limits<long long>::min();
        for (std::size_t warp = 0; warp < warps; ++warp) {
            begin = std::min(begin, all[(i * warps + warp) * 2]);
            end = std::max(end, all[(i * warps + warp) * 2 + 1]);
        }
        samples.push_back(end - begin);
    }
    const Spread spread = spread_of(samples);
    trace.cycles = {spread.min, spread.median, spread.max, cycles_launches, place > 0};
}

// The points of kernels/points.h among one thread's events: {point, event}, the return last.
std::vector<std::pair<int, std::size_t>> points_of(const std::vector<Event>& events) {
    std::vector<std::pair<int, std::size_t>> points;
    kernels::Points counter;
    for (std::size_t i = 0; i < events.size(); ++i) {
        int point = kernels::Points::no_point;
        switch (events[i].kind) {
            case EventKind::load:
                point = counter.load();
                break;
            case EventKind::store:
                point = counter.store();
                break;
            case EventKind::combine:
                point = counter.combine();
                break;
            case EventKind::shuffle:
                point = counter.shuffle();
                break;
            case EventKind::syncwarp:
                point = counter.syncwarp();
                break;
            case EventKind::barrier_arrive:
                point = counter.barrier_arrive();
                break;
            case EventKind::barrier_leave:
                point = counter.barrier_leave();
                break;
        }
        if (point != kernels::Points::no_point) {
            points.emplace_back(point, i);
        }
    }
    points.emplace_back(counter.end(), events.size());
    return points;
}

void run_stamps(const Launch& launch, trace::Trace& trace) {
    const int place = timing_place(launch);
    const auto warps = static_cast<std::size_t>(trace.warps());
    const void* kernel = launch.table.timed[static_cast<std::size_t>(place)][launch.op][launch.type];
    const DeviceArray<long long> clocks(warps * 2 * stamp_launches);
    for (std::size_t warp = 0; warp < warps; ++warp) {
        launch.ask_whether_cancelled();
        for (const auto& [point, event] : points_of(trace.events[warp * 32])) {
            for (int i = 0; i < stamp_launches; ++i) {
                start(kernel, launch.config.block, launch.plain_shared(), launch.in.data(), launch.out.data(),
                      launch.calls(), static_cast<int>(warp), point,
                      clocks.data() + static_cast<std::size_t>(i) * warps * 2);
            }
            wait("timing the kernel's events");
            const std::vector<long long> all = clocks.download();
            std::vector<long long> samples;
            for (std::size_t i = 0; i < stamp_launches; ++i) {
                long long begin = std::numeric_limits<long long>::max();
                for (std::size_t other = 0; other < warps; ++other) {
                    begin = std::min(begin, all[(i * warps + other) * 2]);
                }
                // 0: the run took another way than the recorded one and did not come past this point.
                if (const long long stamp = all[(i * warps + warp) * 2 + 1]; stamp != 0) {
                    samples.push_back(stamp - begin);
                }
            }
            if (!samples.empty()) {
                const int launches = static_cast<int>(samples.size());
                const Spread spread = spread_of(std::move(samples));
                trace.stamps.push_back({static_cast<int>(warp), static_cast<int>(event), spread.min,
                                        spread.median, spread.max, launches});
            }
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
        run_cycles(launch, trace);
        run_stamps(launch, trace);
        if (auto counters = count([&] { launch_plain(launch); })) {
            trace.counters = std::move(*counters);
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

// Runs body(table); what it throws becomes an Error, and a GPU that failed is reset.
template <class Result, class Body>
Expected<Result> guarded(const kernels::Kernel& kernel, Body body) {
    const Table* table = find_table(kernel.file);
    if (!table) {
        return fail(ExitStatus::device, fmt::format("{} was not compiled for a GPU.", kernel.id));
    }
    try {
        return body(*table);
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
    const auto counted = guarded<std::vector<trace::Counter>>(kernel, [&](const Table& table) {
        const Options options;
        const Launch launch(kernel, *config, options, table);
        return count([&] { launch_plain(launch); });
    });
    return counted ? "" : counted.error().sentence;
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

}  // namespace auditorium::launch::gpu
