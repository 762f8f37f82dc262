// The kernels' files as they lie in kernels/, byte for byte; defined by a file that the build makes.
#pragma once

#include <string_view>

namespace auditorium::kernels::texts {

extern const std::string_view contiguous_warp, contiguous_full, interleaved_divergent, interleaved_strided,
    shuffle_first, one_barrier, contiguous_any, missing_barrier, back_to_back, zero_identity, partial_mask,
    missing_syncwarp, divergent_barrier;

}  // namespace auditorium::kernels::texts
