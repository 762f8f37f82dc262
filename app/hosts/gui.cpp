#include "app/hosts/gui.h"

#include <glad/gl.h>

#include <algorithm>

#include "app/renderer/fonts.h"
#include "app/renderer/renderer.h"
#include "imgui.h"
#include "imgui_impl_opengl3.h"

namespace auditorium::gui {

std::string start() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;
    renderer::load_fonts();
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        return "The graphics driver has no OpenGL 3.3.";
    }
    return renderer::init();
}

void stop() {
    if (ImGui::GetCurrentContext() == nullptr) {
        return;
    }
    renderer::shutdown();
    if (ImGui::GetIO().BackendRendererUserData != nullptr) {
        ImGui_ImplOpenGL3_Shutdown();
    }
    ImGui::DestroyContext();
}

void paint(const Surface& surface, scene::Color background, double seconds, const std::function<void()>& ui) {
    const float scale = std::max(0.1f, surface.ui_scale * surface.pixel_ratio);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize =
        ImVec2(float(std::max(surface.width, 1)) / scale, float(std::max(surface.height, 1)) / scale);
    io.DisplayFramebufferScale = ImVec2(scale, scale);
    io.DeltaTime = float(std::clamp(seconds, 1e-5, 0.25));

    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ui();
    ImGui::Render();
    if (surface.width > 0 && surface.height > 0) {
        const auto channel = [background](int shift) { return float((background >> shift) & 255u) / 255.0f; };
        glDisable(GL_SCISSOR_TEST);
        glViewport(0, 0, surface.width, surface.height);
        glClearColor(channel(0), channel(8), channel(16), 1);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    renderer::end_frame();
}

}  // namespace auditorium::gui
