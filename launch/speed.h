// How fast this GPU is: one call of each reduction in one block beside what libraries offer, and the sum of a
// whole array beside CUB and a plain copy.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/config.h"
#include "trace/error.h"

namespace auditorium::launch {

inline constexpr const char* cub_block_reduce = "cub::BlockReduce";
inline constexpr const char* cub_raking = "cub::BlockReduce, raking";
inline constexpr const char* cooperative_groups_reduce = "cooperative_groups::reduce";
inline constexpr const char* whole_array_sum = "block_reduce";
inline constexpr const char* cub_device_reduce = "cub::DeviceReduce";
inline constexpr const char* device_copy = "copy";

// Cycles of one call in one block, after which every thread has the result; block size and op known at
// compile time. Over all launches of all runs.
struct CallTime {
    std::string what;  // a kernel's id, or one of the names above
    trace::Op op{};
    trace::Type type{};
    int threads = 0;
    double min = 0, median = 0;
};

// A pass over a whole array of floats.
struct ArrayTime {
    std::string what;
    double min = 0, median = 0;  // ms
    double bytes = 0;            // read and written
    double terabytes_per_second() const { return median > 0 ? bytes / median / 1e9 : 0; }
};

struct Speed {
    std::string device, driver, cuda, date;
    int compute_major = 0, compute_minor = 0;
    int runs = 0;               // interleaved: each thing once in each run, in turn
    int launches = 0;           // of each call in each run
    double array_elements = 0;  // floats
    std::vector<CallTime> calls;
    std::vector<ArrayTime> arrays;

    const CallTime* call(std::string_view what, trace::Op op, trace::Type type, int threads) const;
    // The smaller median of CUB's two ways; 0 where neither was measured.
    double cub_median(trace::Op op, trace::Type type, int threads) const;
    const ArrayTime* array(std::string_view what) const;
};

// Measures it. Takes `runs` times about a second and twice 2 GB of the GPU's memory (less where there is not
// so much: then the array is smaller). Status `device` where there is no GPU or it fails.
Expected<Speed> measure_speed(int runs, const std::function<bool()>& cancelled = {});

// The figures that this program carries: an NVIDIA H200's. Empty where it was built without them.
const std::optional<Speed>& recorded_speed();

// A Speed as text, one record a line, values separated by tabs; and back. `name` stands in the sentence of an
// error, whose status is bad_input.
std::string speed_text(const Speed& speed);
Expected<Speed> parse_speed(std::string_view text, const std::string& name);

}  // namespace auditorium::launch
