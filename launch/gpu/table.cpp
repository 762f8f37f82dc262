#include "launch/gpu/table.h"

namespace auditorium::launch::gpu {

extern const Table contiguous_warp, contiguous_full, interleaved_divergent, interleaved_strided,
    shuffle_first, one_barrier, contiguous_any, missing_barrier, back_to_back, zero_identity, partial_mask,
    missing_syncwarp;

const Table* find_table(std::string_view file) {
    struct Named {
        std::string_view name;
        const Table* table;
    };
    static const Named tables[] = {
        {"contiguous_warp.cuh", &contiguous_warp},
        {"contiguous_full.cuh", &contiguous_full},
        {"interleaved_divergent.cuh", &interleaved_divergent},
        {"interleaved_strided.cuh", &interleaved_strided},
        {"shuffle_first.cuh", &shuffle_first},
        {"one_barrier.cuh", &one_barrier},
        {"contiguous_any.cuh", &contiguous_any},
        {"missing_barrier.cuh", &missing_barrier},
        {"back_to_back.cuh", &back_to_back},
        {"zero_identity.cuh", &zero_identity},
        {"partial_mask.cuh", &partial_mask},
        {"missing_syncwarp.cuh", &missing_syncwarp},
    };
    for (const Named& named : tables) {
        if (named.name == file) {
            return named.table;
        }
    }
    return nullptr;
}

}  // namespace auditorium::launch::gpu
