// How a GPU's speed (launch/speed.h) is told: as JSON and as tables.
#include "cli/bench_gpu.h"

#include <fmt/format.h>

#include <optional>

namespace auditorium::cli {
namespace {

constexpr int block_sizes[] = {32, 64, 128, 256, 512, 1024};

// Each call's median over that of the faster of CUB's two at the same size, op and type.
std::optional<double> against_cub(const launch::Speed& speed, const launch::CallTime& call) {
    const double cub = speed.cub_median(call.op, call.type, call.threads);
    return cub > 0 ? std::optional(call.median / cub) : std::nullopt;
}

}  // namespace

Json speed_json(const launch::Speed& speed) {
    Json calls = Json::array(), arrays = Json::array();
    for (const launch::CallTime& call : speed.calls) {
        const auto ratio = against_cub(speed, call);
        calls.push_back({{"what", call.what},
                         {"op", name_of(call.op)},
                         {"type", name_of(call.type)},
                         {"threads", call.threads},
                         {"min_cycles", call.min},
                         {"median_cycles", call.median},
                         {"of_cub", ratio ? Json(*ratio) : Json(nullptr)}});
    }
    const launch::ArrayTime* cub = speed.array(launch::cub_device_reduce);
    for (const launch::ArrayTime& array : speed.arrays) {
        const bool sum = cub && array.what != launch::device_copy && array.median > 0;
        arrays.push_back({{"what", array.what},
                          {"min_ms", array.min},
                          {"median_ms", array.median},
                          {"bytes", array.bytes},
                          {"terabytes_per_second", array.terabytes_per_second()},
                          {"throughput_of_cub", sum ? Json(cub->median / array.median) : Json(nullptr)}});
    }
    return {{"device", speed.device}, {"driver", speed.driver},
            {"cuda", speed.cuda},     {"date", speed.date},
            {"runs", speed.runs},     {"launches_per_run", speed.launches},
            {"calls", calls},         {"array_elements", speed.array_elements},
            {"arrays", arrays}};
}

// For each op and type: a row a contender, a column a size; the median, and how it stands to CUB's.
std::string speed_tables(const launch::Speed& speed) {
    std::string text = fmt::format(
        "{}: cycles of one call in one block, median of {} interleaved runs of {} launches (minimum); "
        "x = of the median of CUB's faster way\n",
        speed.device, speed.runs, speed.launches);
    for (const trace::Type type : {trace::Type::f32, trace::Type::i32})
        for (const trace::Op op : {trace::Op::max, trace::Op::min, trace::Op::sum}) {
            Rows table{{fmt::format("{} of {}", name_of(op), name_of(type))}, {}, {false}};
            for (const int threads : block_sizes) {
                table.head.push_back(fmt::format("{}", threads));
                table.number.push_back(true);
            }
            for (const launch::CallTime& first : speed.calls) {
                if (first.op != op || first.type != type || first.threads != block_sizes[0])
                    continue;
                std::vector<std::string> row{first.what};
                for (const int threads : block_sizes) {
                    const launch::CallTime* call = speed.call(first.what, op, type, threads);
                    const auto ratio = call ? against_cub(speed, *call) : std::nullopt;
                    row.push_back(
                        !call    ? "-"
                        : !ratio ? fmt::format("{:.0f} ({:.0f})", call->median, call->min)
                                 : fmt::format("{:.0f} ({:.0f}) {:.2f}x", call->median, call->min, *ratio));
                }
                table.rows.push_back(std::move(row));
            }
            if (!table.rows.empty())
                text += "\n" + as_text(table);
        }
    if (!speed.arrays.empty()) {
        text += fmt::format("\nA pass over {:.0f} floats\n", speed.array_elements);
        Rows table{{"", "minimum", "median", "TB/s", "of CUB"}, {}, {false, true, true, true, true}};
        const launch::ArrayTime* cub = speed.array(launch::cub_device_reduce);
        for (const launch::ArrayTime& array : speed.arrays)
            table.rows.push_back({array.what == launch::device_copy ? "copy (read and written)" : array.what,
                                  fmt::format("{:.4f} ms", array.min), fmt::format("{:.4f} ms", array.median),
                                  fmt::format("{:.3f}", array.terabytes_per_second()),
                                  cub && array.what != launch::device_copy && array.median > 0
                                      ? fmt::format("{:.3f}", cub->median / array.median)
                                      : ""});
        text += as_text(table);
    }
    return text;
}

}  // namespace auditorium::cli
