#include "trace/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "trace/text.h"

namespace auditorium {
namespace {

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

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

Expected<std::string> read_file(const std::string& path, std::size_t most) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return unreadable(path, reason(errno));
    }
    struct stat status {};
    if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
        ::close(file);
        return unreadable(path, "it is a folder");
    }
    std::string bytes;
    for (;;) {
        constexpr std::size_t chunk = 1 << 16;
        const std::size_t before = bytes.size();
        bytes.resize(before + chunk);
        const auto got = ::read(file, bytes.data() + before, chunk);
        const int error = errno;
        bytes.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
        if (got < 0 && error == EINTR) {
            continue;
        }
        if (got < 0) {
            ::close(file);
            return unreadable(path, reason(error));
        }
        if (bytes.size() > most) {
            ::close(file);
            return unreadable(path, fmt::format("it is larger than {} bytes", most));
        }
        if (got == 0) {
            ::close(file);
            return bytes;
        }
    }
}

Expected<void> write_file(const std::string& path, std::string_view bytes) {
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return unwritable(path, "it is a folder");
    }
    if (exists && !S_ISREG(status.st_mode)) {  // a pipe or a device cannot be replaced
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0 || !write_all(file, bytes)) {
            const int error = errno;
            if (file >= 0) {
                ::close(file);
            }
            return unwritable(path, reason(error));
        }
        return ::close(file) == 0 ? Expected<void>{} : unwritable(path, reason(errno));
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        return unwritable(path, reason(errno));
    }
    std::string target = path;
    if (exists) {
        std::error_code error;
        const auto real = std::filesystem::canonical(path, error);
        target = error ? path : real.string();
    }
    std::string temporary = target + ".XXXXXX";
    const int file = ::mkstemp(temporary.data());
    if (file < 0) {
        return unwritable(path, reason(errno));
    }
    mode_t mode = status.st_mode & 07777;
    if (!exists) {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode = 0666 & ~mask;
    }
    const bool written = write_all(file, bytes) && ::fchmod(file, mode) == 0 && ::fsync(file) == 0;
    int error = errno;
    const bool closed = ::close(file) == 0;
    if (written && !closed) {
        error = errno;
    }
    if (!written || !closed || ::rename(temporary.c_str(), target.c_str()) != 0) {
        error = written && closed ? errno : error;
        ::unlink(temporary.c_str());
        return unwritable(path, reason(error));
    }
    return {};
}

}  // namespace auditorium
