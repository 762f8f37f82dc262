// Of a frame as drawn: no text cut off, none over another, none outside the window or half out of its card.
#pragma once

#include <gtest/gtest.h>

#include "app/app.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::test {

using panels::Drawn;
using panels::Layout;
using panels::Rect;

inline bool over(const Rect& a, const Rect& b) {
    return a.x + a.w > b.x + 0.5f && b.x + b.w > a.x + 0.5f && a.y + a.h * 0.85f > b.y + b.h * 0.15f &&
           b.y + b.h * 0.85f > a.y + a.h * 0.15f;
}

inline void check_texts(const App& app, const std::string& where, int least_texts = 7) {
    const std::vector<Drawn>& all = app.panels->drawn;
    const float w = float(app.view.width) + 0.5f, h = float(app.view.height) + 0.5f;
    int texts = 0;
    for (const Drawn& a : all) {
        if (a.control) {
            if (a.text == "timeline" || a.text == "scene" || a.text == "code" ||
                a.text.starts_with("entry.") || a.text.starts_with("recording."))
                continue;
            EXPECT_GE(a.area.x, 0) << where << a.text;
            EXPECT_GE(a.area.y, 0) << where << a.text;
            EXPECT_LE(a.area.x + a.area.w, w) << where << a.text;
            EXPECT_LE(a.area.y + a.area.h, h) << where << a.text;
            for (const Drawn& b : all) {
                const bool apart = &b <= &a || !b.control || b.scope != a.scope || b.text == "scene" ||
                                   b.text == "code" || b.text.starts_with("entry.") ||
                                   b.text.starts_with("recording.");
                EXPECT_FALSE(!apart && over(a.area, b.area)) << where << a.text << " under " << b.text;
            }
            continue;
        }
        if (a.mark) {
            for (const Drawn& b : all)
                EXPECT_FALSE(!b.control && !b.mark && b.scope == a.scope &&
                             b.area.x < a.area.x + a.area.w + 2 && a.area.x < b.area.x + b.area.w + 2 &&
                             b.area.y < a.area.y + a.area.h && a.area.y < b.area.y + b.area.h)
                    << where << "\"" << b.text << "\" at a " << a.text << "'s mark";
            continue;
        }
        ++texts;
        EXPECT_FALSE(a.cut && !a.may_be_cut) << where << a.text << " is cut";
        EXPECT_GE(a.area.x, -0.5f) << where << a.text;
        EXPECT_GE(a.area.y, -0.5f) << where << a.text;
        EXPECT_LE(a.area.x + a.area.w, w) << where << a.text;
        EXPECT_LE(a.area.y + a.area.h, h) << where << a.text;
        for (const Drawn& b : all) {
            if (&b <= &a || b.control || b.mark || b.scope != a.scope)
                continue;
            EXPECT_FALSE(over(a.area, b.area)) << where << "\"" << a.text << "\" over \"" << b.text << "\"";
        }
    }
    EXPECT_GE(texts, least_texts) << where;
    // Texts stay in their cards.
    const Layout layout = panels::layout(app.view, panels::result_rows(app));
    for (const Rect& card :
         {layout.left, layout.code, layout.result, layout.bottom, layout.caption, layout.top}) {
        for (const Drawn& a : all) {
            if (card.w <= 0 || a.control || a.mark || a.scope != 0)
                continue;
            const float cx = a.area.x + a.area.w / 2, cy = a.area.y + a.area.h / 2;
            if (cx < card.x || cx > card.x + card.w || cy < card.y || cy > card.y + card.h)
                continue;
            EXPECT_GE(a.area.x, card.x) << where << a.text;
            EXPECT_LE(a.area.x + a.area.w, card.x + card.w + 0.5f) << where << a.text;
            EXPECT_GE(a.area.y, card.y - 0.5f) << where << a.text;
            EXPECT_LE(a.area.y + a.area.h, card.y + card.h + 0.5f) << where << a.text;
        }
    }
}

}  // namespace auditorium::test
