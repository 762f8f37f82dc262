// The panels, one function and one file each. Each draws itself into its rect of the layout and does what is
// asked of it there: `app` is what it changes, `ui` what it draws with.
#pragma once

#include <functional>

#include "app/app.h"
#include "app/panels/ticks.h"
#include "app/panels/ui.h"

namespace auditorium::panels {

void top_bar(App& app, Ui& ui);
void left_card(App& app, Ui& ui);
void caption(App& app, Ui& ui);
void code_panel(App& app, Ui& ui);
void result_card(App& app, Ui& ui);
int result_rows(const App& app);  // how many rows the result card has for what is shown
std::string result_line(const App& app);
std::string result_of_what(const App& app);  // "max of 256 scores": of the call at the playhead
void bottom_card(App& app, Ui& ui);
void presenter(App& app, Ui& ui);
void timeline(App& app, Ui& ui, Rect area, bool presenter);  // segments, barriers, lanes and playhead
void inspector_card(App& app, Ui& ui);                       // what view.asked() names, beside it
const Shown& asked_run(const App& app);                      // the run that it is in
void menus(App& app, Ui& ui);                                // the open menu of a chip
void dialogs(App& app, Ui& ui);                              // open, save, pick a file, key list, claims
// The speed dialog; `begin` opens the window that it stands in.
using BeginDialog = std::function<void(Rect)>;
void speed_dialog(App& app, Ui& ui, const BeginDialog& begin);
void notices(App& app, Ui& ui);
void too_small(const View& view, Ui& ui);  // instead of everything else

// What several panels do.
void open_menu(App& app, int menu, Rect anchor, const std::string& from);
void close_menu(App& app);
void open_dialog(App& app, int dialog);
void begin_dialog(App& app, Ui& ui, Rect area);  // its window and frame; ImGui::End() ends it
void close_dialog(App& app);
void choose(App& app, trace::LaunchConfig config);  // record it, unless it is what is shown
trace::LaunchConfig wanted(const App& app);         // what the chips say
void notice(App& app, std::string text, bool error);
void set_presenter(App& app, bool on);
void mark_lines(App& app, const std::vector<int>& lines);  // scrolls the code panel there
void show_other_run(App& app);  // of a racy kernel: a wrong run if this one is right, else one that is right
void scrub_to(App& app, const Press& press, double time);  // while the timeline is dragged; then it plays on
void go_to_tick(App& app, const Tick& tick);               // to the moment that shows its trouble
void next_tick(App& app, int direction);                   // the next one in time: 1, the one before: -1
void step_on(App& app);  // to the end of the next step that shows something new

}  // namespace auditorium::panels
