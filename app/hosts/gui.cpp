#include "app/hosts/gui.h"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>

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

namespace {

// Brings the text's textures up to date, and gives fresh ones a transparent border. By default a glyph that
// happens to lie at the left edge of the texture is smeared over its first pixel, so the same text could
// differ in a pixel from frame to frame.
void update_textures() {
    for (ImTextureData* texture : *ImGui::GetDrawData()->Textures) {
        if (texture->Status == ImTextureStatus_OK) {
            continue;
        }
        const bool fresh = texture->Status == ImTextureStatus_WantCreate;
        ImGui_ImplOpenGL3_UpdateTexture(texture);
        if (fresh) {
            constexpr float transparent[4] = {0, 0, 0, 0};
            glBindTexture(GL_TEXTURE_2D, GLuint(texture->GetTexID()));
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
            glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, transparent);
        }
    }
}

}  // namespace

Cost paint(const Surface& surface, scene::Color background, double seconds, const std::function<void()>& ui) {
    const auto begin = std::chrono::steady_clock::now();
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
    const auto drawing = std::chrono::steady_clock::now();
    if (surface.width > 0 && surface.height > 0) {
        const auto channel = [background](int shift) { return float((background >> shift) & 255u) / 255.0f; };
        glDisable(GL_SCISSOR_TEST);
        glViewport(0, 0, surface.width, surface.height);
        glClearColor(channel(0), channel(8), channel(16), 1);
        glClear(GL_COLOR_BUFFER_BIT);
        update_textures();
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    renderer::end_frame();
    const auto ms = [](auto duration) { return std::chrono::duration<double, std::milli>(duration).count(); };
    return {ms(drawing - begin), ms(std::chrono::steady_clock::now() - drawing)};
}

}  // namespace auditorium::gui
