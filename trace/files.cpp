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

// `target`: where a link leads; the path itself where it is none.
tl::unexpected<Error> unwritable_file(const std::string& path, const std::string& target,
                                      const std::string& why) {
    const std::string link =
        target == path ? "" : fmt::format(", a link to {},", in_quotes(target, longest_path));
    return tl::unexpected(unwritable(fmt::format("The file {}{}", in_quotes(path, longest_path), link), why));
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

// What a path leads to, link by link, whether it is there or not.
std::error_code follow_links(fs::path& path) {
    constexpr int most_links = 40;  // as many as Linux follows
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(path, error)); ++links) {
        if (links == most_links) {
            return std::make_error_code(std::errc::too_many_symbolic_link_levels);
        }
        const fs::path to = fs::read_symlink(path, error);
        if (error) {
            return error;
        }
        path = path.parent_path() / to;
    }
    return {};
}

// These take all bytes, or say that they are full, at once.
bool is_null_or_full(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return real == "/dev/null" || real == "/dev/full";
}

// Why nothing is written to what is there; "" for a regular file. A pipe without a reader would keep its
// writer waiting for ever, and what stands on a device cannot be kept whole until the new file is.
const char* why_no_file(fs::file_type type) {
    switch (type) {
        case fs::file_type::directory:
            return "it is a folder";
        case fs::file_type::fifo:
            return "it is a pipe, not a regular file";
        case fs::file_type::socket:
            return "it is a socket, not a regular file";
        case fs::file_type::block:
        case fs::file_type::character:
            return "it is a device, not a regular file";
        case fs::file_type::regular:
            return "";
        default:
            return "it is not a regular file";
    }
}

// Where a file is written: beside its place, which it then takes. For /dev/null and /dev/full `beside` is
// none.
struct Place {
    std::string target, temporary;
    File beside;
    bool replaces = false;
    fs::perms permissions = fs::perms::none;
};

Expected<Place> place_for(const std::string& path) {
    Place place;
    place.target = path;
    const auto not_here = [&](const std::string& why) { return unwritable_file(path, place.target, why); };
    if (path.empty()) {
        return not_here("it has no name");
    }
    // A name that cannot be had, too long or a circle of links, is found out here, not by the rename.
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::status_known(status)) {
        return not_here(error.message());
    }
    place.replaces = fs::exists(status);
    place.permissions = status.permissions();
    if (place.replaces && is_null_or_full(path)) {
        return place;
    }
    if (place.replaces && !fs::is_regular_file(status)) {
        return not_here(why_no_file(status.type()));
    }
    if (place.replaces && !File(std::fopen(path.c_str(), "r+b"))) {  // what is there must be writable
        return not_here(reason(errno));
    }
    fs::path wanted(path);
    if (const auto lost = follow_links(wanted); lost) {
        return not_here(lost.message());
    }
    place.target = wanted.string();
    if (place.replaces && !fs::equivalent(path, wanted, error)) {  // a deleted file, which /proc still names
        return not_here("it has no name any more");
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
        return not_here(reason(errno));
    }
    return place;
}

}  // namespace

Error unwritable(const std::string& what, const std::string& why) {
    return {ExitStatus::bad_output, fmt::format("{} cannot be written: {}.", what, why)};
}

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
    if (!place->beside) {
        errno = 0;
        File file(std::fopen(path.c_str(), "wb"));
        const int error = file ? write_and_close(std::move(file), bytes) : errno;
        return error == 0 ? Expected<void>{} : unwritable_file(path, place->target, reason(error));
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
        return unwritable_file(path, place->target, error != 0 ? reason(error) : moved.message());
    }
    return {};
}

Expected<void> make_folder(const std::string& path) {
    const auto not_made = [&](const std::string& why) {
        return fail(ExitStatus::bad_output,
                    fmt::format("The folder {} cannot be made: {}.", in_quotes(path, longest_path), why));
    };
    if (path.empty()) {
        return not_made("it has no name");
    }
    fs::path wanted(path);
    if (const auto lost = follow_links(wanted); lost) {
        return not_made(lost.message());
    }
    std::error_code error;
    fs::create_directories(wanted, error);
    if (error) {
        return not_made(error.message());
    }
    return {};
}

}  // namespace auditorium
