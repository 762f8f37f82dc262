#include "launch/gpu/table.h"

namespace auditorium::launch::gpu {

extern const Table contiguous_warp_table, contiguous_full_table, interleaved_divergent_table,
    interleaved_strided_table, shuffle_first_table, one_barrier_table, contiguous_any_table,
    missing_barrier_table, back_to_back_table, zero_identity_table, partial_mask_table,
    missing_syncwarp_table;
extern const Timing contiguous_warp_timing, contiguous_full_timing, interleaved_divergent_timing,
    interleaved_strided_timing, shuffle_first_timing, one_barrier_timing, contiguous_any_timing,
    missing_barrier_timing, back_to_back_timing, zero_identity_timing, partial_mask_timing,
    missing_syncwarp_timing;

namespace {

struct Named {
    std::string_view name;
    const Table* table;
    const Timing* timing;
};

const Named* find(std::string_view file) {
    static const Named all[] = {
        {"contiguous_warp.cuh", &contiguous_warp_table, &contiguous_warp_timing},
        {"contiguous_full.cuh", &contiguous_full_table, &contiguous_full_timing},
        {"interleaved_divergent.cuh", &interleaved_divergent_table, &interleaved_divergent_timing},
        {"interleaved_strided.cuh", &interleaved_strided_table, &interleaved_strided_timing},
        {"shuffle_first.cuh", &shuffle_first_table, &shuffle_first_timing},
        {"one_barrier.cuh", &one_barrier_table, &one_barrier_timing},
        {"contiguous_any.cuh", &contiguous_any_table, &contiguous_any_timing},
        {"missing_barrier.cuh", &missing_barrier_table, &missing_barrier_timing},
        {"back_to_back.cuh", &back_to_back_table, &back_to_back_timing},
        {"zero_identity.cuh", &zero_identity_table, &zero_identity_timing},
        {"partial_mask.cuh", &partial_mask_table, &partial_mask_timing},
        {"missing_syncwarp.cuh", &missing_syncwarp_table, &missing_syncwarp_timing},
    };
    for (const Named& named : all) {
        if (named.name == file) {
            return &named;
        }
    }
    return nullptr;
}

}  // namespace

const Table* find_table(std::string_view file) {
    const Named* named = find(file);
    return named ? named->table : nullptr;
}

const Timing* find_timing(std::string_view file) {
    const Named* named = find(file);
    return named ? named->timing : nullptr;
}

}  // namespace auditorium::launch::gpu
