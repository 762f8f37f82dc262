// A menu that is a list: rows with a title, a word of detail, headings between them; it scrolls where the
// window is too low.
#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/panels/ui.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {

struct Item {
    std::string name, title, detail;
    bool chosen = false, enabled = true, heading = false;
};

// The index of the one pressed, or -1.
int items(App& app, Ui& ui, const std::vector<Item>& list, Rect anchor, float least_width);

// The block size that a choice takes when its kernel becomes this one: its own if that suits, else the
// nearest that the kernel is right for; a clinic entry's own.
int block_for(const kernels::Kernel& kernel, int block);

}  // namespace auditorium::panels
