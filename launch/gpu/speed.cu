#include "launch/gpu/speed.h"

#include <cmath>
#include <cub/device/device_reduce.cuh>

#include "kernels/catalogue.h"
#include "launch/gpu/device.h"
#include "launch/gpu/gpu.h"
#include "launch/gpu/libraries.cuh"
#include "launch/gpu/timing.cuh"
#include "trace/input.h"

namespace auditorium::launch::gpu {
namespace {

constexpr int launches_of_a_call = 201;
constexpr int passes_of_an_array = 11;
constexpr std::size_t most_elements = std::size_t{1} << 29;

constexpr int block_sizes[] = {32, 64, 128, 256, 512, 1024};

// The timing of a library's reduction as a whole, for the block sizes known at compile time.
template <template <class> class Kernel, class T, class Op, int... Blocks>
void add_cycles(Timing& timing, int op, int type) {
    ((timing.constant[Blocks].cycles[op][type] =
          reinterpret_cast<const void*>(&cycles<Kernel, BlockReduce, T, Op, T*, Blocks>)),
     ...);
}
template <template <class> class Kernel>
Timing library_timing() {
    Timing timing;
    add_cycles<Kernel, float, Max<float>, 32, 64, 128, 256, 512, 1024>(timing, 0, 0);
    add_cycles<Kernel, float, Min<float>, 32, 64, 128, 256, 512, 1024>(timing, 1, 0);
    add_cycles<Kernel, float, Sum<float>, 32, 64, 128, 256, 512, 1024>(timing, 2, 0);
    add_cycles<Kernel, int, Max<int>, 32, 64, 128, 256, 512, 1024>(timing, 0, 1);
    add_cycles<Kernel, int, Min<int>, 32, 64, 128, 256, 512, 1024>(timing, 1, 1);
    add_cycles<Kernel, int, Sum<int>, 32, 64, 128, 256, 512, 1024>(timing, 2, 1);
    return timing;
}

// The sum of a whole array in one pass: each thread adds up what it loads, 16 bytes at a time and `loads` of
// them in flight, block_reduce as it stands in the kernel's file makes one number of a block, and the block
// that comes last adds up those. `in` has `tiles` x Block x loads float4.
template <int Block, int loads>
__global__ void __launch_bounds__(Block)
    sum_of_array(const float4* in, std::size_t tiles, float* partials, unsigned* done, float* out) {
    __shared__ float shared[Block];
    ContiguousWarp<PlainThread<float, Block>> kernel;
    const int tid = threadIdx.x;
    float4 sum{0, 0, 0, 0};
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        float4 values[loads];
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            values[i] = __ldcs(in + (tile * loads + i) * Block + tid);  // read once: need not stay cached
        }
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            sum.x += values[i].x;
            sum.y += values[i].y;
            sum.z += values[i].z;
            sum.w += values[i].w;
        }
    }
    const float own = kernel.block_reduce((sum.x + sum.y) + (sum.z + sum.w), shared, tid, Sum<float>{});
    __shared__ bool last;
    if (tid == 0) {
        partials[blockIdx.x] = own;
        __threadfence();
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        float rest = 0;
        for (unsigned i = tid; i < gridDim.x; i += Block) {
            rest += __ldcg(partials + i);
        }
        __syncthreads();
        rest = kernel.block_reduce(rest, shared, tid, Sum<float>{});
        if (tid == 0) {
            *out = rest;
            *done = 0;
        }
    }
}
// Of 90 combinations tried on an H200 among the three best, which are level; array_grid blocks for each
// multiprocessor, far more than it holds at once, so that none of them ends the pass alone.
constexpr int array_block = 512, array_loads = 8, array_grid = 32;

__global__ void fill(float* values, std::size_t n) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        values[i] = static_cast<float>((i * 2654435761u >> 7) % 1000);
    }
}

double median_of(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    return n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
}

// One thing to time: what is filled in at the end, and how to take one run's samples.
template <class Time>
struct Contender {
    Time time;
    std::function<void(std::vector<double>& samples)> run;
    std::vector<double> samples;
};

template <class Time>
std::vector<Time> take_turns(std::vector<Contender<Time>>& contenders, int runs,
                             const std::function<void()>& between) {
    for (int run = 0; run < runs; ++run) {
        for (Contender<Time>& contender : contenders) {
            between();
            contender.run(contender.samples);
        }
    }
    std::vector<Time> times;
    for (Contender<Time>& contender : contenders) {
        contender.time.min = *std::min_element(contender.samples.begin(), contender.samples.end());
        contender.time.median = median_of(std::move(contender.samples));
        times.push_back(contender.time);
    }
    return times;
}

std::vector<CallTime> measure_calls(int runs, const std::function<void()>& between) {
    const Timing cub = library_timing<CubBlockReduce>(), raking = library_timing<CubRaking>(),
                 groups = library_timing<CooperativeGroups>();
    struct Named {
        std::string name;
        const Timing* timing;
    };
    std::vector<Named> all;
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (kernel.correct) {
            all.push_back({std::string(kernel.id), find_timing(kernel.file)});
        }
    }
    all.push_back({cub_block_reduce, &cub});
    all.push_back({cub_raking, &raking});
    all.push_back({cooperative_groups_reduce, &groups});

    const DeviceArray<std::uint32_t> in(trace::max_block), out(trace::max_block);
    const DeviceArray<long long> clocks(std::size_t{launches_of_a_call} * trace::max_block / 32 * 2);
    std::vector<CallTime> times;
    for (const trace::Type type : {trace::Type::f32, trace::Type::i32}) {
        in.upload(*trace::expand_input(trace::LaunchConfig{}.input, type, trace::max_block));
        for (const trace::Op op : {trace::Op::max, trace::Op::min, trace::Op::sum}) {
            for (const int threads : block_sizes) {
                std::vector<Contender<CallTime>> contenders;
                for (const Named& named : all) {
                    const void* kernel =
                        named.timing->constant.at(threads)
                            .cycles[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
                    const auto run = [&, kernel, threads](std::vector<double>& samples) {
                        const std::size_t warps = static_cast<std::size_t>(threads) / 32;
                        for (std::size_t i = 0; i < launches_of_a_call; ++i) {
                            start(kernel, threads, static_cast<std::size_t>(threads) * 8, in.data(),
                                  out.data(), 1, clocks.data() + i * warps * 2);
                        }
                        wait("timing a call");
                        const std::vector<long long> all_clocks =
                            clocks.download(launches_of_a_call * warps * 2);
                        for (std::size_t i = 0; i < launches_of_a_call; ++i) {
                            samples.push_back(block_cycles(all_clocks.data() + i * warps * 2, warps));
                        }
                    };
                    contenders.push_back({{named.name, op, type, threads}, run, {}});
                }
                for (CallTime& time : take_turns(contenders, runs, between)) {
                    times.push_back(std::move(time));
                }
            }
        }
    }
    return times;
}

struct Events {
    cudaEvent_t begin{}, end{};
    Events() {
        check(cudaEventCreate(&begin), "making an event");
        check(cudaEventCreate(&end), "making an event");
    }
    ~Events() {
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
};

std::vector<ArrayTime> measure_arrays(int runs, std::size_t elements, int multiprocessors,
                                      const std::function<void()>& between) {
    const DeviceArray<float> in(elements), copy(elements), out(2);
    const unsigned grid = static_cast<unsigned>(array_grid * multiprocessors);
    const DeviceArray<float> partials(grid);
    const DeviceArray<unsigned> done(1);
    done.fill(0);
    fill<<<1024, 256>>>(in.data(), elements);
    wait("filling an array");
    const auto many = static_cast<long long>(elements);
    std::size_t scratch_bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, scratch_bytes, in.data(), out.data() + 1, many), "asking CUB");
    const DeviceArray<char> scratch(scratch_bytes);
    const std::size_t tiles = elements / (array_block * array_loads * 4);
    const auto ours = [&] {
        sum_of_array<array_block, array_loads><<<grid, array_block>>>(
            reinterpret_cast<const float4*>(in.data()), tiles, partials.data(), done.data(), out.data());
    };
    const auto cubs = [&] {
        check(cub::DeviceReduce::Sum(scratch.data(), scratch_bytes, in.data(), out.data() + 1, many),
              "running CUB");
    };
    const auto copies = [&] {
        check(cudaMemcpyAsync(copy.data(), in.data(), elements * sizeof(float), cudaMemcpyDeviceToDevice),
              "copying an array");
    };
    const Events events;
    const auto timed = [&](const std::function<void()>& pass) {
        return [&, pass](std::vector<double>& samples) {
            pass();  // a warm-up
            for (int i = 0; i < passes_of_an_array; ++i) {
                float ms = 0;
                check(cudaEventRecord(events.begin), "timing an array");
                pass();
                check(cudaEventRecord(events.end), "timing an array");
                wait("timing an array");
                check(cudaEventElapsedTime(&ms, events.begin, events.end), "timing an array");
                samples.push_back(ms);
            }
        };
    };
    const double bytes = static_cast<double>(elements) * sizeof(float);
    std::vector<Contender<ArrayTime>> contenders;
    contenders.push_back({{whole_array_sum, 0, 0, bytes}, timed(ours), {}});
    contenders.push_back({{cub_device_reduce, 0, 0, bytes}, timed(cubs), {}});
    contenders.push_back({{device_copy, 0, 0, 2 * bytes}, timed(copies), {}});
    std::vector<ArrayTime> times = take_turns(contenders, runs, between);
    // Both orders of adding round differently, but not by much.
    const std::vector<float> sums = out.download();
    if (!(std::abs(sums[0] - sums[1]) <= 1e-4f * std::abs(sums[1]))) {
        throw Failure{cudaErrorUnknown, "summing an array: it differs from CUB's sum"};
    }
    return times;
}

}  // namespace

double block_cycles(const long long* clocks, std::size_t warps) {
    long long begin = clocks[0], end = clocks[1];
    for (std::size_t warp = 1; warp < warps; ++warp) {
        begin = std::min(begin, clocks[warp * 2]);
        end = std::max(end, clocks[warp * 2 + 1]);
    }
    return static_cast<double>(end - begin);
}

Speed measure_speed_or_throw(int runs, const std::function<void()>& between) {
    const GpuInfo device = info();
    Speed speed;
    speed.device = device.name;
    speed.driver = device.driver;
    speed.cuda = device.cuda;
    speed.compute_major = device.compute_major;
    speed.compute_minor = device.compute_minor;
    speed.runs = runs;
    speed.launches = launches_of_a_call;
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for memory");
    std::size_t elements = most_elements;
    while (elements > (1 << 20) && elements * sizeof(float) * 2 > free / 10 * 9) {
        elements /= 2;
    }
    speed.array_elements = static_cast<double>(elements);
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "asking the GPU");
    speed.calls = measure_calls(runs, between);
    speed.arrays = measure_arrays(runs, elements, multiprocessors, between);
    return speed;
}

}  // namespace auditorium::launch::gpu
