// The inspector's card: what a thing is, holds and does now, how its value was folded together, and what is
// wrong with it. Beside the thing, never over it. Hovered it only tells; pinned it can be clicked and tabbed.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/verdict.h"
#include "app/inspector/describe.h"
#include "app/panels/compare_layout.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "app/scene/metrics.h"
#include "app/scene/pick.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

using inspector::Bracket;
using inspector::Description;
using Kind = inspector::Thing::Kind;

std::string short_value(std::uint32_t bits, trace::Type type) {
    return std::string(scene::short_number(bits, type).view());
}

std::string who_of(const Bracket::Row& row) {
    using RowKind = Bracket::Row::Kind;
    switch (row.kind) {
        case RowKind::input:
            return fmt::format("#{}", row.thread);
        case RowKind::constant:
            return "const";
        case RowKind::undefined:
            return "nobody";
        case RowKind::group:
            return fmt::format("+ {} more", row.count);
        case RowKind::lost:
            return row.count > 1 ? fmt::format("{} lost", row.count) : fmt::format("#{}", row.thread);
    }
    return "";
}

std::string value_of(const Bracket::Row& row, trace::Type type) {
    if (row.kind == Bracket::Row::Kind::undefined)
        return "?";
    if (row.kind == Bracket::Row::Kind::lost && row.count > 1)
        return "";
    return short_value(row.bits, type);
}

// How a bracket is set out; x from its left edge, y from the first row's middle.
struct BracketPlan {
    float pitch = 0, who = 0, value = 0, leaves = 0;  // widths of the two columns, and where the lines begin
    float step = 0;                                   // from one level to the next
    float width = 0, height = 0;
    float size = 0;
};

BracketPlan plan_of(const Ui& ui, const Bracket& b, trace::Type type, float room_h, float unit) {
    BracketPlan p;
    p.size = ui.layout.type.small;
    const float rows = float(b.rows.size());
    p.pitch = std::clamp((room_h - p.size * 2.4f) / std::max(1.f, rows), p.size * 1.22f, p.size * 1.8f);
    float joint = 0;
    for (const Bracket::Row& row : b.rows) {
        p.who = std::max(p.who, ui.width(Font::mono, p.size, who_of(row)));
        p.value = std::max(p.value, ui.width(Font::mono_semibold, p.size, value_of(row, type)));
    }
    for (const Bracket::Joint& j : b.joints)
        joint = std::max(joint, ui.width(Font::mono_semibold, p.size * 1.05f,
                                         j.undefined ? std::string("?") : short_value(j.bits, type)));
    p.leaves = p.who + 12 * unit + p.value + 7 * unit;
    p.step = b.ladder ? 13 * unit : joint + 36 * unit;
    const int levels = b.joints.empty() ? 0 : b.joints.back().level;
    p.width = p.leaves + (b.ladder ? p.step * float(levels) + joint + 24 * unit : p.step * float(levels));
    p.height = p.size * 2.4f + p.pitch * rows;
    return p;
}

void dashed(Ui& ui, Point a, Point b, Color color, float width) {
    for (float x = a.x; x < b.x; x += 6)
        ui.line({x, a.y}, {std::min(x + 3.5f, b.x), a.y}, color, width);
}

void draw_bracket(Ui& ui, const Bracket& b, const BracketPlan& p, Point at, trace::Type type, float unit) {
    const scene::Theme& theme = ui.theme;
    const float head = at.y + p.size * 0.7f, top = at.y + p.size * 2.4f + p.pitch / 2;
    ui.text({at.x, head}, b.levels[0], p.size, Font::regular, theme.text3);
    const auto joint_x = [&](int level) { return at.x + p.leaves + p.step * float(level - 1) + 8 * unit; };
    std::vector<float> row_y(b.rows.size()), joint_y(b.joints.size());
    for (std::size_t i = 0; i < b.rows.size(); ++i)
        row_y[i] = top + p.pitch * float(i);
    const auto y_of = [&](int node) {
        return node >= 0 ? row_y[std::size_t(node)] : joint_y[std::size_t(-1 - node)];
    };
    for (std::size_t j = 0; j < b.joints.size(); ++j)
        joint_y[j] = (y_of(b.joints[j].a) + y_of(b.joints[j].b)) / 2;
    // Lines: first all, then the winner's over them.
    const auto out_of = [&](int node) {
        if (node >= 0)
            return at.x + p.leaves;
        const Bracket::Joint& j = b.joints[std::size_t(-1 - node)];
        const float x = joint_x(j.level);
        if (b.ladder)
            return x;
        return x + 13 * unit +
               ui.width(Font::mono_semibold, p.size * 1.05f,
                        j.undefined ? std::string("?") : short_value(j.bits, type)) +
               5 * unit;
    };
    for (const bool winners : {false, true}) {
        for (std::size_t j = 0; j < b.joints.size(); ++j) {
            const Bracket::Joint& joint = b.joints[j];
            const float x = joint_x(joint.level);
            for (const int child : {joint.a, joint.b}) {
                const bool won = joint.won && (child >= 0 ? b.rows[std::size_t(child)].won
                                                          : b.joints[std::size_t(-1 - child)].won);
                if (won != winners)
                    continue;
                const bool undefined =
                    child >= 0 && b.rows[std::size_t(child)].kind == Bracket::Row::Kind::undefined;
                const Color color = won ? theme.champion : undefined ? theme.hazard : theme.edge;
                const float width = won ? 2.2f : 1.3f;
                const float y = y_of(child);
                ui.line({out_of(child), y}, {x, y}, color, width);
                ui.line({x, y}, {x, joint_y[j]}, color, width);
                if (won || j + 1 == b.joints.size() || !b.ladder)
                    ui.line({x, joint_y[j]}, {x + (b.ladder ? p.step : 9 * unit), joint_y[j]}, color, width);
            }
        }
    }
    for (std::size_t i = 0; i < b.rows.size(); ++i) {
        const Bracket::Row& row = b.rows[i];
        const bool lost = row.kind == Bracket::Row::Kind::lost;
        const bool strange = lost || row.kind == Bracket::Row::Kind::undefined;
        const Color color = strange ? theme.hazard : row.won ? theme.champion : theme.text1;
        ui.text({at.x, row_y[i]}, who_of(row), p.size, row.won ? Font::mono_semibold : Font::mono,
                strange   ? theme.hazard
                : row.won ? theme.champion
                          : theme.text2);
        const std::string value = value_of(row, type);
        const Rect slot{at.x + p.leaves - 7 * unit - p.value - 3, row_y[i] - p.pitch * 0.42f, p.value + 6,
                        p.pitch * 0.84f};
        if (lost) {  // an empty slot, and no line into the tree
            for (const float y : {slot.y, slot.y + slot.h})
                if (row.count == 1)
                    dashed(ui, {slot.x, y}, {slot.x + slot.w, y}, theme.hazard, 1.2f);
            dashed(ui, {slot.x + slot.w + 4, row_y[i]}, {slot.x + slot.w + 4 + 24 * unit, row_y[i]},
                   theme.hazard, 1.3f);
            const Point end{slot.x + slot.w + 8 + 28 * unit, row_y[i]};
            ui.line({end.x - 3, end.y - 3}, {end.x + 3, end.y + 3}, theme.hazard, 1.4f);
            ui.line({end.x - 3, end.y + 3}, {end.x + 3, end.y - 3}, theme.hazard, 1.4f);
        }
        if (!value.empty())
            ui.text({at.x + p.leaves - 7 * unit, row_y[i]}, value, p.size,
                    row.won ? Font::mono_semibold : Font::mono, color, Align::right);
    }
    for (std::size_t j = 0; j < b.joints.size(); ++j) {
        const Bracket::Joint& joint = b.joints[j];
        const bool last = j + 1 == b.joints.size();
        if (b.ladder && !last)
            continue;
        const std::string value = joint.undefined ? "?" : short_value(joint.bits, type);
        const Color color = joint.undefined ? theme.hazard : joint.won ? theme.champion : theme.text1;
        const float x = joint_x(joint.level) + (b.ladder ? p.step + 4 : 13 * unit);
        ui.text({x, joint_y[j]}, value, p.size * 1.05f, joint.won || last ? Font::mono_semibold : Font::mono,
                color);
    }
    for (std::size_t level = 1; !b.ladder && level < b.levels.size(); ++level)
        ui.text({joint_x(int(level)) + 13 * unit, head}, b.levels[level], p.size, Font::mono, theme.text3);
}

// A race: is this run wrong or only right by luck, and why neither is proof.
bool wrong(const App& app) {
    return analysis::is_wrong(asked_run(app).analysis);
}

const char* about_luck(const App& app) {
    return wrong(app) ? "This run is wrong: in its order of turns the race does harm. It is one order of "
                        "many, and no "
                        "proof that a GPU ever takes it; others come out right."
                      : "This run is right by luck: in its order of turns the race does no harm. One order "
                        "proves nothing; the rule is broken in every one.";
}

struct NotePlan {
    std::vector<std::string> lines;
    std::vector<std::string> quotes;  // "13  T own = shared[tid];", what is too long in several rows
    std::vector<int> quoted;
    std::vector<std::string> luck;  // of the first race
};

struct FactPlan {
    const Description::Fact* fact = nullptr;
    std::vector<std::string> lines;  // of its text: nothing of it is cut
    bool below = false;              // its name has a row of its own
    float h = 0;
};

// What the card shows, after what has no room was left out.
struct CardPlan {
    std::vector<FactPlan> facts;
    std::vector<std::string> title;
    float title_size = 0;
    bool bracket = false;
    BracketPlan tree;
    std::vector<NotePlan> notes;
    float fact_w = 0, fact_pitch = 0, head = 0, w = 0, h = 0, notes_h = 0, pad = 0;
};

// A line of code in rows of `room`, broken behind a blank or where an operand ends, never in a name or a
// number; the rows after the first stand under its code.
std::vector<std::string> quote_rows(const Ui& ui, int line, std::string_view code, float size, float room) {
    std::vector<std::string> rows;
    const std::string indent(5, ' ');
    std::string row = fmt::format("{:>3}  ", line);
    const auto in_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    bool begun = false;
    for (std::size_t i = 0; i < code.size();) {
        std::size_t end = i + 1;
        while (end < code.size() && (code[end] == ' ' || (in_word(code[end]) && in_word(code[end - 1]))))
            ++end;
        const std::string token(code.substr(i, end - i));
        const std::string bare = token.substr(0, token.find_last_not_of(' ') + 1);
        if (begun && ui.width(Font::mono, size, row + bare) > room) {
            rows.push_back(row.substr(0, row.find_last_not_of(' ') + 1));
            row = indent + "  ";
        }
        row += token;
        begun = true;
        i = end;
    }
    rows.push_back(row);
    return rows;
}

float quote_size(const Ui& ui) {
    return std::max(9.f, ui.layout.type.small * 0.92f);
}

// Of two halves the title says which.
std::string title_of(const App& app, const Description& asked) {
    if (!app.view.compare)
        return asked.title;
    return fmt::format("{} · {}", asked.title, app.view.asked_side() == 0 ? "left" : "right");
}

// What was asked for on a pinned card, done once the card stands.
struct Followed {
    std::vector<int> lines;
    bool other_run = false;
};

// Lines lead to the code panel and the button to another run. Both belong to the single view: out of two
// halves they lead there first, to the side that the card is about and at the same moment.
void follow(App& app, const Followed& link) {
    if (link.lines.empty() && !link.other_run)
        return;
    if (app.view.compare)
        show_alone(app, app.view.asked_side());
    if (link.other_run)
        show_other_run(app);
    else
        mark_lines(app, link.lines);
}

// level: 0 everything, then ever less. `sentences`: how wide they are at least.
CardPlan plan_card(const App& app, Ui& ui, const Description& asked, bool pinned, float room_w, float room_h,
                   int level, float sentences) {
    const Type& type = ui.layout.type;
    const float unit = type.label / 13;
    const Shown& shown = asked_run(app);
    CardPlan p;
    p.pad = (level >= 3 ? 10 : 15) * unit;
    p.head = type.display * 1.75f;
    p.fact_pitch = type.label * (level >= 2 ? 1.4f : level == 1 ? 1.6f : 1.85f);
    const std::size_t most_facts = level >= 5 ? 3 : level >= 4 ? 5 : 16;
    float widest = 0;
    for (const Description::Fact& fact : asked.facts) {
        if ((fact.on_demand && !pinned) || p.facts.size() >= most_facts)
            continue;
        p.facts.push_back({&fact, {}, false, p.fact_pitch});
        widest = std::max(widest, ui.width(Font::regular, type.label, fact.name) + 22 * unit +
                                      ui.width(Font::medium, type.label, fact.text));
    }
    std::string value;
    if (asked.value == Description::Value::bits)
        value = scene::exact_number(asked.bits, asked_run(app).trace.config.type);
    else if (asked.value == Description::Value::never_written)
        value = "never written";
    else if (asked.value == Description::Value::undefined)
        value = "?";
    const float title = ui.width(Font::semibold, type.display, title_of(app, asked)) + 16 * unit +
                        (value.empty() ? 0 : ui.width(Font::mono_semibold, type.display, value)) +
                        (pinned ? type.display + 20 : 0);
    p.fact_w = std::min(std::max({widest, title, 190 * unit}), room_w - 2 * p.pad);
    // A long title gets smaller, then a second row.
    p.title = {title_of(app, asked)};
    p.title_size = type.display;
    const float value_w = value.empty() ? 0 : ui.width(Font::mono_semibold, type.display, value);
    const float title_room = p.fact_w - value_w - (pinned ? type.display * 0.95f + 16 : 0) - 8;
    while (p.title_size > type.label && ui.width(Font::semibold, p.title_size, p.title[0]) > title_room)
        p.title_size -= 0.5f;
    p.title = ui.wrap(Font::semibold, p.title_size, p.title[0], title_room);
    p.head += float(p.title.size() - 1) * p.title_size * 1.25f;
    float facts_h = p.head;
    for (FactPlan& plan : p.facts) {
        const float name = ui.width(Font::regular, type.label, plan.fact->name);
        const float room = p.fact_w - name - 12;
        plan.lines = {plan.fact->text};
        if (ui.width(Font::medium, type.label, plan.fact->text) > room) {
            plan.below = room < p.fact_w * 0.4f;
            plan.lines = ui.wrap(Font::medium, type.label, plan.fact->text, plan.below ? p.fact_w : room);
            plan.h += float(plan.lines.size() - (plan.below ? 0 : 1)) * type.label * 1.35f;
        }
        facts_h += plan.h;
    }
    p.w = p.fact_w + 2 * p.pad;
    p.h = facts_h;
    if (asked.bracket && asked.bracket->rows.size() > 1 && level < 3) {
        p.tree = plan_of(ui, *asked.bracket, shown.trace.config.type,
                         std::max(facts_h, room_h * (level == 0 ? 0.45f : 0.3f)), unit);
        const float width = p.w + 2 * p.pad + p.tree.width;
        if (width <= room_w) {
            p.bracket = true;
            p.w = width;
            p.h = std::max(p.h, p.tree.height + 4);
        }
    }
    const std::size_t most_notes = level >= 4 ? 1 : level >= 2 ? 2 : 3;
    if (!asked.notes.empty())
        p.w = std::min(room_w, std::max(p.w, sentences * unit));
    for (std::size_t n = 0; n < std::min(asked.notes.size(), most_notes); ++n) {
        NotePlan note;
        note.lines = ui.wrap(Font::regular, type.small, asked.notes[n].text, p.w - 2 * p.pad - 22 * unit);
        for (const int line : asked.notes[n].lines)
            if (note.quoted.size() < 2 && line > 0 && level < 5) {
                for (std::string& row :
                     quote_rows(ui, line, trace::trimmed(trace::source_line(shown.trace, line)),
                                quote_size(ui), p.w - 2 * p.pad - 32 * unit))
                    note.quotes.push_back(std::move(row));
                note.quoted.push_back(line);
            }
        const int f = asked.notes[n].finding;
        const bool race = f >= 0 && shown.analysis.findings[std::size_t(f)].rule == analysis::Rule::race;
        const bool first = std::none_of(p.notes.begin(), p.notes.end(),
                                        [](const NotePlan& other) { return !other.luck.empty(); });
        // Where something else is at fault the order of turns does not decide.
        const kernels::Kernel* kernel = kernels::find(shown.trace.config.kernel);
        const bool size_fits = !kernel || kernels::why_not(*kernel, shown.trace.config.block).empty();
        const bool decided = analysis::explained_without_race(shown.analysis, size_fits);
        if (race && first && !decided && level < 4) {
            note.luck = ui.wrap(Font::regular, type.small, about_luck(app), p.w - 2 * p.pad - 22 * unit);
            p.notes_h +=
                6 * unit + float(note.luck.size()) * type.small * 1.4f + (pinned ? type.small * 2.4f : 0);
        }
        p.notes_h += 8 * unit + float(note.lines.size()) * type.small * 1.4f +
                     (note.quotes.empty() ? 0 : 5 * unit + float(note.quotes.size()) * type.small * 1.5f);
        p.notes.push_back(std::move(note));
    }
    p.h += 2 * p.pad + p.notes_h + (p.notes_h > 0 ? 4 * unit : 0);
    // Where sentences make the card broader than its facts, these take the breadth.
    p.fact_w = p.w - 2 * p.pad - (p.bracket ? 2 * p.pad + p.tree.width : 0);
    return p;
}

// A place for a card, and what speaks against it.
struct Place {
    Rect card;
    int cut = 0;        // words of the scene that it covers in part
    bool over = false;  // it lies on the thing itself
    float table = 0;    // so deep it lies on the council table
};

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

// Beside the anchor, inside the room, never over the anchor where that can be helped. `words` of the scene
// are covered wholly or not at all: where the places beside the anchor cut some, the nearest one that cuts
// none. Of the council table as little as can be.
Place place_card(const Rect& room, const Rect& anchor, float w, float h, const std::vector<Rect>& words,
                 const Rect& table) {
    constexpr float gap = 14, clear = 5, broad = 60;
    const auto judged = [&](float x, float y) {
        Place out;
        out.card = {std::round(std::clamp(x, room.x, std::max(room.x, room.x + room.w - w))),
                    std::round(std::clamp(y, room.y, std::max(room.y, room.y + room.h - h))), w, h};
        out.over = overlap(out.card, anchor);
        const Rect around{out.card.x - clear + 1, out.card.y - clear + 1, w + 2 * clear - 2,
                          h + 2 * clear - 2};
        for (const Rect& word : words)
            out.cut += overlap(around, word) && !out.card.holds(word);
        if (table.w > 0) {
            const Point c{table.x + table.w / 2, table.y + table.h / 2};
            const float dx = c.x - std::clamp(c.x, out.card.x, out.card.x + w);
            const float dy = c.y - std::clamp(c.y, out.card.y, out.card.y + h);
            out.table = std::max(0.f, table.w / 2 - std::hypot(dx, dy));
        }
        return out;
    };
    const float right = anchor.x + anchor.w + gap, left = anchor.x - gap - w;
    const float below = anchor.y + anchor.h + 6, above = anchor.y - 6 - h;
    Place best = judged(right, below);
    const Point wish{best.card.x, best.card.y};
    const auto score = [&](const Place& p) {
        return float(p.over) * 1e6f + float(p.cut) * 1e4f + p.table * 40 + std::abs(p.card.x - wish.x) +
               std::abs(p.card.y - wish.y);
    };
    const auto consider = [&](const Place& p) {
        if (score(p) < score(best))
            best = p;
    };
    for (const auto& [x, y] : {std::pair{left, below}, std::pair{right, above}, std::pair{left, above},
                               std::pair{anchor.x, below}, std::pair{anchor.x, above}}) {
        if (!best.over && best.cut == 0 && best.table <= 0)
            return best;
        const Place p = judged(x, y);
        if (p.over < best.over || (p.over == best.over && p.cut < best.cut))
            best = p;
    }
    if (!best.over && best.cut == 0 && best.table <= 0)
        return best;
    std::vector<float> xs{left, right, anchor.x, room.x, room.x + room.w - w};
    std::vector<float> ys{above, below, room.y, room.y + room.h - h, anchor.y + anchor.h / 2 - h / 2};
    for (const Rect& word : words) {
        if (word.w < broad)
            continue;  // tags, in one column
        xs.insert(xs.end(), {word.x + word.w + clear, word.x - w - clear});
        ys.insert(ys.end(), {word.y + word.h + clear, word.y - h - clear});
    }
    if (table.w > 0)
        xs.insert(xs.end(), {table.x - w - clear, table.x + table.w + clear});
    for (const float x : xs)
        for (const float y : ys)
            consider(judged(x, y));
    return best;
}

void draw_pin(Ui& ui, Point c, float size) {
    ui.disc({c.x, c.y - size * 0.25f}, size * 0.38f, ui.theme.work);
    ui.line({c.x, c.y}, {c.x, c.y + size * 0.6f}, ui.theme.work, 1.6f);
}

// A link: where it leads is marked in the code panel.
bool link(Ui& ui, const std::string& name, Rect r, bool pinned) {
    if (!pinned)
        return false;
    const Press press = ui.press(name, r);
    if (press.hovered)
        ui.fill(r, ui.theme.panel, 4);
    if (press.focused)
        ui.focus_ring(r, 4);
    return press.pressed;
}

void draw_facts(Ui& ui, const CardPlan& p, Point at, bool links, Followed& followed) {
    const Type& type = ui.layout.type;
    float y = at.y + p.fact_pitch / 2;
    const float row = type.label * 1.35f;
    for (std::size_t i = 0; i < p.facts.size(); ++i) {
        const FactPlan& plan = p.facts[i];
        const Description::Fact& fact = *plan.fact;
        float text = 0;
        for (const std::string& line : plan.lines)
            text = std::max(text, ui.width(Font::medium, type.label, line));
        float line_y = y + (plan.below ? row : 0);
        const Rect r{at.x + p.fact_w - text - 5, line_y - p.fact_pitch * 0.46f, text + 10,
                     p.fact_pitch * 0.92f + row * float(plan.lines.size() - 1)};
        const bool leads = !fact.lines.empty();
        if (leads && link(ui, fmt::format("inspect.fact.{}", i), r, links))
            followed.lines = fact.lines;
        ui.text({at.x, y}, fact.name, type.label, Font::regular, ui.theme.text2);
        for (const std::string& line : plan.lines) {
            const float width = ui.width(Font::medium, type.label, line);
            const float x = at.x + p.fact_w - width;
            ui.text({x, line_y}, line, type.label, Font::medium, ui.theme.text1);
            if (leads)
                ui.line({x, line_y + type.label * 0.62f}, {x + width, line_y + type.label * 0.62f},
                        ui.theme.work, 1);
            line_y += row;
        }
        y += plan.h;
    }
}

void draw_notes(const App& app, Ui& ui, const Description& of, const CardPlan& p, Point at, float width,
                bool links, Followed& followed) {
    const Type& type = ui.layout.type;
    const float unit = type.label / 13, pitch = type.small * 1.4f;
    float y = at.y;
    for (std::size_t n = 0; n < p.notes.size(); ++n) {
        const NotePlan& note = p.notes[n];
        y += 8 * unit;
        draw_tick(ui, of.notes[n].kind, {at.x + 6 * unit, y + pitch / 2}, 11 * unit);
        for (const std::string& line : note.lines) {
            ui.text({at.x + 22 * unit, y + pitch / 2}, line, type.small, Font::regular, ui.theme.text1);
            y += pitch;
        }
        const auto luck = [&] {
            if (note.luck.empty())
                return;
            y += 6 * unit;
            for (const std::string& line : note.luck) {
                ui.text({at.x + 22 * unit, y + pitch / 2}, line, type.small, Font::regular, ui.theme.text2);
                y += pitch;
            }
            if (!links)
                return;
            const bool busy = app.panels->work.busy();
            const std::string label = busy         ? "Looking for it ..."
                                      : wrong(app) ? "Show a run that is right"
                                                   : "Show a run that is wrong";
            const Rect r{at.x + 22 * unit, y + type.small * 0.35f,
                         ui.width(Font::medium, type.label, label) + 24 * unit, type.small * 1.95f};
            if (ui.button("inspect.run", r, label, true, !busy))
                followed.other_run = true;
            y += type.small * 2.4f;
        };
        if (note.quotes.empty()) {
            luck();
            continue;
        }
        y += 5 * unit;
        const float row = type.small * 1.5f;
        const Rect r{at.x + 18 * unit, y - 2, width - 18 * unit, row * float(note.quotes.size()) + 4};
        if (link(ui, fmt::format("inspect.note.{}", n), r, links))
            followed.lines = note.quoted;
        ui.fill({r.x, r.y, 3, r.h},
                of.notes[n].kind == inspector::Trouble::conflict ? ui.theme.conflict_line : ui.theme.hazard,
                1);
        for (const std::string& quote : note.quotes) {
            ui.text({r.x + 10 * unit, y + row / 2}, quote, quote_size(ui), Font::mono, ui.theme.text1,
                    Align::left, r.w - 12 * unit, true);
            y += row;
        }
        luck();
    }
}

}  // namespace

void mark_lines(App& app, const std::vector<int>& lines) {
    app.view.marked_lines = lines;
    app.view.show_code = true;
    app.panels->code_scroll = 0;
    app.panels->marked_span = playback::moment_at(app.shown.timeline, app.playback.time).span;
}

void inspector_card(App& app, Ui& ui) {
    const App::Panels& state = *app.panels;
    if (!state.asked.description || !app.view.asked())
        return;
    const Description& asked = *state.asked.description;
    const bool pinned = app.view.pin.has_value();
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float unit = type.label / 13;
    const std::size_t side = std::size_t(app.view.asked_side());
    const scene::Scene& around = app.view.compare ? state.compare.scene[side] : state.scene;
    const Rect scene = app.view.compare ? compare_layout(app.view).scene[side] : ui.layout.scene;
    const Rect room{scene.x + 10, scene.y + 6, scene.w - 20, scene.h - 14};
    std::optional<Rect> thing;  // where it is
    if (asked.thing.kind == Kind::step && state.timeline_area.w > 0 && !app.view.compare)
        thing = Rect{state.width.x + state.width.timeline.segments[std::size_t(asked.thing.index)].x0,
                     state.timeline_area.y, 40, state.timeline_area.h};
    else
        thing = scene::place_of(around, asked.thing);
    if (!thing && (asked.thing.kind == Kind::note || asked.thing.kind == Kind::ray))
        thing = scene::place_of(around, {Kind::thread, asked.thing.index, -1});
    else if (!thing && asked.thing.kind == Kind::ticket)
        thing = scene::place_of(around, {Kind::bank, asked.thing.index, -1});
    std::vector<Rect> scene_words = around.words;
    for (Rect& word : scene_words)
        word = scene::in_window(around, word);
    const Rect table = around.table.w > 0 ? scene::in_window(around, around.table) : Rect{};
    // With everything that there is room for; of another width, then closer set and with less, where only
    // that cuts no words.
    CardPlan plan;
    Place place;
    bool found = false;
    const auto good = [&] { return found && !place.over && place.cut == 0; };
    for (int level = 0; level <= 5 && !good(); ++level) {
        for (const float sentences : {330.f, 240.f, 430.f}) {
            if (good() || (sentences != 330 && asked.notes.empty()))
                continue;
            CardPlan tried = plan_card(app, ui, asked, pinned, room.w, room.h, level, sentences);
            if (tried.h > room.h && level < 5)
                continue;
            const Rect anchor = thing.value_or(Rect{room.x + room.w - tried.w - 14, room.y, 0, 0});
            const Place at = place_card(room, anchor, std::min(tried.w, room.w), std::min(tried.h, room.h),
                                        scene_words, table);
            if (!found || at.over < place.over || (at.over == place.over && at.cut < place.cut)) {
                plan = std::move(tried);
                place = at;
                found = true;
            }
        }
    }
    const Rect card{place.card.x, place.card.y, std::ceil(place.card.w), std::ceil(place.card.h)};

    ImGui::SetNextWindowPos({card.x - 4, card.y - 4});  // with room for rings and lines at the edge
    ImGui::SetNextWindowSize({card.w + 8, card.h + 8});
    ImGui::Begin("##inspector", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav | (pinned ? 0 : ImGuiWindowFlags_NoInputs));
    ui.list = ImGui::GetWindowDrawList();
    app.panels->asked.card = card;
    ui.fill(card, theme.raised, 10);
    ui.outline(card, pinned ? theme.focus : theme.text3, 10, pinned ? 2.f : 1.3f);
    ui.clip(card);
    const float x = card.x + plan.pad;
    const float title_y = card.y + plan.pad + type.display * 0.5f;
    // The pin and a cross to let go stand before the value.
    float right = x + plan.fact_w;
    if (pinned) {
        const float side = type.display * 0.95f;
        const Rect close{right - side + 4, title_y - side / 2, side, side};
        const Press press = ui.press("inspect.close", close);
        ui.says(press, close, "Let go (Esc)");
        if (press.hovered)
            ui.fill(close, theme.panel, 5);
        const Point c{close.x + side / 2, close.y + side / 2};
        ui.line({c.x - 4, c.y - 4}, {c.x + 4, c.y + 4}, theme.text2, 1.6f);
        ui.line({c.x - 4, c.y + 4}, {c.x + 4, c.y - 4}, theme.text2, 1.6f);
        if (press.focused)
            ui.focus_ring(close, 5);
        if (press.pressed)
            app.view.pin.reset();
        right -= side + 2;
        draw_pin(ui, {right - 2, title_y}, type.display * 0.6f);
        right -= 14;
    }
    std::string value;
    const bool strange = asked.value == Description::Value::undefined;
    if (asked.value == Description::Value::bits)
        value = scene::exact_number(asked.bits, asked_run(app).trace.config.type);
    else if (strange)
        value = "?";
    else if (asked.value == Description::Value::never_written)
        value = "never written";
    const bool words = asked.value == Description::Value::never_written;
    const float value_size = words ? type.label : type.display;
    float line_y = title_y;
    for (const std::string& line : plan.title) {
        ui.text({x, line_y}, line, plan.title_size, Font::semibold, theme.text1);
        line_y += plan.title_size * 1.25f;
    }
    if (!value.empty())
        ui.text({right, title_y}, value, value_size, words ? Font::regular : Font::mono_semibold,
                strange || words ? theme.hazard : theme.text1, Align::right);
    const float rule_y = card.y + plan.pad + plan.head - type.display * 0.45f;
    ui.line({x, rule_y}, {x + plan.fact_w, rule_y}, theme.edge, 1);
    Followed followed;
    draw_facts(ui, plan, {x, card.y + plan.pad + plan.head}, pinned, followed);
    const float body_h = plan.h - 2 * plan.pad - plan.notes_h - (plan.notes_h > 0 ? 4 * unit : 0);
    if (plan.bracket) {
        const float bx = x + plan.fact_w + plan.pad;
        ui.line({bx, card.y + plan.pad}, {bx, card.y + plan.pad + body_h}, theme.edge, 1);
        draw_bracket(ui, *asked.bracket, plan.tree, {bx + plan.pad, card.y + plan.pad},
                     asked_run(app).trace.config.type, unit);
    }
    if (!plan.notes.empty()) {
        const float y = card.y + plan.pad + body_h + 4 * unit;
        ui.line({x, y}, {card.x + card.w - plan.pad, y}, theme.edge, 1);
        draw_notes(app, ui, asked, plan, {x, y}, card.w - 2 * plan.pad, pinned, followed);
    }
    ui.unclip();
    ImGui::End();
    follow(app, followed);
}

}  // namespace auditorium::panels
