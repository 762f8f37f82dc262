#include "app/hosts/gui.h"

#include <glad/gl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>

#include "app/renderer/fonts.h"
#include "app/renderer/lists.h"
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
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;  // its lines would need an interpolated texture
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

// Brings the text's textures up to date. They are not interpolated, see shaders/list.frag.
void update_textures() {
    for (ImTextureData* texture : *ImGui::GetDrawData()->Textures) {
        if (texture->Status == ImTextureStatus_OK) {
            continue;
        }
        const bool fresh = texture->Status == ImTextureStatus_WantCreate;
        ImGui_ImplOpenGL3_UpdateTexture(texture);
        if (fresh) {
            glBindTexture(GL_TEXTURE_2D, GLuint(texture->GetTexID()));
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        }
    }
}

}  // namespace

Cost paint(const Surface& surface, double seconds, const std::function<scene::Color()>& ui) {
    const auto begin = std::chrono::steady_clock::now();
    const float scale = std::max(0.1f, surface.ui_scale * surface.pixel_ratio);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize =
        ImVec2(float(std::max(surface.width, 1)) / scale, float(std::max(surface.height, 1)) / scale);
    io.DisplayFramebufferScale = ImVec2(scale, scale);
    io.DeltaTime = float(std::clamp(seconds, 1e-5, 0.25));

    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const scene::Color background = ui();
    ImGui::Render();
    const auto drawing = std::chrono::steady_clock::now();
    if (surface.width > 0 && surface.height > 0) {
        const auto channel = [background](int shift) { return float((background >> shift) & 255u) / 255.0f; };
        glDisable(GL_SCISSOR_TEST);
        glClearColor(channel(0), channel(8), channel(16), 1);
        glClear(GL_COLOR_BUFFER_BIT);
        update_textures();
        renderer::draw_lists(*ImGui::GetDrawData());
    }
    renderer::end_frame();
    const auto ms = [](auto duration) { return std::chrono::duration<double, std::milli>(duration).count(); };
    return {ms(drawing - begin), ms(std::chrono::steady_clock::now() - drawing)};
}

void give_memory_back() {
    // Of a frame with very many tiles Mesa's llvmpipe draws one part while it takes in the next, and each
    // part holds on to the picture that it went into until it is used again: up to gigabytes, for as long as
    // the context lives. Small frames use one part alone. So many flushed clears in a row use the others too.
    constexpr int parts = 8;  // more than any frame was seen to use
    glDisable(GL_SCISSOR_TEST);
    for (int i = 0; i < parts; ++i) {
        glClear(GL_COLOR_BUFFER_BIT);
        glFlush();
    }
    glFinish();
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace auditorium::gui
