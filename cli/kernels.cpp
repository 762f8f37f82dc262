#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "kernels/catalogue.h"

namespace auditorium::cli {

namespace {

const char* name_of(kernels::Sizes sizes) {
    switch (sizes) {
        case kernels::Sizes::powers_of_two:
            return "powers of two";
        case kernels::Sizes::multiples_of_32:
            return "multiples of 32";
        case kernels::Sizes::any:
            return "every size";
    }
    return "";
}

std::string right_for(const kernels::Kernel& kernel) {
    if (!kernel.correct)
        return "none: wrong on purpose";
    return fmt::format("{}, {} to {}", name_of(kernel.sizes), kernel.smallest, trace::max_block);
}

}  // namespace

Status kernels(bool json) {
    if (json) {
        Json list = Json::array();
        for (const kernels::Kernel& kernel : kernels::all())
            list.push_back(
                {{"id", kernel.id},
                 {"title", kernel.title},
                 {"summary", kernel.summary},
                 {"correct", kernel.correct},
                 {"right_for", right_for(kernel)},
                 {"fault", kernel.correct ? Json(nullptr) : Json(kernel.fault)},
                 {"clinic_block", kernel.correct ? Json(nullptr) : Json(kernel.clinic_block)},
                 {"clinic_input", kernel.clinic_input.empty() ? Json(nullptr) : Json(kernel.clinic_input)},
                 {"may_run_on_gpu", kernel.may_run_on_gpu},
                 {"file", kernel.file}});
        print_json(list);
        return ExitStatus::ok;
    }
    Rows rows{{"id", "right for", "what it shows"}, {}, {false, false, false}};
    for (const kernels::Kernel& kernel : kernels::all())
        rows.rows.push_back({std::string(kernel.id), right_for(kernel),
                             std::string(kernel.correct ? kernel.summary : kernel.fault)});
    print(as_text(rows));
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
