#include "cli/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/findings.h"
#include "trace/operands.h"

namespace auditorium::cli {

using trace::Event;
using trace::EventKind;
using trace::StepKind;

namespace {

std::vector<int> active_threads(const trace::Step& step) {
    std::vector<int> threads;
    for (std::size_t t = 0; t < step.pieces.size(); ++t)
        if (!step.pieces[t].empty())
            threads.push_back(int(t));
    return threads;
}

// The box of the n-th access of a kind in a thread's piece.
std::optional<int> box_of(const trace::Trace& trace, const trace::Step& step, int thread, EventKind kind,
                          int n) {
    const trace::Piece piece = step.pieces[std::size_t(thread)];
    for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
        const Event& event = trace.events[std::size_t(thread)][e];
        if (event.kind == kind && n-- == 0)
            return event.arg;
    }
    return std::nullopt;
}

// The boxes of all active threads as one formula of the thread t: "0", "t", "2t + 1", "t / 32"; else which
// they are.
std::string boxes_text(const trace::Trace& trace, const trace::Step& step, EventKind kind, int n) {
    const std::vector<int> threads = active_threads(step);
    std::vector<int> boxes;
    for (const int t : threads) {
        const auto box = box_of(trace, step, t, kind, n);
        if (!box)
            return "";
        boxes.push_back(*box);
    }
    if (boxes.empty())
        return "";
    const auto all = [&](auto formula) {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            if (boxes[i] != formula(threads[i]))
                return false;
        return true;
    };
    if (all([&](int) { return boxes[0]; }))
        return fmt::format("box {}", boxes[0]);
    const int dt = threads[1] - threads[0], db = boxes[1] - boxes[0];
    if (db % dt == 0 && db / dt > 0) {
        const int m = db / dt, c = boxes[0] - m * threads[0];
        if (all([&](int t) { return m * t + c; }))
            return fmt::format("box {}t{}", m == 1 ? "" : fmt::format("{}", m),
                               c > 0   ? fmt::format(" + {}", c)
                               : c < 0 ? fmt::format(" - {}", -c)
                                       : "");
    }
    if (db > 0 && dt % db == 0) {
        const int d = dt / db;
        if (all([&](int t) { return t / d; }))
            return fmt::format("box t / {}", d);
    }
    std::sort(boxes.begin(), boxes.end());
    boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    return fmt::format("one of boxes {}", analysis::list_of(boxes));
}

}  // namespace

std::string phase_text(const trace::Step& step) {
    switch (step.kind) {
        case StepKind::tree:
            return step.stride > 0 ? fmt::format("stride {}", step.stride) : "tree";
        case StepKind::shuffle:
            if (step.offset <= 0)
                return "shuffle";
            return fmt::format("{} by {}", step.exchange ? "exchange" : "shuffle", step.offset);
        case StepKind::other:
            return step.leaves ? "leave" : name_of(step.kind);
        default:
            return name_of(step.kind);
    }
}

std::string threads_text(const trace::Step& step) {
    const std::vector<int> threads = active_threads(step);
    if (threads.size() == step.pieces.size())
        return "all";
    if (threads.size() > 2) {
        const int apart = threads[1] - threads[0];
        bool even = threads[0] == 0 && apart > 1;
        for (std::size_t i = 1; i < threads.size(); ++i)
            even &= threads[i] - threads[i - 1] == apart;
        if (even)
            return fmt::format("every {}{}{}", apart,
                               apart % 10 == 2 && apart != 12   ? "nd"
                               : apart % 10 == 3 && apart != 13 ? "rd"
                                                                : "th",
                               threads.back() + apart < int(step.pieces.size())
                                   ? fmt::format(" up to {}", threads.back())
                                   : "");
    }
    return analysis::list_of(threads);
}

std::string action_text(const trace::Trace& trace, int index) {
    const trace::Step& step = trace.steps[std::size_t(index)];
    const char* op = name_of(trace::op_of_call(trace, step.call));
    const std::string load = boxes_text(trace, step, EventKind::load, 0);
    const std::string second = boxes_text(trace, step, EventKind::load, 1);
    const std::string store = boxes_text(trace, step, EventKind::store, 0);
    switch (step.kind) {
        case StepKind::stage:
            return fmt::format("{} = own value", store.empty() ? "a box" : store);
        case StepKind::publish:
            return fmt::format("{} = register", store.empty() ? "a box" : store);
        case StepKind::handoff:
        case StepKind::broadcast:
            return fmt::format("register = {}", load.empty() ? "a box" : load);
        case StepKind::tree:
            if (load.empty())
                return fmt::format("{} of boxes", op);
            return fmt::format("{} = {}({}, {})", store.empty() ? "register" : store, op,
                               second.empty() ? "register" : load, second.empty() ? load : second);
        case StepKind::shuffle:
            if (step.offset <= 0)
                return fmt::format("register = {}(register, another lane's)", op);
            return fmt::format("register = {}(register, that of lane {} {})", op, step.exchange ? "xor" : "+",
                               step.offset);
        case StepKind::other:
            break;
    }
    std::string text;
    if (!load.empty())
        text += "reads " + load;
    if (!store.empty())
        text += (text.empty() ? "writes " : ", writes ") + store;
    if (step.leaves)
        text += text.empty() ? "returns" : ", then returns";
    return text.empty() ? "-" : text;
}

std::string synchronization_text(const trace::Trace& trace, const analysis::Analysis& analysis, int index) {
    const trace::Step& step = trace.steps[std::size_t(index)];
    if (analysis.steps[std::size_t(index)].barrier_after) {
        const std::size_t number = std::size_t(analysis.steps[std::size_t(index)].barrier);
        const analysis::Barrier& barrier = analysis.barriers[number - 1];
        const std::string short_of =
            barrier.absent.empty()
                ? ""
                : fmt::format(": only {} of {} threads", barrier.arrived, trace.config.block);
        return fmt::format("barrier {} of {}, {}{}", number, analysis.barriers.size(),
                           analysis::places_text(barrier.lines), short_of);
    }
    for (std::size_t t = 0; t < step.pieces.size(); ++t)
        for (std::uint32_t e = step.pieces[t].begin; e < step.pieces[t].end; ++e)
            if (trace.events[t][e].kind == EventKind::syncwarp)
                return "__syncwarp";
    return step.kind == StepKind::shuffle ? "within the warp" : "none";
}

std::string mismatch_text(const analysis::Analysis& analysis) {
    const auto mismatched = std::count_if(analysis.barriers.begin(), analysis.barriers.end(),
                                          [](const analysis::Barrier& b) { return b.mismatch; });
    if (mismatched == 0)
        return "";
    return fmt::format("; {} {} not met by all threads: undefined on a GPU, which may hang", mismatched,
                       mismatched == 1 ? "barrier is" : "barriers are");
}

}  // namespace auditorium::cli
