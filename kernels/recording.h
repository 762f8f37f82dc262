// What a traced kernel writes, as the host reads it.
#pragma once

namespace auditorium::kernels {

// As trace::EventKind and trace::Event::Flag; launch checks that they are equal.
enum class RecordKind : unsigned char {
    load,
    store,
    combine,
    shuffle,
    syncwarp,
    barrier_arrive,
    barrier_leave
};
enum RecordFlag : unsigned char { undefined = 1, no_partner = 2, bad_mask = 4, no_box = 8 };

struct Record {
    RecordKind kind;
    unsigned char flags;
    unsigned short line;
    unsigned short arg;
    unsigned short writer;
    unsigned short writer_event;
    unsigned short unused;
    unsigned bits;
    unsigned sent;
};

// Where a traced launch writes; device memory. Index of a record: thread * capacity + place.
struct Recording {
    Record* records;
    unsigned* counts;     // per thread: events, also those that found no slot
    unsigned* snapshots;  // barrier * threads + box
    unsigned capacity;
    unsigned snapshot_capacity;
};

}  // namespace auditorium::kernels
