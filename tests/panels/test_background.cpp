#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/app.h"
#include "app/panels/background.h"

namespace auditorium {
namespace {

using namespace std::chrono_literals;

bool poll_until_idle(Background& work, App& app) {
    for (int i = 0; i < 2000 && work.busy(); ++i) {
        work.poll(app);
        std::this_thread::sleep_for(1ms);
    }
    return !work.busy();
}

TEST(Background, AnOutcomeComesOnThePollersThread) {
    App app;
    Background work;
    std::thread::id ran, told;
    work.ask("counting", [&](const Background::Cancelled&) -> Background::Outcome {
        ran = std::this_thread::get_id();
        return [&](App&) { told = std::this_thread::get_id(); };
    });
    EXPECT_TRUE(work.busy());
    EXPECT_EQ(work.what(), "counting");
    ASSERT_TRUE(poll_until_idle(work, app));
    EXPECT_EQ(told, std::this_thread::get_id());
    EXPECT_NE(ran, told);
    EXPECT_EQ(work.what(), "");
}

// At the end what was asked for is still done, also where it has not begun.
TEST(Background, WaitingSeesTheJobDone) {
    App app;
    Background work;
    work.wait();  // for nothing
    bool done = false, told = false;
    work.ask("saving", [&](const Background::Cancelled&) -> Background::Outcome {
        std::this_thread::sleep_for(50ms);
        done = true;
        return [&](App&) { told = true; };
    });
    work.wait();
    EXPECT_TRUE(done);
    EXPECT_TRUE(work.poll(app));
    EXPECT_TRUE(told);
    EXPECT_FALSE(work.busy());
}

TEST(Background, AskingNeverWaitsAndTheLastWins) {
    App app;
    Background work;
    std::atomic<int> cancelled{0};
    std::vector<int> outcomes;
    std::atomic<bool> first_runs{false};
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) {
        work.ask("job", [&, i](const Background::Cancelled& is_cancelled) -> Background::Outcome {
            first_runs = true;
            if (i < 49) {
                while (!is_cancelled())
                    std::this_thread::sleep_for(1ms);
                ++cancelled;
            }
            return [&, i](App&) { outcomes.push_back(i); };
        });
        while (i == 0 && !first_runs)
            std::this_thread::sleep_for(1ms);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - before, 1s);
    ASSERT_TRUE(poll_until_idle(work, app));
    EXPECT_EQ(outcomes, std::vector<int>{49});
    EXPECT_GE(cancelled, 1);
}

TEST(Background, ACancelledJobSaysNothing) {
    App app;
    Background work;
    bool told = false;
    work.ask("long", [&](const Background::Cancelled& is_cancelled) -> Background::Outcome {
        while (!is_cancelled())
            std::this_thread::sleep_for(1ms);
        return [&](App&) { told = true; };
    });
    work.cancel();
    EXPECT_FALSE(work.busy());
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(work.poll(app));
    EXPECT_FALSE(told);
}

TEST(Background, AnOutcomeThatWasOvertakenBeforeThePollIsDropped) {
    App app;
    Background work;
    std::atomic<bool> finished{false};
    std::vector<int> outcomes;
    work.ask("one", [&](const Background::Cancelled&) -> Background::Outcome {
        finished = true;
        return [&](App&) { outcomes.push_back(1); };
    });
    while (!finished)
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(10ms);
    work.ask("two", [&](const Background::Cancelled&) -> Background::Outcome {
        return [&](App&) { outcomes.push_back(2); };
    });
    ASSERT_TRUE(poll_until_idle(work, app));
    EXPECT_EQ(outcomes, std::vector<int>{2});
}

TEST(Background, LeavingWhileAJobRunsEndsIt) {
    std::atomic<bool> saw{false};
    {
        Background work;
        std::atomic<bool> started{false};
        work.ask("long", [&](const Background::Cancelled& is_cancelled) -> Background::Outcome {
            started = true;
            while (!is_cancelled())
                std::this_thread::sleep_for(1ms);
            saw = true;
            return [](App&) {};
        });
        while (!started)
            std::this_thread::sleep_for(1ms);
    }
    EXPECT_TRUE(saw);
}

}  // namespace
}  // namespace auditorium
