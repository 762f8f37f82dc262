// Why two results differ: the two orders of folding, each as a tree in short form, side by side.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "app/panels/compare_view.h"
#include "app/panels/narration.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

using Node = analysis::OrderTree::Node;

std::string value_of(const Node& node, trace::Type type) {
    return node.undefined ? "?" : trace::value_text(node.bits, type);
}

// Which inputs a leaf stands for, and what it came to.
std::string inputs_of(const Node& node) {
    if (node.constant)
        return "a constant";
    if (node.inputs.empty())
        return "nothing";
    return threads_text(node.inputs);
}

const char* sign_of(trace::Op op) {
    return op == trace::Op::sum ? "+" : trace::name_of(op);
}

void tree(Ui& ui, Rect r, const analysis::OrderTree& tree, const trace::LaunchConfig& config) {
    const scene::Theme& theme = ui.theme;
    const Type& type = ui.layout.type;
    if (tree.nodes.empty()) {
        ui.text({r.x + r.w / 2, r.y + r.h / 2}, "This side has no result.", type.label, Font::regular,
                theme.text2, Align::centre);
        return;
    }
    // A level less where the leaves would not have their room.
    int deepest = 0;
    for (const Node& node : tree.nodes)
        deepest = std::max(deepest, node.level);
    const float box_h = type.label * 2.1f;
    int levels = deepest;
    while (levels > 1 &&
           (r.w / float(1 << levels) < 74 || r.h / float(levels + 1) < box_h + type.small * 2.4f))
        --levels;
    const float pitch = std::min(r.h / float(levels + 1), 132.f);
    std::function<void(int, float, float, Point)> draw = [&](int at, float x0, float x1, Point parent) {
        const Node& node = tree.nodes[std::size_t(at)];
        const bool leaf = node.leaf() || node.level == levels;
        const Point c{(x0 + x1) / 2, r.y + box_h / 2 + pitch * float(node.level)};
        if (node.level > 0)
            ui.line({parent.x, parent.y + box_h / 2}, {c.x, c.y - box_h / 2}, theme.edge, 1.4f);
        if (!leaf) {
            draw(node.left, x0, c.x, c);
            draw(node.right, c.x, x1, c);
        }
        const float room = x1 - x0 - 8;
        const std::string value = value_of(node, config.type);
        float size = type.label;
        while (size > 10 && ui.width(Font::mono_semibold, size, value) > room - 10)
            size -= 0.5f;
        const float w = std::min(room, ui.width(Font::mono_semibold, size, value) + 18);
        const bool off = node.ulp && *node.ulp != 0;
        const Rect box{c.x - w / 2, c.y - box_h / 2, w, box_h};
        ui.fill(box, node.level == 0 ? theme.work_soft : theme.raised, 6);
        ui.outline(box, off ? theme.rope : theme.edge, 6, off ? 1.6f : 1.f);
        ui.text(c, value, size, Font::mono_semibold, theme.text1, Align::centre, w - 4, true);
        float y = c.y + box_h / 2 + type.small * 0.75f;
        if (!leaf)
            ui.text({c.x, y}, sign_of(config.op), type.label, Font::semibold, theme.text2, Align::centre);
        else
            ui.text({c.x, y}, inputs_of(node), type.small, Font::regular, theme.text2, Align::centre, room,
                    true);
        // Off the exact sum of its inputs, rounded.
        if (off) {
            y += type.small * 1.25f;
            const std::string far = fmt::format("{} ULP", *node.ulp);
            if (ui.width(Font::regular, type.small, far) < room)
                ui.text({c.x, y}, far, type.small, Font::regular, theme.rope_text, Align::centre);
        }
    };
    draw(0, r.x, r.x + r.w, {});
}

}  // namespace

void trees_dialog(App& app, Ui& ui) {
    const Compared& c = *app.compared;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float vw = float(app.view.width), vh = float(app.view.height);
    const float height = std::min(vh - 16, 132.f * 4 + 150);
    const Rect r{12, (vh - height) / 2, vw - 24, height};
    begin_dialog(app, ui, r);
    const float pad = 20;
    const trace::LaunchConfig& config = c.sides[0]->trace.config;
    const bool sum = config.op == trace::Op::sum;
    ui.text({r.x + pad, r.y + 26}, sum ? "Two orders of addition" : "Two orders of folding", type.heading,
            Font::semibold, theme.text1);
    const bool close = ui.button("close", {r.x + r.w - pad - 76, r.y + 12, 76, 28}, "Close");
    float y = r.y + 54;
    std::string why = c.difference.reason;
    if (c.difference.comparable && c.difference.ulp > 0 &&
        c.difference.ulp != std::numeric_limits<std::int64_t>::max())
        why += fmt::format(" They are {}{} apart.", c.difference.ulp,
                           config.type == trace::Type::i32 ? "" : " ULP");
    if (sum && config.type == trace::Type::f32)
        why += " A gold outline: the value is off the exact sum of its inputs, by so many ULP.";
    const float foot = r.y + r.h - 12;
    for (const std::string& line : ui.wrap(Font::regular, type.label, why, r.w - 2 * pad)) {
        if (y > foot - 60)
            break;
        ui.text({r.x + pad, y}, line, type.label, Font::regular, theme.text2);
        y += type.label * 1.4f;
    }
    const float half = (r.w - 2 * pad - 24) / 2;
    for (std::size_t s = 0; s < 2; ++s) {
        const float x = r.x + pad + float(s) * (half + 24);
        const Shown& shown = *c.sides[s];
        const std::string title =
            fmt::format("{}, {} threads", run_title(shown.trace), shown.trace.config.block);
        ui.text({x + half / 2, y + type.label}, title, type.label, Font::semibold, theme.text1, Align::centre,
                half, true);
        const float top = y + type.label * 2.2f;
        if (foot - top > 60)
            tree(ui, {x, top, half, foot - top}, c.trees[s], shown.trace.config);
    }
    ImGui::End();
    if (close)
        close_dialog(app);
}

}  // namespace auditorium::panels
