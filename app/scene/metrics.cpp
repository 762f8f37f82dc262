#include "app/scene/metrics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace auditorium::scene {
namespace {

// Advance widths of the characters 32 to 126, in thousandths of the size.
// clang-format off
constexpr std::array<std::uint16_t, 95> inter_regular{
    281, 278, 403, 631, 638, 812, 639, 221, 362, 362, 500, 660, 280, 460, 276, 357, 624, 465, 605,
    637, 643, 608, 623, 571, 616, 623, 276, 280, 660, 660, 660, 507, 935, 677, 651, 727, 719, 598,
    587, 743, 741, 264, 542, 652, 563, 889, 753, 761, 635, 761, 639, 638, 643, 742, 677, 949, 643,
    664, 624, 362, 357, 362, 468, 451, 497, 564, 621, 558, 621, 582, 361, 610, 591, 237, 237, 545,
    237, 869, 586, 597, 610, 610, 373, 523, 363, 581, 557, 812, 540, 557, 541, 362, 327, 362, 660};
constexpr std::array<std::uint16_t, 95> inter_medium{
    265, 294, 399, 637, 644, 828, 651, 218, 378, 378, 522, 666, 288, 464, 283, 368, 646, 473, 614,
    644, 654, 620, 635, 578, 632, 635, 283, 288, 666, 666, 666, 525, 968, 699, 654, 736, 721, 603,
    586, 749, 742, 270, 552, 664, 564, 898, 747, 768, 639, 768, 645, 644, 651, 737, 699, 978, 666,
    685, 639, 378, 368, 378, 476, 460, 497, 569, 626, 568, 626, 587, 369, 617, 601, 249, 249, 557,
    249, 883, 598, 603, 617, 617, 384, 536, 372, 594, 566, 825, 551, 566, 552, 378, 342, 378, 666};
constexpr std::array<std::uint16_t, 95> inter_semibold{
    248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 295, 466, 290, 379, 667, 480, 621,
    651, 666, 633, 649, 587, 646, 649, 290, 295, 673, 673, 673, 545, 1000, 724, 657, 743, 725, 608,
    586, 755, 744, 275, 560, 677, 566, 906, 741, 775, 644, 776, 651, 649, 660, 733, 724, 1007, 690,
    704, 652, 393, 379, 393, 482, 468, 497, 575, 631, 577, 631, 593, 378, 626, 612, 260, 260, 569,
    260, 898, 610, 608, 624, 624, 397, 549, 380, 609, 576, 837, 563, 576, 562, 393, 358, 393, 673};
// clang-format on
constexpr float mono_advance = 0.6f;
constexpr float other_advance = 0.5f;  // of the few characters beyond ASCII: an en dash

// Digits that a person can read at a glance: small whole numbers as they are, the rest to 3 significant
// digits.
void write_number(char* out, std::size_t room, double value) {
    const double magnitude = std::fabs(value);
    if (magnitude < 10000 && value == std::nearbyint(value)) {
        std::snprintf(out, room, "%.0f", value);
        return;
    }
    static constexpr const char* suffix[] = {"", "k", "M", "G", "T", "P"};
    if (magnitude >= 1e18 || magnitude < 1e-3) {
        std::snprintf(out, room, "%.0e", value);
        return;
    }
    int group = 0;
    double scaled = value;
    while (std::fabs(scaled) >= 999.5 && group < 5) {
        scaled /= 1000;
        ++group;
    }
    const double shown = std::fabs(scaled);
    const int decimals = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
    std::snprintf(out, room, "%.*f%s", decimals, scaled, suffix[group]);
}

}  // namespace

float text_width(Font font, float size, std::string_view text) {
    if (font == Font::mono || font == Font::mono_semibold) {
        int characters = 0;
        for (const char c : text)
            characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        return float(characters) * mono_advance * size;
    }
    const auto& widths = font == Font::regular  ? inter_regular
                         : font == Font::medium ? inter_medium
                                                : inter_semibold;
    float sum = 0;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code >= 32 && code < 127)
            sum += float(widths[code - 32]) / 1000;
        else if ((code & 0xC0) != 0x80)
            sum += other_advance;
    }
    return sum * size;
}

double as_double(std::uint32_t bits, trace::Type type) {
    return type == trace::Type::f32 ? double(std::bit_cast<float>(bits))
                                    : double(std::bit_cast<std::int32_t>(bits));
}

ShortText short_number(std::uint32_t bits, trace::Type type) {
    ShortText out;
    char buffer[32];
    const double value = as_double(bits, type);
    if (std::isnan(value))
        std::snprintf(buffer, sizeof buffer, "nan");
    else if (std::isinf(value))
        std::snprintf(buffer, sizeof buffer, value > 0 ? "inf" : "-inf");
    else
        write_number(buffer, sizeof buffer, value);
    std::size_t n = 0;
    while (buffer[n] && n < out.text.size()) {
        out.text[n] = buffer[n];
        ++n;
    }
    out.length = std::uint8_t(n);
    return out;
}

Numeral numeral_of(double value, int power, int digits) {
    Numeral out;
    const double scaled = std::fabs(value) / std::pow(1000.0, power);
    // As many decimals as leave so many digits, once it is rounded.
    int places = digits;
    while (places > 0 && std::lround(scaled * std::pow(10.0, places)) >= std::lround(std::pow(10.0, digits)))
        --places;
    if (power == 0 && scaled == std::nearbyint(scaled))
        places = 0;  // a whole number of ones is exact
    long shown = std::lround(scaled * std::pow(10.0, places));
    out.negative = value < 0;
    if (value == 0) {
        out.digit[0] = '0';
        out.length = out.before_point = 1;
        return out;
    }
    for (char& digit : out.digit) {  // from the right
        digit = char('0' + shown % 10);
        shown /= 10;
        ++out.length;
        if (shown == 0 && out.length >= places)
            break;
    }
    std::reverse(out.digit.begin(), out.digit.begin() + out.length);
    out.before_point = std::uint8_t(std::max(0, out.length - places));
    return out;
}

int unit_of(double magnitude) {
    int power = 0;
    for (; magnitude >= 999.5 && power < 5; ++power)
        magnitude /= 1000;
    for (; magnitude > 0 && magnitude < 0.9995 && power > -2; --power)
        magnitude *= 1000;
    return power;
}

std::string_view unit_name(int power) {
    switch (power) {
        case -2:
            return "millionths";
        case -1:
            return "thousandths";
        case 1:
            return "thousands";
        case 2:
            return "millions";
        case 3:
            return "billions";
        case 4:
            return "trillions";
        case 5:
            return "quadrillions";
        default:
            return "";
    }
}

std::string exact_number(std::uint32_t bits, trace::Type type) {
    return trace::value_text(bits, type);
}

}  // namespace auditorium::scene
