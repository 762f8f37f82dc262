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

Expected<void> write_file(const std::string& path, std::string_view bytes) {
    std::error_code ignored;
    const auto status = fs::status(path, ignored);
    if (fs::is_directory(status)) {
        return unwritable(path, "it is a folder");
    }
    const bool exists = fs::exists(status);
    if (exists) {
        // What is there must be writable; a pipe or a device cannot be replaced and is written to.
        File file(std::fopen(path.c_str(), fs::is_regular_file(status) ? "r+b" : "wb"));
        if (!file) {
            return unwritable(path, reason(errno));
        }
        if (!fs::is_regular_file(status)) {
            const int error = write_and_close(std::move(file), bytes);
            return error == 0 ? Expected<void>{} : unwritable(path, reason(error));
        }
    }
    std::string target = path;
    if (exists) {
        std::error_code error;
        const auto real = fs::canonical(path, error);
        target = error ? path : real.string();
    }
    File file;
    std::string temporary;
    for (int attempt = 0; !file && attempt < 100; ++attempt) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        temporary = fmt::format("{}.{:x}", target, static_cast<std::uint64_t>(now + attempt));
        errno = 0;
        file.reset(std::fopen(temporary.c_str(), "wbx"));
        if (!file && errno != EEXIST) {
            break;
        }
    }
    if (!file) {
        return unwritable(path, reason(errno));
    }
    const int error = write_and_close(std::move(file), bytes);
    std::error_code moved;
    if (error == 0) {
        if (exists) {
            fs::permissions(temporary, status.permissions(), moved);
        }
        if (!moved) {
            fs::rename(temporary, target, moved);
        }
    }
    if (error != 0 || moved) {
        fs::remove(temporary, ignored);
        return unwritable(path, error != 0 ? reason(error) : moved.message());
    }
    return {};
}

}  // namespace auditorium
