#include "trace/io.h"

// So that the verifier also says where the buffer ends.
#define FLATBUFFERS_TRACK_VERIFIER_BUFFER_SIZE
#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "trace/check.h"
#include "trace/files.h"
#include "trace/input.h"
#include "trace/text.h"
#include "trace/trace_generated.h"

namespace auditorium::trace {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{128} << 20;
constexpr std::size_t max_text = std::size_t{1} << 20;
constexpr std::size_t max_word = 4096;
constexpr std::size_t max_list = 65536;  // stamps, counters, faults

// An event's word: kind in 3 bits, flags in 4, arg in 10, line in 15.
constexpr std::uint32_t pack(const Event& event) {
    const bool has_arg =
        event.kind == EventKind::load || event.kind == EventKind::store || event.kind == EventKind::shuffle;
    return static_cast<std::uint32_t>(event.kind) | std::uint32_t{event.flags} << 3 |
           std::uint32_t{has_arg ? event.arg : std::uint16_t{0}} << 7 | std::uint32_t{event.line} << 17;
}

bool has_bits(EventKind kind) {
    return kind < EventKind::syncwarp;
}

std::vector<std::uint32_t> joined(const std::vector<std::vector<std::uint32_t>>& rows) {
    std::vector<std::uint32_t> all;
    for (const auto& row : rows) {
        all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

tl::unexpected<Error> bad(std::string sentence) {
    return fail(ExitStatus::bad_input, std::move(sentence));
}

Expected<std::string> text_of(const flatbuffers::String* text, const char* what, std::size_t longest) {
    if (text == nullptr) {
        return std::string();
    }
    const std::string_view view(text->c_str(), text->size());
    if (view.size() > longest || !is_text(view)) {
        return bad(fmt::format("its {} is no text of at most {} bytes", what, longest));
    }
    return std::string(view);
}

// Call after call; false: not one word per thread and call.
bool rows_of(const flatbuffers::Vector<std::uint32_t>* words, std::size_t row, std::size_t most,
             std::vector<std::vector<std::uint32_t>>& rows) {
    if (words == nullptr) {
        return true;
    }
    if (words->size() % row != 0 || words->size() / row > most) {
        return false;
    }
    for (std::size_t begin = 0; begin < words->size(); begin += row) {
        rows.emplace_back(words->data() + begin, words->data() + begin + row);
    }
    return true;
}

Expected<void> read_events(const file::Trace& in, Trace& out) {
    const auto block = static_cast<std::size_t>(out.config.block);
    const auto& counts = *in.event_counts();
    const auto& words = *in.events();
    const auto& bits = *in.bits();
    if (counts.size() != block) {
        return bad(fmt::format("it has events of {} threads for a block of {}", counts.size(), block));
    }
    std::size_t total = 0, valued = 0;
    for (auto count : counts) {
        if (count > max_events) {
            return bad(fmt::format("a thread has {} events; at most {} are possible", count, max_events));
        }
        total += count;
    }
    for (auto word : words) {
        valued += has_bits(static_cast<EventKind>(word & 7));
    }
    if (words.size() != total || bits.size() != valued) {
        return bad("its events, their values and their counts do not agree");
    }
    out.events.resize(block);
    flatbuffers::uoffset_t next_word = 0, next_bits = 0;
    for (std::size_t thread = 0; thread < block; ++thread) {
        auto& events = out.events[thread];
        events.resize(counts.Get(static_cast<flatbuffers::uoffset_t>(thread)));
        std::uint32_t value = out.config.values[thread];
        std::uint16_t passed = 0;
        for (Event& event : events) {
            const std::uint32_t word = words.Get(next_word++);
            event.kind = static_cast<EventKind>(word & 7);
            event.flags = static_cast<std::uint8_t>(word >> 3 & 15);
            event.arg = static_cast<std::uint16_t>(word >> 7 & 1023);
            event.line = static_cast<std::uint16_t>(word >> 17);
            event.bits = has_bits(event.kind) ? bits.Get(next_bits++) : 0;
            if (event.kind == EventKind::barrier_arrive) {
                event.arg = passed;
            } else if (event.kind == EventKind::barrier_leave) {
                event.arg = passed++;
            } else if (event.kind == EventKind::shuffle) {
                event.sent = value;
            }
            if (has_bits(event.kind) && event.kind != EventKind::store) {
                value = event.bits;
            }
        }
    }
    if (in.sent() != nullptr) {
        for (const auto* sent : *in.sent()) {
            if (sent->thread() >= block || sent->event() >= out.events[sent->thread()].size() ||
                out.events[sent->thread()][sent->event()].kind != EventKind::shuffle) {
                return bad("a value that was given belongs to no shuffle");
            }
            out.events[sent->thread()][sent->event()].sent = sent->bits();
        }
    }
    if (in.writers() != nullptr) {
        for (const auto* writer : *in.writers()) {
            if (writer->thread() >= block || writer->event() >= out.events[writer->thread()].size() ||
                out.events[writer->thread()][writer->event()].kind != EventKind::load) {
                return bad("a store that was seen belongs to no load");
            }
            Event& load = out.events[writer->thread()][writer->event()];
            load.writer = writer->writer();
            load.writer_event = writer->writer_event();
        }
    }
    return {};
}

// The trace of a verified buffer, not finished. Errors are the second half of a sentence.
Expected<Trace> decode(const file::Trace& in) {
    Trace out;
    const file::Config& config = *in.config();
    const file::Origin& origin = *in.origin();
    const struct {
        const flatbuffers::String* from;
        std::string* to;
        const char* what;
        std::size_t longest;
    } texts[] = {
        {config.kernel(), &out.config.kernel, "kernel's id", max_word},
        {config.input(), &out.config.input, "input", max_input},
        {origin.device(), &out.origin.device, "device", max_word},
        {origin.driver(), &out.origin.driver, "driver", max_word},
        {origin.cuda(), &out.origin.cuda, "CUDA version", max_word},
        {origin.note(), &out.origin.note, "note", max_word},
        {in.date(), &out.date, "date", max_word},
        {in.tool_version(), &out.tool_version, "tool version", max_word},
        {in.source(), &out.source, "kernel text", max_text},
    };
    for (const auto& text : texts) {
        auto read = text_of(text.from, text.what, text.longest);
        if (!read) {
            return tl::unexpected<Error>(read.error());
        }
        *text.to = std::move(*read);
    }
    if (in.source_hash() != hash_of(out.source)) {
        return bad("its kernel text does not have the hash that stands beside it");
    }
    out.config.op = static_cast<Op>(config.op());
    out.config.type = static_cast<Type>(config.type());
    out.config.block = config.block();
    out.config.calls = config.calls();
    out.config.schedule.kind = static_cast<Schedule::Kind>(config.schedule());
    out.config.schedule.seed = config.seed();
    if (out.config.block < 1 || out.config.block > max_block ||
        config.values()->size() != static_cast<std::size_t>(out.config.block)) {
        return bad(fmt::format("it has {} input values for a block of {}; a block has 1 to {} threads",
                               config.values()->size(), out.config.block, max_block));
    }
    out.config.values.assign(config.values()->begin(), config.values()->end());
    if (origin.kind() > file::OriginKind::MAX) {
        return bad("its origin is unknown");
    }
    out.origin.kind = origin.kind() == file::OriginKind::gpu ? Origin::Kind::gpu : Origin::Kind::simulated;
    out.origin.compute_major = origin.compute_major();
    out.origin.compute_minor = origin.compute_minor();
    if (auto ok = read_events(in, out); !ok) {
        return tl::unexpected<Error>(ok.error());
    }
    const auto block = static_cast<std::size_t>(out.config.block);
    std::vector<std::vector<std::uint32_t>> snapshots;
    if (!rows_of(in.snapshots(), block, static_cast<std::size_t>(max_events) + 1, snapshots) ||
        !rows_of(in.results(), block, max_calls, out.results) ||
        !rows_of(in.plain_results(), block, max_calls, out.plain_results) ||
        !rows_of(in.simulated_results(), block, max_calls, out.simulated_results)) {
        return bad("its snapshots or results do not fit its block");
    }
    if (const auto* marks = in.result_undefined()) {
        if (marks->size() != in.results()->size()) {
            return bad("its marks of undefined results do not fit its results");
        }
        for (std::size_t begin = 0; begin < marks->size(); begin += block) {
            out.result_undefined.emplace_back(marks->data() + begin, marks->data() + begin + block);
        }
    }
    for (auto& boxes : snapshots) {
        out.snapshots.push_back({static_cast<int>(out.snapshots.size()), std::move(boxes)});
    }
    if (const auto* cycles = in.cycles()) {
        out.cycles = Cycles{cycles->min(), cycles->median(), cycles->max(), cycles->launches(),
                            cycles->constant_block()};
    }
    if ((in.stamps() && in.stamps()->size() > max_list) ||
        (in.counters() && in.counters()->size() > max_list) ||
        (in.faults() && in.faults()->size() > max_list)) {
        return bad("it has too many stamps, counters or faults");
    }
    if (in.stamps() != nullptr) {
        // The verifier checks where a vector begins, not how its structs are aligned.
        if (reinterpret_cast<std::uintptr_t>(in.stamps()->Data()) % alignof(file::Stamp) != 0) {
            return bad("its stamps are not aligned");
        }
        for (const auto* stamp : *in.stamps()) {
            out.stamps.push_back({stamp->warp(), stamp->event(), stamp->min(), stamp->median(), stamp->max(),
                                  stamp->launches()});
        }
    }
    if (in.counters() != nullptr) {
        for (const auto* counter : *in.counters()) {
            auto metric = text_of(counter->metric(), "counter", max_word);
            if (!metric) {
                return tl::unexpected<Error>(metric.error());
            }
            out.counters.push_back({std::move(*metric), counter->value()});
        }
    }
    if (const auto* lines = in.line_counters()) {
        if (reinterpret_cast<std::uintptr_t>(lines->values()->Data()) % alignof(std::uint64_t) != 0 ||
            lines->metrics()->size() > max_list || lines->lines()->size() > max_list ||
            lines->values()->size() != lines->metrics()->size() * std::size_t{lines->lines()->size()}) {
            return bad("its hardware counts per line do not fit together");
        }
        for (const auto* name : *lines->metrics()) {
            auto metric = text_of(name, "counter", max_word);
            if (!metric) {
                return tl::unexpected<Error>(metric.error());
            }
            out.line_counters.metrics.push_back(std::move(*metric));
        }
        out.line_counters.lines.assign(lines->lines()->begin(), lines->lines()->end());
        out.line_counters.values.assign(lines->values()->begin(), lines->values()->end());
    }
    if (in.faults() != nullptr) {
        for (const auto* fault : *in.faults()) {
            auto text = text_of(fault->text(), "fault", max_word);
            if (!text) {
                return tl::unexpected<Error>(text.error());
            }
            RunFault to;
            to.kind = static_cast<RunFault::Kind>(fault->kind());
            if (fault->threads() != nullptr) {
                to.threads.assign(fault->threads()->begin(), fault->threads()->end());
            }
            if (fault->lines() != nullptr) {
                to.lines.assign(fault->lines()->begin(), fault->lines()->end());
            }
            to.text = std::move(*text);
            out.faults.push_back(std::move(to));
        }
    }
    return out;
}

}  // namespace

Expected<std::string> encode(const Trace& trace) {
    if (auto ok = check(trace); !ok) {
        return tl::unexpected<Error>(ok.error());
    }
    const auto block = static_cast<std::size_t>(trace.config.block);
    std::vector<std::uint16_t> counts;
    std::vector<std::uint32_t> words, bits;
    std::vector<file::Sent> sent;
    std::vector<file::Writer> writers;
    for (std::size_t thread = 0; thread < block; ++thread) {
        const auto& events = trace.events[thread];
        counts.push_back(static_cast<std::uint16_t>(events.size()));
        std::uint32_t value = trace.config.values[thread];
        for (std::size_t at = 0; at < events.size(); ++at) {
            const Event& event = events[at];
            words.push_back(pack(event));
            if (has_bits(event.kind)) {
                bits.push_back(event.bits);
            }
            if (event.kind == EventKind::shuffle && event.sent != value) {
                sent.emplace_back(static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(at),
                                  event.sent);
            }
            if (event.kind == EventKind::load && trace.racy && event.writer != nobody) {
                writers.emplace_back(static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(at),
                                     event.writer, event.writer_event);
            }
            if (has_bits(event.kind) && event.kind != EventKind::store) {
                value = event.bits;
            }
        }
    }
    std::vector<std::uint32_t> snapshots;
    for (const Snapshot& snapshot : trace.snapshots) {
        snapshots.insert(snapshots.end(), snapshot.boxes.begin(), snapshot.boxes.end());
    }

    flatbuffers::FlatBufferBuilder to(1 << 16);
    const auto words_or_none = [&](const std::vector<std::uint32_t>& all) {
        return all.empty() ? flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>>() : to.CreateVector(all);
    };
    const auto text_or_none = [&](const std::string& text) {
        return text.empty() ? flatbuffers::Offset<flatbuffers::String>() : to.CreateString(text);
    };
    // A buffer grows towards its front, so what comes first ends it; read() counts on these being the last.
    const auto values = to.CreateVector(trace.config.values);
    const auto input = to.CreateString(trace.config.input);
    const auto kernel = to.CreateString(trace.config.kernel);
    const auto config = file::CreateConfig(
        to, kernel, static_cast<file::Op>(trace.config.op), static_cast<file::Type>(trace.config.type),
        static_cast<std::uint16_t>(trace.config.block), static_cast<std::uint8_t>(trace.config.calls), input,
        values, static_cast<file::ScheduleKind>(trace.config.schedule.kind), trace.config.schedule.seed);
    const auto origin = file::CreateOrigin(
        to, trace.origin.kind == Origin::Kind::gpu ? file::OriginKind::gpu : file::OriginKind::simulated,
        text_or_none(trace.origin.device), static_cast<std::uint8_t>(trace.origin.compute_major),
        static_cast<std::uint8_t>(trace.origin.compute_minor), text_or_none(trace.origin.driver),
        text_or_none(trace.origin.cuda), text_or_none(trace.origin.note));
    std::vector<file::Stamp> stamps;
    for (const Stamp& stamp : trace.stamps) {
        stamps.emplace_back(stamp.min, stamp.median, stamp.max, stamp.launches,
                            static_cast<std::uint16_t>(stamp.warp), static_cast<std::uint16_t>(stamp.event));
    }
    std::vector<flatbuffers::Offset<file::Counter>> counters;
    for (const Counter& counter : trace.counters) {
        counters.push_back(file::CreateCounter(to, to.CreateString(counter.metric), counter.value));
    }
    std::vector<flatbuffers::Offset<file::Fault>> faults;
    for (const RunFault& fault : trace.faults) {
        const std::vector<std::uint16_t> threads(fault.threads.begin(), fault.threads.end());
        const std::vector<std::uint16_t> lines(fault.lines.begin(), fault.lines.end());
        faults.push_back(file::CreateFault(to, static_cast<file::FaultKind>(fault.kind),
                                           to.CreateVector(threads), to.CreateVector(lines),
                                           to.CreateString(fault.text)));
    }
    const auto date = text_or_none(trace.date);
    const auto tool_version = text_or_none(trace.tool_version);
    const auto source = to.CreateString(trace.source);
    const auto event_counts = to.CreateVector(counts);
    const auto events = to.CreateVector(words);
    const auto event_bits = to.CreateVector(bits);
    const auto all_sent = sent.empty() ? 0 : to.CreateVectorOfStructs(sent);
    const auto all_writers = writers.empty() ? 0 : to.CreateVectorOfStructs(writers);
    const auto all_snapshots = words_or_none(snapshots);
    const auto results = to.CreateVector(joined(trace.results));
    const auto plain = words_or_none(joined(trace.plain_results));
    const auto simulated = words_or_none(joined(trace.simulated_results));
    const auto all_stamps = stamps.empty() ? 0 : to.CreateVectorOfStructs(stamps);
    const auto all_counters = counters.empty() ? 0 : to.CreateVector(counters);
    std::vector<std::uint8_t> marks;
    if (!trace.faults.empty()) {
        for (const auto& call : trace.result_undefined) {
            marks.insert(marks.end(), call.begin(), call.end());
        }
    }
    const auto all_faults = faults.empty() ? 0 : to.CreateVector(faults);
    flatbuffers::Offset<file::LineCounters> line_counters;
    if (!trace.line_counters.empty()) {
        line_counters =
            file::CreateLineCounters(to, to.CreateVectorOfStrings(trace.line_counters.metrics),
                                     to.CreateVector(std::vector<std::uint16_t>(
                                         trace.line_counters.lines.begin(), trace.line_counters.lines.end())),
                                     to.CreateVector(trace.line_counters.values));
    }
    file::Cycles cycles;
    if (trace.cycles) {
        cycles = file::Cycles(trace.cycles->min, trace.cycles->median, trace.cycles->max,
                              trace.cycles->launches, trace.cycles->constant_block);
    }
    file::FinishTraceBuffer(
        to,
        file::CreateTrace(to, file_version, config, origin, date, tool_version, source, hash_of(trace.source),
                          event_counts, events, event_bits, all_sent, all_writers, all_snapshots, results,
                          plain, simulated, trace.cycles ? &cycles : nullptr, all_stamps, all_counters,
                          all_faults, marks.empty() ? 0 : to.CreateVector(marks), line_counters));
    return std::string(reinterpret_cast<const char*>(to.GetBufferPointer()), to.GetSize());
}

Expected<Trace> read(std::string_view bytes, const std::string& name) {
    const auto because = [&](const std::string& why) {
        return bad(fmt::format("The trace file {} cannot be used: {}.", in_quotes(name, 200), why));
    };
    if (bytes.empty()) {
        return because("it is empty");
    }
    if (bytes.size() > max_file_bytes) {
        return because(fmt::format("it is larger than {} MB", max_file_bytes >> 20));
    }
    if (bytes.size() < 8 || bytes.substr(4, 4) != file::TraceIdentifier()) {
        return because("it is no Auditorium trace (*.audit)");
    }
    // FlatBuffers reads in place, so the bytes must be aligned.
    const auto words = std::make_unique<std::uint64_t[]>(bytes.size() / 8 + 1);
    std::memcpy(words.get(), bytes.data(), bytes.size());
    const auto* data = reinterpret_cast<const std::uint8_t*>(words.get());
    flatbuffers::Verifier verifier(data, bytes.size());
    if (!file::VerifyTraceBuffer(verifier)) {
        return because("it is truncated or damaged");
    }
    const file::Trace& in = *file::GetTrace(data);
    if (in.version() > file_version) {
        return because(fmt::format(
            "a newer Auditorium wrote it, in version {} of the format, and this one reads versions up to {}",
            in.version(), file_version));
    }
    if (in.version() == 0) {
        return because("it names no version of the format");
    }
    // The input ends the buffer (see encode), so whatever fields are added later, nothing that belongs to the
    // trace lies behind the last byte that the verifier saw.
    const std::size_t end = verifier.GetComputedSize();
    if (end == 0) {  // the padding behind the last value is cut off
        return because("it is truncated or damaged");
    }
    if (end < bytes.size()) {
        return because(fmt::format("the trace ends after {} bytes, and {} more follow in the file", end,
                                   bytes.size() - end));
    }
    auto trace = decode(in);
    if (!trace) {
        return because(trace.error().sentence);
    }
    auto finished = finish(std::move(*trace));
    if (!finished) {
        std::string why = finished.error().sentence;
        if (why.ends_with('.')) {
            why.pop_back();
        }
        return because(why);
    }
    return finished;
}

Expected<Trace> read(const std::string& path) {
    const auto bytes = read_file(path, max_file_bytes);
    if (!bytes) {
        return tl::unexpected<Error>(bytes.error());
    }
    return read(*bytes, path);
}

Expected<void> write(const Trace& trace, const std::string& path) {
    const auto bytes = encode(trace);
    if (!bytes) {
        return fail(ExitStatus::bad_output, bytes.error().sentence);
    }
    return write_file(path, *bytes);
}

}  // namespace auditorium::trace
