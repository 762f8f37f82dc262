#include <gtest/gtest.h>

#include "app/panels/layout.h"

namespace auditorium::panels {
namespace {

View sized(int width, int height) {
    View view;
    view.width = width;
    view.height = height;
    return view;
}

// The table of the style sheet.
TEST(Layout, TheTablesColumns) {
    struct Column {
        int w, h;
        float top, bottom, left, right, gutter;
    };
    for (const Column& c : {Column{1280, 720, 40, 116, 232, 290, 8}, Column{1600, 900, 48, 140, 304, 380, 16},
                            Column{1920, 1080, 52, 156, 340, 440, 16}}) {
        const Layout l = layout(sized(c.w, c.h), 4);
        EXPECT_FLOAT_EQ(l.top.h, c.top);
        EXPECT_FLOAT_EQ(l.bottom.h, c.bottom);
        EXPECT_FLOAT_EQ(l.left.w, c.left);
        EXPECT_FLOAT_EQ(l.code.w, c.right);
        EXPECT_FLOAT_EQ(l.result.w, c.right);
        EXPECT_FLOAT_EQ(l.left.x, c.gutter);
        EXPECT_FLOAT_EQ(l.result.x + l.result.w, float(c.w) - c.gutter);
    }
    EXPECT_FLOAT_EQ(layout(sized(1280, 720), 4).type.display, 18);
    EXPECT_FLOAT_EQ(layout(sized(1600, 900), 4).type.body, 14.5f);
}

TEST(Layout, BetweenTheColumnsEverythingGrowsSteadily) {
    Layout before = layout(sized(1280, 720), 6);
    for (int w = 1296; w <= 1920; w += 16) {
        const Layout l = layout(sized(w, w * 9 / 16), 6);
        EXPECT_GE(l.top.h, before.top.h);
        EXPECT_LT(l.top.h, before.top.h + 1.5f);
        EXPECT_GE(l.left.w, before.left.w);
        EXPECT_LT(l.left.w, before.left.w + 8);
        before = l;
    }
}

TEST(Layout, WhatGivesWayInASmallWindow) {
    EXPECT_TRUE(layout(sized(1400, 800), 5).pips);
    EXPECT_FALSE(layout(sized(1399, 800), 5).pips);
    EXPECT_FALSE(layout(sized(1399, 800), 5).hits_column);
    EXPECT_GT(layout(sized(1100, 700), 5).left.w, 0);
    EXPECT_EQ(layout(sized(1100, 700), 5).caption.w, 0);
    EXPECT_EQ(layout(sized(1099, 700), 5).left.w, 0);
    EXPECT_GT(layout(sized(1099, 700), 5).caption.w, 0);
    EXPECT_EQ(layout(sized(640, 360), 5).code.w, 0);
}

bool overlap(scene::Rect a, scene::Rect b) {
    return a.w > 0 && b.w > 0 && a.x < b.x + b.w - 0.01f && b.x < a.x + a.w - 0.01f &&
           a.y < b.y + b.h - 0.01f && b.y < a.y + a.h - 0.01f;
}

// Every window and UI scale in reach: cards inside the window, none over another, and room for the scene.
TEST(Layout, CardsNeverOverlap) {
    for (int w = 640; w <= 2560; w += 40) {
        for (int h = 360; h <= 1440; h += 40) {
            for (int rows = 2; rows <= 6; rows += 4) {
                for (int toggles = 0; toggles < 4; ++toggles) {
                    View view = sized(w, h);
                    view.show_code = toggles & 1;
                    view.show_gantt = toggles & 2;
                    const Layout l = layout(view, rows);
                    const scene::Rect all[] = {l.top, l.left, l.caption, l.scene, l.code, l.result, l.bottom};
                    for (const scene::Rect& a : all) {
                        if (a.w <= 0)
                            continue;
                        ASSERT_GT(a.h, 0) << w << "x" << h;
                        ASSERT_GE(a.x, 0) << w << "x" << h;
                        ASSERT_GE(a.y, 0) << w << "x" << h;
                        ASSERT_LE(a.x + a.w, float(w) + 0.01f) << w << "x" << h;
                        ASSERT_LE(a.y + a.h, float(h) + 0.01f) << w << "x" << h;
                        for (const scene::Rect& b : all)
                            ASSERT_FALSE(&a != &b && overlap(a, b)) << w << "x" << h << " " << rows;
                    }
                    ASSERT_GT(l.scene.w, 300) << w << "x" << h;
                    ASSERT_GT(l.scene.h, 130) << w << "x" << h;
                }
            }
        }
    }
}

TEST(Layout, PresenterModeHasNothingSmall) {
    View view = sized(1600, 900);
    view.presenter = true;
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {640, 360}, {2560, 1440}}) {
        view.width = w;
        view.height = h;
        const Layout l = layout(view, 5);
        for (float size : {l.type.display, l.type.heading, l.type.body, l.type.label, l.type.small})
            EXPECT_GE(size, 14);
        EXPECT_FLOAT_EQ(l.scene.h + l.bottom.h, float(h));
    }
    view.width = 1600;
    view.height = 900;
    EXPECT_FLOAT_EQ(layout(view, 5).type.display, 31);
}

}  // namespace
}  // namespace auditorium::panels
