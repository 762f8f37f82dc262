// frame() with ImGui but without GL and without a window: what is drawn is kept as rectangles, keys and
// pointer are events, time is what the test says.
#pragma once

#include <imgui.h>

#include <string>

#include "app/app.h"
#include "app/panels/state.h"
#include "app/renderer/fonts.h"
#include "app/renderer/renderer.h"

namespace auditorium::test {

class Headless {
  public:
    Headless() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        io.ConfigInputTextCursorBlink = false;
        renderer::load_fonts();
    }
    ~Headless() { ImGui::DestroyContext(); }
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    // One frame as a host would ask for it; true while something moves.
    bool frame(App& app, double seconds = 0) {
        ImGuiIO& io = ImGui::GetIO();
        const float scale = app.view.ui_scale * app.view.pixel_ratio;
        io.DisplaySize = {float(app.view.width), float(app.view.height)};
        io.DisplayFramebufferScale = {scale, scale};
        io.DeltaTime = seconds > 0 ? float(seconds) : 1.f / 60;
        ImGui::NewFrame();
        const bool moving = auditorium::frame(app, seconds);
        ImGui::Render();
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
            if (texture->Status == ImTextureStatus_WantDestroy) {
                texture->SetTexID(ImTextureID_Invalid);
                texture->BackendUserData = nullptr;
                texture->SetStatus(ImTextureStatus_Destroyed);
            } else if (texture->Status != ImTextureStatus_OK) {
                texture->SetTexID(1);
                texture->SetStatus(ImTextureStatus_OK);
            }
        }
        renderer::end_frame();
        return moving;
    }

    // Calls something between NewFrame and Render.
    template <typename Call>
    void inside(const App& app, Call call) {
        ImGuiIO& io = ImGui::GetIO();
        const float scale = app.view.ui_scale * app.view.pixel_ratio;
        io.DisplaySize = {float(app.view.width), float(app.view.height)};
        io.DisplayFramebufferScale = {scale, scale};
        ImGui::NewFrame();
        call();
        ImGui::EndFrame();
        renderer::end_frame();
    }

    // Pressed and let go, each seen by a frame of its own.
    void key(App& app, ImGuiKey key, int mods = 0) {
        ImGuiIO& io = ImGui::GetIO();
        const auto hold = [&](bool down) {
            if (mods & 1)
                io.AddKeyEvent(ImGuiMod_Shift, down);
            if (mods & 2)
                io.AddKeyEvent(ImGuiMod_Ctrl, down);
            if (mods & 4)
                io.AddKeyEvent(ImGuiMod_Alt, down);
        };
        hold(true);
        io.AddKeyEvent(key, true);
        settle(app);
        io.AddKeyEvent(key, false);
        hold(false);
        settle(app);
    }
    void type(App& app, const std::string& text) {
        for (const char c : text) {
            ImGui::GetIO().AddInputCharacter((unsigned char)c);
            settle(app);
        }
    }
    void click(App& app, float x, float y) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(x, y);
        settle(app);
        io.AddMouseButtonEvent(0, true);
        settle(app);
        io.AddMouseButtonEvent(0, false);
        settle(app);
    }
    // The middle of a control drawn in the last frame; false where there is none.
    bool click(App& app, const std::string& control) {
        for (const panels::Drawn& drawn : app.panels->drawn) {
            if (drawn.control && drawn.text == control) {
                click(app, drawn.area.x + drawn.area.w / 2, drawn.area.y + drawn.area.h / 2);
                return true;
            }
        }
        return false;
    }
    void settle(App& app) {
        frame(app);
        frame(app);
    }
};

// Ticks of the result card in the last frame.
inline int ticks(const App& app) {
    int count = 0;
    for (const panels::Drawn& drawn : app.panels->drawn)
        count += drawn.mark && drawn.text == "tick";
    return count;
}

}  // namespace auditorium::test
