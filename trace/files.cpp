#include "trace/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "trace/text.h"

namespace auditorium {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_path = 200;

std::string reason(int error) {
    return std::generic_category().message(error);
}

tl::unexpected<Error> unreadable(const std::string& path, const std::string& why) {
    return fail(ExitStatus::bad_input,
                fmt::format("The file {} cannot be read: {}.", in_quotes(path, longest_path), why));
}

tl::unexpected<Error> unwritable(const std::string& path, const std::string& why) {
    return fail(ExitStatus::bad_output,
                fmt::format("The file {} cannot be written: {}.", in_quotes(path, longest_path), why));
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// Writes and closes; 0 or the errno.
int write_and_close(File file, std::string_view bytes) {
    errno = 0;
    bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    written = std::fflush(file.get()) == 0 && written;
    const int error = errno;
    const bool closed = std::fclose(file.release()) == 0;
    if (written && closed) {
        return 0;
    }
    return !written && error != 0 ? error : errno != 0 ? errno : EIO;
}

// Where a file is written: beside its place, which it then takes. Of a pipe or a device `beside` is none.
struct Place {
    std::string target, temporary;
    File beside;
    bool replaces = false;
    fs::perms permissions = fs::perms::none;
};

Expected<Place> place_for(const std::string& path) {
    if (path.empty()) {
        return unwritable(path, "it has no name");
    }
    std::error_code error;
    const auto status = fs::status(path, error);
    if (fs::is_directory(status)) {
        return unwritable(path, "it is a folder");
    }
    Place place;
    place.replaces = fs::exists(status);
    place.permissions = status.permissions();
    if (place.replaces && !fs::is_regular_file(status)) {
        return place;
    }
    if (place.replaces && !File(std::fopen(path.c_str(), "r+b"))) {  // what is there must be writable
        return unwritable(path, reason(errno));
    }
    place.target = path;
    if (place.replaces) {
        const auto real = fs::canonical(path, error);
        place.target = error ? path : real.string();
    }
    // A name that cannot be had is found out here, not by the rename.
    const fs::path wanted(place.target);
    if (wanted.filename().native().size() > 255) {
        return unwritable(path, reason(ENAMETOOLONG));
    }
    const auto folder = wanted.parent_path();
    for (int attempt = 0; !place.beside && attempt < 100; ++attempt) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        const auto name = fmt::format(".auditorium.{:x}", static_cast<std::uint64_t>(now + attempt));
        place.temporary = (folder / name).string();
        errno = 0;
        place.beside.reset(std::fopen(place.temporary.c_str(), "wbx"));
        if (!place.beside && errno != EEXIST) {
            break;
        }
    }
    if (!place.beside) {
        return unwritable(path, reason(errno));
    }
    return place;
}

}  // namespace

Expected<std::string> read_file(const std::string& path, std::size_t most) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return unreadable(path, "it is a folder");
    }
    // A pipe or a device may keep its reader waiting for ever.
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
        return unreadable(path, "it is not a regular file");
    }
    errno = 0;
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        return unreadable(path, reason(errno));
    }
    std::string bytes;
    for (;;) {
        constexpr std::size_t chunk = 1 << 16;
        const std::size_t before = bytes.size();
        bytes.resize(before + chunk);
        errno = 0;
        const std::size_t got = std::fread(bytes.data() + before, 1, chunk, file.get());
        const int error = errno;
        bytes.resize(before + got);
        if (std::ferror(file.get()) != 0) {
            return unreadable(path, reason(error));
        }
        if (bytes.size() > most) {
            return unreadable(path, fmt::format("it is larger than {} bytes", most));
        }
        if (got < chunk) {
            return bytes;
        }
    }
}

Expected<void> can_write(const std::string& path) {
    auto place = place_for(path);
    if (!place) {
        return tl::unexpected<Error>(place.error());
    }
    if (place->beside) {
        place->beside.reset();
        std::error_code ignored;
        fs::remove(place->temporary, ignored);
    }
    return {};
}

Expected<void> write_file(const std::string& path, std::string_view bytes) {
    auto place = place_for(path);
    if (!place) {
        return tl::unexpected<Error>(place.error());
    }
    if (!place->beside) {  // a pipe or a device cannot be replaced and is written to
        errno = 0;
        File file(std::fopen(path.c_str(), "wb"));
        const int error = file ? write_and_close(std::move(file), bytes) : errno;
        return error == 0 ? Expected<void>{} : unwritable(path, reason(error));
    }
    const int error = write_and_close(std::move(place->beside), bytes);
    std::error_code moved, ignored;
    if (error == 0) {
        if (place->replaces) {
            fs::permissions(place->temporary, place->permissions, moved);
        }
        if (!moved) {
            fs::rename(place->temporary, place->target, moved);
        }
    }
    if (error != 0 || moved) {
        fs::remove(place->temporary, ignored);
        return unwritable(path, error != 0 ? reason(error) : moved.message());
    }
    return {};
}

}  // namespace auditorium
