// Work that must not hold up a frame: one job at a time on a thread of its own, and the last one asked for
// wins. A job that has been overtaken sees `cancelled()` turn true and its outcome is thrown away.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace auditorium {

struct App;

class Background {
  public:
    using Cancelled = std::function<bool()>;
    using Outcome = std::function<void(App&)>;
    // Runs on the thread; what it returns is called by poll() on the caller's thread, unless it was
    // overtaken.
    using Job = std::function<Outcome(const Cancelled&)>;

    Background();
    ~Background();  // cancels and waits
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    void ask(std::string what, Job job);  // `what`: "recording contiguous_warp", shown while it runs
    void cancel();
    void wait();  // until no job is left to do; its outcome is still to be taken
    bool busy() const;
    std::string what() const;  // of the last job asked for, while busy
    bool poll(App& app);       // calls the outcome of a finished job; true if there was one

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace auditorium
