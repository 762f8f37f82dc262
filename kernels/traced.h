// The Thread of the traced kernels: does what the plain one does and records every event of every thread.
//
// Events lie in slots of their own thread, `capacity` for each, so nothing is atomic and the order is the
// thread's own; the count goes on past the capacity, which is how an overflow is seen, but nothing is written
// there. A box is one 8-byte word: the value, and who stored it with which of its events. It is read and
// written as a whole, so a load in a racy kernel names the store that it saw. A barrier is a barrier, a copy
// of the boxes, and a second barrier: without it the copy would race with the stores that come next.
#pragma once

#include "kernels/plain.h"
#include "kernels/recording.h"

namespace auditorium::kernels {

inline constexpr unsigned short no_writer = 0xffff;

__device__ inline unsigned bits_of(float value) {
    return __float_as_uint(value);
}
__device__ inline unsigned bits_of(int value) {
    return static_cast<unsigned>(value);
}
__device__ inline void from_bits(unsigned bits, float& value) {
    value = __uint_as_float(bits);
}
__device__ inline void from_bits(unsigned bits, int& value) {
    value = static_cast<int>(bits);
}

// What a thread of a traced kernel carries along.
struct Recorder {
    Recording to;
    volatile unsigned long long* boxes;  // shared memory: value | writer << 32 | the writer's event << 48
    unsigned threads;
    unsigned tid;
    unsigned events = 0;
    unsigned barriers = 0;

    __device__ __noinline__ void add(RecordKind kind, int line, unsigned arg, unsigned bits,
                                     unsigned flags = 0, unsigned writer = no_writer,
                                     unsigned writer_event = 0, unsigned sent = 0) {
        if (events < to.capacity) {
            Record& r = to.records[tid * to.capacity + events];
            r.kind = kind;
            r.flags = static_cast<unsigned char>(flags);
            r.line = static_cast<unsigned short>(line);
            r.arg = static_cast<unsigned short>(arg);
            r.writer = static_cast<unsigned short>(writer);
            r.writer_event = static_cast<unsigned short>(writer_event);
            r.unused = 0;
            r.bits = bits;
            r.sent = sent;
        }
        ++events;
    }

    __device__ unsigned load(int box, int line) {
        if (box < 0 || box >= static_cast<int>(threads)) {
            add(RecordKind::load, line, clamped(box), 0, no_box | undefined);
            return 0;
        }
        const unsigned long long word = boxes[box];
        const unsigned writer = static_cast<unsigned>(word >> 32) & 0xffff;
        add(RecordKind::load, line, box, static_cast<unsigned>(word), writer == no_writer ? undefined : 0,
            writer, static_cast<unsigned>(word >> 48));
        return static_cast<unsigned>(word);
    }

    __device__ void store(int box, unsigned bits, int line) {
        if (box < 0 || box >= static_cast<int>(threads)) {
            add(RecordKind::store, line, clamped(box), bits, no_box);
            return;
        }
        boxes[box] = bits | static_cast<unsigned long long>(tid) << 32 |
                     static_cast<unsigned long long>(events & 0xffff) << 48;
        add(RecordKind::store, line, box, bits);
    }

    __device__ unsigned clamped(int box) const { return box < 0 ? 0 : threads - 1; }

    // Copies this thread's box; all threads call it between two barriers.
    __device__ void snapshot() {
        if (barriers < to.snapshot_capacity) {
            to.snapshots[barriers * threads + tid] = static_cast<unsigned>(boxes[tid]);
        }
    }

    __device__ void barrier(int line) {
        add(RecordKind::barrier_arrive, line, barriers, 0);
        ::__syncthreads();
        snapshot();
        ::__syncthreads();
        add(RecordKind::barrier_leave, line, barriers, 0);
        ++barriers;
    }

    // A shuffle from `source` of this warp has returned `bits`. Lanes past the block's end take no part.
    __device__ unsigned shuffled(unsigned mask, unsigned sent, unsigned bits, unsigned source, int line) {
        const unsigned lane = tid % 32;
        if (source > 31) {
            add(RecordKind::shuffle, line, lane, sent, no_partner, no_writer, 0, sent);
            return sent;
        }
        const bool takes_part = (mask >> source & 1) && tid - lane + source < threads;
        add(RecordKind::shuffle, line, source, bits, takes_part ? 0 : undefined | bad_mask, no_writer, 0,
            sent);
        return bits;
    }
};

template <class Value>
struct TracedThread {
    using T = Value;

    Recorder* recorder;
    BlockDim<0> blockDim;

    // The line in an index and in a call is the line where it stands in the kernel's file.
    struct Index {
        int value;
        int line;
        __device__ Index(int value, int line = __builtin_LINE()) : value(value), line(line) {}
    };

    class Box {
      public:
        __device__ Box(Recorder* recorder, Index index) : recorder_(recorder), index_(index) {}
        Box(const Box&) = delete;
        __device__ operator T() const {
            T value;
            from_bits(recorder_->load(index_.value, index_.line), value);
            return value;
        }
        __device__ void operator=(T value) const {
            recorder_->store(index_.value, bits_of(value), index_.line);
        }
        __device__ void operator=(const Box& other) const { *this = static_cast<T>(other); }

      private:
        Recorder* recorder_;
        Index index_;
    };

    struct Shared {
        Recorder* recorder;
        __device__ Box operator[](Index index) const { return Box(recorder, index); }
    };

    // Wraps an operation. Arguments come as they stand, so that both are loaded here: left, then right.
    template <class Op>
    struct TracedOp {
        Recorder* recorder;
        Op op;
        template <class A, class B>
        __device__ T operator()(const A& a, const B& b, int line = __builtin_LINE()) const {
            const T left = a;
            const T right = b;
            const T result = op(left, right);
            recorder->add(RecordKind::combine, line, 0, bits_of(result));
            return result;
        }
        __device__ T identity() const { return op.identity(); }
    };

    __device__ void __syncthreads(int line = __builtin_LINE()) const { recorder->barrier(line); }
    __device__ void __syncwarp(int line = __builtin_LINE()) const {
        ::__syncwarp();
        recorder->add(RecordKind::syncwarp, line, 0, 0);
    }
    __device__ T __shfl_down_sync(unsigned mask, T value, unsigned offset,
                                  int line = __builtin_LINE()) const {
        const T other = ::__shfl_down_sync(mask, value, offset);
        return received(mask, value, other, recorder->tid % 32 + offset, line);
    }
    __device__ T __shfl_xor_sync(unsigned mask, T value, unsigned offset, int line = __builtin_LINE()) const {
        const T other = ::__shfl_xor_sync(mask, value, offset);
        return received(mask, value, other, recorder->tid % 32 ^ offset, line);
    }
    __device__ T received(unsigned mask, T value, T other, unsigned source, int line) const {
        T result;
        from_bits(recorder->shuffled(mask, bits_of(value), bits_of(other), source, line), result);
        return result;
    }
};

}  // namespace auditorium::kernels
