// The kernel files are compiled by the host's compiler, where CUDA's built-ins do not exist, so a name that
// kernels/names.inc forgets is an error here. And they run: one host thread per CUDA thread.
#include <gtest/gtest.h>

#include <bit>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#define __device__
#include "kernels/reductions.h"

namespace {

// A meeting point for as many threads as each of them says.
class Meeting {
  public:
    void wait(int expected) {
        std::unique_lock lock(mutex_);
        const int round = round_;
        if (++here_ >= expected) {
            here_ = 0;
            ++round_;
            all_here_.notify_all();
            return;
        }
        all_here_.wait(lock, [&] { return round_ != round; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable all_here_;
    int here_ = 0, round_ = 0;
};

template <class Value>
struct Block {
    explicit Block(int threads)
        : size(threads), boxes(threads), exchange(threads), warps((threads + 31) / 32) {}
    int size;
    std::vector<Value> boxes, exchange;
    Meeting barrier;
    std::vector<Meeting> warps;
    int barriers = 0;
};

template <class Value>
struct HostThread {
    using T = Value;
    using Shared = Value*;
    struct {
        unsigned x;
    } blockDim;
    Block<Value>* block;
    int tid;

    void __syncthreads() {
        block->barrier.wait(block->size);
        block->barriers += tid == 0;
    }
    void __syncwarp() { block->warps[tid / 32].wait(std::min(32, block->size - tid / 32 * 32)); }
    Value exchange(unsigned mask, Value value, int source_lane) {
        const int lanes = std::popcount(mask);
        EXPECT_LE(tid / 32 * 32 + std::bit_width(mask), static_cast<unsigned>(block->size));
        EXPECT_TRUE(mask >> (tid % 32) & 1u);
        block->exchange[tid] = value;
        block->warps[tid / 32].wait(lanes);
        const bool partner = source_lane < 32;
        EXPECT_TRUE(!partner || (mask >> source_lane & 1u)) << "lane " << source_lane << " takes no part";
        const Value other = partner ? block->exchange[tid / 32 * 32 + source_lane] : value;
        block->warps[tid / 32].wait(lanes);
        return other;
    }
    Value __shfl_down_sync(unsigned mask, Value value, unsigned offset) {
        return exchange(mask, value, tid % 32 + static_cast<int>(offset));
    }
    Value __shfl_xor_sync(unsigned mask, Value value, unsigned offset) {
        return exchange(mask, value, tid % 32 ^ static_cast<int>(offset));
    }
};

template <class Value>
struct Max {
    Value operator()(Value a, Value b) const { return a > b ? a : b; }
    Value identity() const { return std::is_same_v<Value, float> ? Value(-1e30f) : Value(-2147483647 - 1); }
};
template <class Value>
struct Sum {
    Value operator()(Value a, Value b) const { return a + b; }
    Value identity() const { return 0; }
};

// Runs call(thread, value) in every thread of a block; returns how many barriers it passed.
template <class Value, class Call>
int run(int threads, Call call) {
    Block<Value> block(threads);
    std::vector<std::jthread> pool;
    for (int tid = 0; tid < threads; ++tid) {
        pool.emplace_back([&block, &call, tid, threads] {
            HostThread<Value> thread;
            thread.blockDim.x = threads;
            thread.block = &block;
            thread.tid = tid;
            call(thread);
        });
    }
    pool.clear();
    return block.barriers;
}

template <template <class> class Kernel, class Value>
int expect_right(int threads) {
    std::vector<Value> input(threads);
    for (int i = 0; i < threads; ++i) {
        input[i] = static_cast<Value>((i * 7919 + 13) % 1009 - 1200);
    }
    Value largest = input[0], total = 0;
    for (Value value : input) {
        largest = std::max(largest, value);
        total += value;
    }
    int barriers = 0;
    std::vector<Value> max(threads), sum(threads);
    barriers = run<Value>(threads, [&](HostThread<Value>& thread) {
        Kernel<HostThread<Value>> kernel{thread};
        max[thread.tid] =
            kernel.block_reduce(input[thread.tid], thread.block->boxes.data(), thread.tid, Max<Value>{});
    });
    run<Value>(threads, [&](HostThread<Value>& thread) {
        Kernel<HostThread<Value>> kernel{thread};
        sum[thread.tid] =
            kernel.block_reduce(input[thread.tid], thread.block->boxes.data(), thread.tid, Sum<Value>{});
    });
    for (int i = 0; i < threads; ++i) {
        EXPECT_EQ(max[i], largest) << "thread " << i << " of " << threads;
        EXPECT_EQ(sum[i], total) << "thread " << i << " of " << threads;
    }
    return barriers;
}

using namespace auditorium::kernels;

TEST(Language, EveryCorrectKernelIsRightInEveryThread) {
    for (int threads : {32, 64, 128, 256}) {
        expect_right<ContiguousFull, float>(threads);
        expect_right<InterleavedDivergent, int>(threads);
        expect_right<InterleavedStrided, float>(threads);
        expect_right<ShuffleFirst, int>(threads);
        expect_right<OneBarrier, float>(threads);
        expect_right<ContiguousWarp, int>(threads);
    }
    EXPECT_EQ((expect_right<ContiguousWarp, float>(256)), 5);
    EXPECT_EQ((expect_right<ContiguousFull, float>(256)), 9);
    EXPECT_EQ((expect_right<OneBarrier, int>(96)), 1);
    EXPECT_EQ((expect_right<ShuffleFirst, float>(96)), 2);
    for (int threads : {1, 2, 4, 8, 16}) {
        expect_right<ContiguousFull, float>(threads);
    }
}

TEST(Language, ContiguousAnyIsRightForAnySize) {
    for (int threads = 1; threads <= 70; ++threads) {
        expect_right<ContiguousAny, int>(threads);
    }
    for (int threads : {96, 100, 127, 129, 255, 257}) {
        expect_right<ContiguousAny, float>(threads);
    }
    EXPECT_EQ((expect_right<ContiguousAny, float>(256)), (expect_right<ContiguousWarp, float>(256)));
}

// The clinic compiles too. Its races are undefined on host threads, so only the one that is right by its
// arithmetic alone runs.
TEST(Language, TheClinicCompiles) {
    using Thread = HostThread<float>;
    [[maybe_unused]] auto a = &MissingBarrier<Thread>::block_reduce<Max<float>>;
    [[maybe_unused]] auto b = &BackToBack<Thread>::best_and_spread<Max<float>, Sum<float>>;
    [[maybe_unused]] auto c = &PartialMask<Thread>::block_reduce<Max<float>>;
    [[maybe_unused]] auto d = &MissingSyncwarp<Thread>::block_reduce<Max<float>>;
    [[maybe_unused]] auto e = &DivergentBarrier<Thread>::block_reduce<Max<float>>;

    std::vector<float> result(64);
    run<float>(64, [&](Thread& thread) {
        ZeroIdentity<Thread> kernel{thread};
        result[thread.tid] =
            kernel.block_reduce(-1.0f - thread.tid, thread.block->boxes.data(), thread.tid, Max<float>{});
    });
    EXPECT_EQ(result[0], 0.0f) << "zero wins over negative values: the fault that it shows";
}

}  // namespace
