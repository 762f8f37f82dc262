// What the app does with a GPU: a choice is run there, and "How fast on this GPU" measures. Skipped without
// one.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/panels/panels.h"
#include "headless.h"
#include "launch/launch.h"
#include "runs.h"

namespace auditorium::panels {
namespace {

using namespace std::chrono_literals;

struct OnGpu : testing::Test {
    test::Headless ui;
    App app = make_app(test::record("contiguous_warp", 256), {});
    void SetUp() override {
        const launch::GpuInfo gpu = launch::gpu_info();
        if (!gpu.available)
            GTEST_SKIP() << gpu.reason;
        app.panels->gpu = gpu;
        ui.settle(app);
    }

    // Draws frames all the while; false where the work takes longer than a minute.
    bool wait_until_idle() {
        for (int i = 0; i < 30000; ++i) {
            ui.frame(app);
            if (!app.panels->work.busy())
                return true;
            std::this_thread::sleep_for(2ms);
        }
        return false;
    }
};

TEST_F(OnGpu, AChoiceIsRecordedThere) {
    app.panels->device = launch::Device::gpu;
    ASSERT_TRUE(ui.click(app, "chip.op"));
    ASSERT_TRUE(ui.click(app, "op.sum"));
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.shown.trace.config.op, trace::Op::sum);
    EXPECT_EQ(app.shown.trace.origin.kind, trace::Origin::Kind::gpu);
    EXPECT_EQ(app.shown.trace.origin.device, app.panels->gpu->name);
    EXPECT_FALSE(app.shown.trace.stamps.empty());
    ASSERT_EQ(app.shown.trace.plain_results.size(), 1u);
    EXPECT_EQ(app.shown.trace.plain_results, app.shown.trace.results);
}

TEST_F(OnGpu, MeasuresHowFastItIs) {
    ASSERT_TRUE(ui.click(app, "chip.device"));
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "device.speed"));
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "measure"));
    ASSERT_TRUE(wait_until_idle());
    ASSERT_TRUE(app.panels->speed_here) << (app.notices.empty() ? "" : app.notices.back().text);
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        const auto* call =
            app.panels->speed_here->call("one_barrier", trace::Op::max, trace::Type::f32, threads);
        ASSERT_NE(call, nullptr) << threads;
        EXPECT_GT(call->median, 0) << threads;
    }
    EXPECT_EQ(app.panels->speed_here->device, app.panels->gpu->name);
}

}  // namespace
}  // namespace auditorium::panels
