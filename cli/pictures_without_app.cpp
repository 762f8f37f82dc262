// A build without the app (AUDITORIUM_APP=OFF).
#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/pictures.h"

namespace auditorium::cli {

namespace {
constexpr const char* sentence =
    "This auditorium was built without the app (AUDITORIUM_APP=OFF), so it has no window and draws no "
    "pictures.";
}

PicturesInfo pictures_info() {
    return {false, sentence, "", false};
}
Status render(const RenderOptions&) {
    return fail(ExitStatus::device, sentence);
}
Status storyboard(const std::string&, const std::string&) {
    return fail(ExitStatus::device, sentence);
}
Status window(const WindowOptions&) {
    return fail(ExitStatus::device, sentence);
}
Status claims(Format) {
    return fail(
        ExitStatus::device,
        "This auditorium was built without the app (AUDITORIUM_APP=OFF), which carries the recordings that "
        "claims reads; docs/claims.md has what it would say.");
}
std::vector<BenchRow> bench_app(const BenchOptions&, std::string&) {
    return {not_measured("whole frame, slowest step", "", 0, "This build has no app.")};
}

}  // namespace auditorium::cli
