#include "app/playback/playback.h"

#include <algorithm>
#include <cmath>

namespace auditorium::playback {
namespace {

constexpr double same = 1e-9;  // two times nearer than this are one

double next_step_end(const Timeline& timeline, double time) {
    for (int number = 0; number <= timeline.last_span(); ++number)
        if (end_of_step(timeline, number) > time + same)
            return end_of_step(timeline, number);
    return timeline.duration;
}

void stop_at(Playback& playback, double time) {
    playback.time = time;
    playback.playing = false;
    playback.stop_at = -1;
}

}  // namespace

void advance(Playback& playback, const Timeline& timeline, double seconds) {
    if (!playback.playing)
        return;
    const double target = playback.time + std::max(0.0, seconds) * playback.speed;
    if (playback.stop_at >= 0 && target >= playback.stop_at) {
        stop_at(playback, std::min(playback.stop_at, timeline.duration));
    } else if (target < timeline.duration) {
        playback.time = target;
    } else if (playback.loop && timeline.duration > 0) {
        playback.time = std::fmod(target, timeline.duration);
    } else {
        stop_at(playback, timeline.duration);
    }
}

void seek(Playback& playback, const Timeline& timeline, double time) {
    playback.time = std::clamp(time, 0.0, timeline.duration);
    playback.stop_at = -1;
}

void step_forward(Playback& playback, const Timeline& timeline) {
    stop_at(playback, next_step_end(timeline, playback.time));
}

void step_back(Playback& playback, const Timeline& timeline) {
    double target = 0;
    for (int number = 0; number <= timeline.last_span(); ++number)
        if (end_of_step(timeline, number) < playback.time - same)
            target = end_of_step(timeline, number);
    stop_at(playback, target);
}

void sub_step_forward(Playback& playback, const Timeline& timeline) {
    for (const Span& span : timeline.spans)
        for (const Beat& beat : span.beats)
            if (beat.end > playback.time + same)
                return stop_at(playback, beat.end);
    stop_at(playback, timeline.duration);
}

void sub_step_back(Playback& playback, const Timeline& timeline) {
    double target = 0;
    for (const Span& span : timeline.spans)
        for (const Beat& beat : span.beats)
            if (beat.end < playback.time - same)
                target = beat.end;
    stop_at(playback, target);
}

void play_to_step_end(Playback& playback, const Timeline& timeline) {
    playback.stop_at = next_step_end(timeline, playback.time);
    playback.playing = true;
}

void first(Playback& playback, const Timeline&) {
    stop_at(playback, 0);
}

void last(Playback& playback, const Timeline& timeline) {
    stop_at(playback, timeline.duration);
}

void toggle(Playback& playback, const Timeline& timeline) {
    if (!playback.playing && playback.time >= timeline.duration - same)
        playback.time = 0;
    playback.playing = !playback.playing;
    playback.stop_at = -1;
}

AtRope at_rope(const trace::Trace& trace, const analysis::Analysis& analysis, int step) {
    const analysis::StepAnalysis& found = analysis.steps[std::size_t(step)];
    const int interval = trace.steps[std::size_t(step)].interval;
    AtRope out;
    for (int row = 0; row < trace.warps(); ++row) {
        const std::uint32_t bit = 1u << row;
        const auto w = std::size_t(row);
        if (w >= found.exited.size() || !found.exited[w])
            out.present |= bit;
        if (w < found.waiting.size() && found.waiting[w])
            out.waiting |= bit;
        if (interval >= 0 && std::size_t(interval) < analysis.barriers.size() &&
            analysis.barriers[std::size_t(interval)].arrival_step[w] >= 0)
            out.arriving |= bit;
    }
    return out;
}

Stand stand_of(const Timeline& timeline, const Moment& moment) {
    const Span& span = timeline.spans[std::size_t(moment.span)];
    if (span.step < 0 || span.beats.empty())
        return Stand::working;
    switch (span.beats[std::size_t(moment.beat)].kind) {
        case BeatKind::wait:
        case BeatKind::hold:
            return Stand::here;
        case BeatKind::drop:
            return Stand::passed;
        default:
            return Stand::working;
    }
}

}  // namespace auditorium::playback
