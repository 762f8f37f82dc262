// At which events of a thread the timed kernels can read the clock: those where a step begins or ends. To
// read it at every load and combine too would cost a kernel half its speed, since short branches then no
// longer become predicates. The kernel and whoever reads its stamps count by this one rule.
#pragma once

#ifdef __CUDACC__
#define AUDITORIUM_BOTH __host__ __device__ constexpr
#else
#define AUDITORIUM_BOTH constexpr
#endif

namespace auditorium::kernels {

// Walks along one thread's events; each function says the number of the point at that event, or no_point.
// Numbers are made so that they do not depend on which branches a thread took before a barrier: with the
// block size known, they are constants of the compiled kernel.
class Points {
  public:
    static constexpr int no_point = -1;

    // No load is a point: it follows a barrier's leave, or stands in a round that no barrier separates from
    // the one before, and how many of those a thread has come by depends on the rounds in which it took part,
    // which would make the numbers of all later points unknown to the compiler. A store that only follows its
    // like, or stands in the middle of a round of the tree, is none either.
    AUDITORIUM_BOTH int load() {
        last_ = Last::load;
        return no_point;
    }
    AUDITORIUM_BOTH int store() {
        const bool point = last_ == Last::load || shuffled_;
        last_ = Last::store;
        return point ? next() : no_point;
    }
    AUDITORIUM_BOTH int combine() {
        last_ = Last::combine;
        return no_point;
    }
    AUDITORIUM_BOTH int shuffle() {
        last_ = Last::shuffle;
        shuffled_ = true;
        return next();
    }
    AUDITORIUM_BOTH int syncwarp() { return next(); }
    AUDITORIUM_BOTH int barrier_arrive() const { return interval_ * stride + stride - 1; }
    AUDITORIUM_BOTH int barrier_leave() {
        ++interval_;
        place_ = 0;
        last_ = Last::nothing;
        shuffled_ = false;
        return interval_ * stride;
    }
    AUDITORIUM_BOTH int end() const { return barrier_arrive(); }

    // A timed kernel with a constant block size reads the clock at the points of one group, about an
    // eighth of them, spread so that neighbours are in different ones. Its stamps lie in slots: no two points
    // of a kernel of the catalogue share group and slot (a test).
    static constexpr int groups = 8, slots = 15;
    static AUDITORIUM_BOTH int group_of(int point) { return code_of(point) % groups; }
    static AUDITORIUM_BOTH int slot_of(int point) { return code_of(point) / groups; }

  private:
    static constexpr int stride = 32;  // points between two barriers, at most
    enum class Last : unsigned char { nothing, load, combine, store, shuffle };

    // 0 to 119. First the points that every interval can have: its begin, one point within, its end.
    static AUDITORIUM_BOTH int code_of(int point) {
        const int interval = point / stride, place = point % stride;
        const int common = place == stride - 1 ? 2 : place;
        return place == stride - 1 || place < 2 ? interval * 3 % 48 + common
                                                : 48 + (interval * 9 + place - 2) % 72;
    }

    AUDITORIUM_BOTH int next() { return interval_ * stride + ++place_; }

    int interval_ = 0, place_ = 0;
    Last last_ = Last::nothing;
    bool shuffled_ = false;
};

}  // namespace auditorium::kernels

#undef AUDITORIUM_BOTH
