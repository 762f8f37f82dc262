// "What they say, what it did".
#pragma once

#include <string>
#include <vector>

#include "app/panels/ui.h"

namespace auditorium {
struct App;
}

namespace auditorium::panels {

// A claim's text, broken into lines: once per width.
struct ClaimLines {
    struct Part {
        const char* head;
        std::vector<std::string> lines;
    };
    std::vector<std::string> said;
    std::vector<Part> parts;
    float height = 0;
};
struct ClaimsAtWidth {
    float width = 0, size = 0;
    std::vector<ClaimLines> each;
};

void ask_for_claims(App& app);  // in the background, once
void claims_panel(App& app, Ui& ui);

}  // namespace auditorium::panels
