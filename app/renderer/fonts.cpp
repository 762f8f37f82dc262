#include "app/renderer/fonts.h"

#include <array>
#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"

#ifdef AUDITORIUM_FONTS
extern "C" {
extern const unsigned char auditorium_font_regular[], auditorium_font_regular_end[];
extern const unsigned char auditorium_font_medium[], auditorium_font_medium_end[];
extern const unsigned char auditorium_font_semibold[], auditorium_font_semibold_end[];
extern const unsigned char auditorium_font_mono[], auditorium_font_mono_end[];
extern const unsigned char auditorium_font_mono_semibold[], auditorium_font_mono_semibold_end[];
}
#endif

namespace auditorium::renderer {

namespace {

constexpr int font_count = 5;

bool is_mono(scene::Font id) {
    return id == scene::Font::mono || id == scene::Font::mono_semibold;
}

// Ascent less descent, in ems, and the height of capitals: what the fonts' own tables say.
struct Metrics {
    float height, capitals;
};
#ifdef AUDITORIUM_FONTS
constexpr Metrics inter{(2728.0f + 680.0f) / 2816.0f, 2048.0f / 2816.0f};
constexpr Metrics jetbrains_mono{1.32f, 0.73f};
#else
constexpr Metrics inter{1.0f, 0.6f};
constexpr Metrics jetbrains_mono{1.0f, 0.6f};
#endif

const Metrics& metrics(scene::Font id) {
    return is_mono(id) ? jetbrains_mono : inter;
}

// The fonts of the current ImGui context are its first five, in the order of scene::Font.
ImFont* nth_font(int n) {
    ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
    return fonts[n < fonts.Size ? n : 0];
}

}  // namespace

void load_fonts() {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
#ifdef AUDITORIUM_FONTS
    auto add = [atlas](const unsigned char* begin, const unsigned char* end, const char* name) {
        ImFontConfig config;
        config.FontDataOwnedByAtlas = false;
        ImFormatString(config.Name, IM_ARRAYSIZE(config.Name), "%s", name);
        // ImGui takes a pointer to bytes that it could own, but only reads these.
        atlas->AddFontFromMemoryTTF(const_cast<unsigned char*>(begin), int(end - begin), 0, &config);
    };
    add(auditorium_font_regular, auditorium_font_regular_end, "Inter");
    add(auditorium_font_medium, auditorium_font_medium_end, "Inter Medium");
    add(auditorium_font_semibold, auditorium_font_semibold_end, "Inter SemiBold");
    add(auditorium_font_mono, auditorium_font_mono_end, "JetBrains Mono");
    add(auditorium_font_mono_semibold, auditorium_font_mono_semibold_end, "JetBrains Mono SemiBold");
#else
    for (int i = 0; i < font_count; ++i) {
        atlas->AddFontDefault();
    }
#endif
    static_assert(int(scene::Font::mono_semibold) + 1 == font_count);
}

ImFont* font(scene::Font id) {
    return nth_font(int(id));
}

float font_size(scene::Font id, float size) {
    return size * metrics(id).height;
}

float text_width(scene::Font id, float size, std::string_view text) {
    return font(id)->CalcTextSizeA(font_size(id, size), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void text(ImDrawList* list, scene::Font id, float size, scene::Point at, scene::Align align,
          scene::Color color, std::string_view text) {
    if (text.empty()) {
        return;
    }
    const float pixels = ImGui::GetIO().DisplayFramebufferScale.x;  // framebuffer pixels per unit
    const float asked = font_size(id, size);
    ImFont* f = font(id);

    // ImGui rasterizes at whole sizes and scales the rest; a density makes up for the rounding, so that one
    // texel is one pixel.
    const float density_before = f->CurrentRasterizerDensity;
    const float whole = std::max(1.0f, ImGui::GetRoundedFontSize(asked));
    f->CurrentRasterizerDensity = pixels * asked / whole;
    const ImFontBaked* baked = f->GetFontBaked(asked);
    const float scale = asked / baked->Size;

    const float width = align == scene::Align::left
                            ? 0
                            : f->CalcTextSizeA(asked, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
    float x = at.x - (align == scene::Align::centre  ? 0.5f * width
                      : align == scene::Align::right ? width
                                                     : 0);
    float baseline = at.y + 0.5f * size * metrics(id).capitals;
    x = std::round(x * pixels) / pixels;
    baseline = std::round(baseline * pixels) / pixels;
    const float y = baseline - IM_ROUND(baked->Ascent) * scale;

    // AddText cuts the position down to whole units: the cut is given back to the vertices. Up to a size of
    // 36 ImGui's texture holds two texels for each pixel in x, each as wide as a pixel, so that a letter can
    // stand on every half pixel. Each letter moves to where the middle of a pixel is the middle of a texel.
    const bool fine = whole * f->CurrentRasterizerDensity <= 36;
    const ImVec2 cut(std::trunc(x), std::trunc(y));
    const int first = list->VtxBuffer.Size;
    list->AddText(f, asked, cut, color, text.data(), text.data() + text.size());
    for (int i = first; i + 3 < list->VtxBuffer.Size; i += 4) {
        const float left = (list->VtxBuffer[i].pos.x + x - cut.x) * pixels;
        const float place = fine ? std::round(left * 2 - 0.5f) / 2 + 0.25f : std::round(left);
        const float move_x = place / pixels - list->VtxBuffer[i].pos.x;
        for (int k = i; k < i + 4; ++k) {
            list->VtxBuffer[k].pos.x += move_x;
            list->VtxBuffer[k].pos.y += y - cut.y;
        }
    }
    f->CurrentRasterizerDensity = density_before;
}

bool fonts_embedded() {
#ifdef AUDITORIUM_FONTS
    return true;
#else
    return false;
#endif
}

}  // namespace auditorium::renderer
