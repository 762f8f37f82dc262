// The points of the catalogue's kernels and the slots in which the timed kernels keep their stamps.
#include <gtest/gtest.h>

#include <map>

#include "kernels/catalogue.h"
#include "launch/launch.h"
#include "launch/points_of.h"

namespace auditorium::launch {
namespace {

using kernels::Points;

trace::Trace run_of(const kernels::Kernel& kernel, int block) {
    trace::LaunchConfig config;
    config.kernel = kernel.id;
    config.block = block;
    Options options;
    options.device = Device::cpu;
    options.allow_wrong = true;
    const auto trace = run(config, options);
    EXPECT_TRUE(trace) << trace.error().sentence;
    return trace ? *trace : trace::Trace{};
}

// Those for which the program holds code, and others, which are compiled while it runs.
std::vector<int> sizes_of(const kernels::Kernel& kernel) {
    std::vector<int> sizes{32, 64, 128, 256, 512, 1024};
    if (!kernel.correct) {
        sizes.insert(sizes.end(), {kernel.clinic_block, 1, 16, 17, 33, 48, 80, 96, 100, 160, 257, 768, 1000});
    } else if (kernel.sizes == kernels::Sizes::any) {
        for (int block = 1; block < 1024; block += block < 140 ? 1 : 83) {
            sizes.push_back(block);
        }
    } else if (kernel.sizes == kernels::Sizes::multiples_of_32) {
        for (int block = 96; block < 1024; block += 64) {
            sizes.push_back(block);
        }
    } else {
        for (int block = kernel.smallest; block < 32; block *= 2) {
            sizes.push_back(block);
        }
    }
    return sizes;
}

// A stamp is found again by its group and slot alone.
TEST(PointsOfTheCatalogue, HaveASlotEach) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.may_run_on_gpu) {
            continue;
        }
        for (const int block : sizes_of(kernel)) {
            SCOPED_TRACE(std::string(kernel.id) + " " + std::to_string(block));
            const trace::Trace trace = run_of(kernel, block);
            std::map<std::pair<int, int>, int> point_in;
            std::map<int, int> size_of_group;
            for (int warp = 0; warp < trace.warps(); ++warp) {
                for (const auto& [point, event] :
                     points_of(trace.events[static_cast<std::size_t>(warp) * 32])) {
                    const int group = Points::group_of(point), slot = Points::slot_of(point);
                    ASSERT_GE(slot, 0);
                    ASSERT_LT(slot, Points::slots);
                    ASSERT_GE(group, 0);
                    ASSERT_LT(group, Points::groups);
                    const auto [place, is_new] = point_in.insert({{group, slot}, point});
                    EXPECT_EQ(place->second, point) << "two points in slot " << slot << " of group " << group;
                    size_of_group[group] += is_new;
                }
            }
            for (const auto& [group, size] : size_of_group) {
                EXPECT_LE(size, 8) << "group " << group << " reads the clock too often";
            }
        }
    }
}

// From where the kernel returns its step ends: the last point is the return of each warp.
TEST(PointsOfTheCatalogue, EndWithTheReturn) {
    const trace::Trace trace = run_of(*kernels::find("contiguous_warp"), 256);
    for (int warp = 0; warp < trace.warps(); ++warp) {
        const auto& events = trace.events[static_cast<std::size_t>(warp) * 32];
        EXPECT_EQ(points_of(events).back().second, events.size());
        EXPECT_EQ(points_of(events).back().first, points_of(trace.events[0]).back().first);
    }
}

}  // namespace
}  // namespace auditorium::launch
