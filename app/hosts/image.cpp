#include "app/hosts/image.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "trace/files.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace auditorium {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

Expected<void> write_png(const std::string& path, const Image& image) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(image.rgba.size() / 4 * 3);
    for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
        rgb.insert(rgb.end(), {image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]});
    }
    std::vector<std::uint8_t> bytes;
    stbi_write_png_to_func(
        [](void* context, void* data, int size) {
            auto* out = static_cast<std::vector<std::uint8_t>*>(context);
            const auto* begin = static_cast<std::uint8_t*>(data);
            out->insert(out->end(), begin, begin + size);
        },
        &bytes, image.width, image.height, 3, rgb.data(), image.width * 3);

    return write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Expected<Image> read_png(const std::string& path) {
    File file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        return fail(ExitStatus::bad_input,
                    fmt::format("{}: cannot be read: {}.", path, std::strerror(errno)));
    }
    std::vector<std::uint8_t> bytes;
    std::array<std::uint8_t, 65536> part{};
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), file.get())) {
        bytes.insert(bytes.end(), part.begin(), part.begin() + std::ptrdiff_t(n));
    }
    Image image;
    int channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(bytes.data(), int(bytes.size()), &image.width, &image.height, &channels, 4),
        stbi_image_free);
    if (!pixels) {
        return fail(ExitStatus::bad_input, fmt::format("{}: is not a PNG picture that can be read.", path));
    }
    image.rgba.assign(pixels.get(), pixels.get() + std::size_t(image.width) * std::size_t(image.height) * 4);
    return image;
}

}  // namespace auditorium
