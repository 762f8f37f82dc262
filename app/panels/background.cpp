#include "app/panels/background.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace auditorium {

struct Background::State {
    mutable std::mutex mutex;
    std::condition_variable wake, rested;
    Job next;
    std::string what;
    Outcome outcome;
    std::atomic<std::uint64_t> asked = 0;  // number of the last job asked for
    std::uint64_t settled = 0;             // number of the last job whose outcome was taken or dropped
    bool stop = false, working = false;
    std::thread thread;

    void work() {
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return stop || next; });
            if (stop)
                return;
            Job job = std::move(next);
            next = nullptr;
            working = true;
            const std::uint64_t mine = asked;
            lock.unlock();
            Outcome result = job([this, mine] { return asked.load() != mine; });
            job = nullptr;
            lock.lock();
            if (asked == mine)
                outcome = std::move(result);
            working = false;
            rested.notify_all();
        }
    }
};

Background::Background() : state_(std::make_unique<State>()) {}

Background::~Background() {
    {
        const std::scoped_lock lock(state_->mutex);
        state_->stop = true;
        ++state_->asked;
    }
    state_->wake.notify_all();
    if (state_->thread.joinable())
        state_->thread.join();
}

void Background::ask(std::string what, Job job) {
    const std::scoped_lock lock(state_->mutex);
    ++state_->asked;
    state_->next = std::move(job);
    state_->what = std::move(what);
    state_->outcome = nullptr;
    if (!state_->thread.joinable())
        state_->thread = std::thread([state = state_.get()] { state->work(); });
    state_->wake.notify_one();
}

void Background::cancel() {
    const std::scoped_lock lock(state_->mutex);
    state_->settled = ++state_->asked;
    state_->next = nullptr;
    state_->outcome = nullptr;
}

void Background::wait() {
    std::unique_lock lock(state_->mutex);
    state_->rested.wait(lock, [this] { return !state_->next && !state_->working; });
}

bool Background::busy() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->settled != state_->asked;
}

std::string Background::what() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->settled != state_->asked ? state_->what : std::string{};
}

bool Background::poll(App& app) {
    Outcome outcome;
    {
        const std::scoped_lock lock(state_->mutex);
        if (!state_->outcome)
            return false;
        outcome = std::exchange(state_->outcome, nullptr);
        state_->settled = state_->asked;
    }
    outcome(app);
    return true;
}

}  // namespace auditorium
