#include "model/text/write_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr int mostLinks = 40;    // as Linux follows
constexpr int mostAttempts = 64; // of a name in 36^12

template <typename Call>
auto untilNotInterrupted(Call call)
{
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    return result;
}

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// /dev/stdout and its like: a name of an open descriptor, not of a file.
bool namesDescriptor(const fs::path& file)
{
    const std::string folder = folderOf(file).string();
    return folder == "/dev/fd" || (folder.starts_with("/proc/") && folder.ends_with("/fd"));
}

// What a write to `file` goes to: a path whose last part is no link, or the name of a descriptor.
fs::path withoutLinks(fs::path file)
{
    for (int i = 0; i < mostLinks && !namesDescriptor(file); ++i) {
        std::error_code none;
        const fs::path target = fs::read_symlink(file, none);
        if (none)
            return file;
        file = target.is_absolute() ? target : folderOf(file) / target;
    }
    if (!namesDescriptor(file))
        throw CannotWrite(file, std::strerror(ELOOP));
    return file;
}

// As it is: no new file, no rename.
void writeStraight(const fs::path& file, std::string_view bytes, const FileCalls& calls)
{
    const int descriptor = untilNotInterrupted(
        [&] { return calls.open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY, 0); });
    if (descriptor < 0)
        throw CannotWrite(file, std::strerror(errno));
    int error = writeAll(descriptor, bytes, calls);
    if (calls.close(descriptor) != 0 && error == 0 && errno != EINTR)
        error = errno;
    if (error != 0)
        throw CannotWrite(file, std::strerror(error));
}

// Mode and owner of the file that is replaced. Its owner stays where we may give files away, else it is ours.
int keepModeOf(const struct stat& old, int descriptor, const FileCalls& calls)
{
    struct stat made {};
    if (::fstat(descriptor, &made) != 0)
        return errno;
    if ((made.st_uid != old.st_uid || made.st_gid != old.st_gid)
        && calls.changeOwner(descriptor, old.st_uid, old.st_gid) != 0 && errno != EPERM)
        return errno;
    return calls.changeMode(descriptor, old.st_mode & 07777U) != 0 ? errno : 0;
}

int flushed(int descriptor, const FileCalls& calls)
{
    // A file system without fsync says EINVAL: there is nothing that it could do.
    return untilNotInterrupted([&] { return calls.flush(descriptor); }) == 0 || errno == EINVAL ? 0 : errno;
}

int flushFolder(const fs::path& folder, const FileCalls& calls)
{
    const int descriptor = untilNotInterrupted(
        [&] { return calls.open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (descriptor < 0) // a folder may be written and not read; the name is there then, sooner or later
        return errno == EACCES ? 0 : errno;
    const int error = flushed(descriptor, calls);
    (void)calls.close(descriptor);
    return error;
}

// Through a new file in the same folder. Returns 0 or the errno, and takes away what it made.
int replace(const fs::path& file, std::string_view bytes, const std::optional<struct stat>& old,
            const WriteOptions& options)
{
    const FileCalls& calls = options.calls;
    // What may not be written is not replaced either.
    if (old && ::access(file.c_str(), W_OK) != 0)
        return errno;
    const NewFile made = newFileIn(folderOf(file), old ? 0600 : options.mode, calls);
    int error = old ? keepModeOf(*old, made.descriptor, calls) : 0;
    if (error == 0)
        error = writeAll(made.descriptor, bytes, calls);
    if (error == 0)
        error = flushed(made.descriptor, calls);
    // After an interrupted close the descriptor is closed: Linux never leaves it open.
    if (calls.close(made.descriptor) != 0 && error == 0 && errno != EINTR)
        error = errno;
    if (error == 0 && untilNotInterrupted([&] { return calls.rename(made.path.c_str(), file.c_str()); }) != 0)
        error = errno;
    if (error != 0)
        (void)untilNotInterrupted([&] { return calls.unlink(made.path.c_str()); });
    return error;
}

} // namespace

CannotWrite::CannotWrite(const fs::path& file, std::string reason)
    : std::runtime_error(file.string() + ": could not be written: " + reason),
      m_file(file.string()),
      m_reason(std::move(reason))
{}

const FileCalls& systemFileCalls()
{
    static constexpr FileCalls calls{
        .open = [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
        .write = ::write,
        .changeOwner = ::fchown,
        .changeMode = ::fchmod,
        .flush = ::fsync,
        .close = ::close,
        .rename = [](const char* from, const char* to) { return std::rename(from, to); },
        .unlink = ::unlink};
    return calls;
}

int writeAll(int descriptor, std::string_view bytes, const FileCalls& calls)
{
    while (!bytes.empty()) {
        const ssize_t wrote = calls.write(descriptor, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return wrote < 0 ? errno : EIO;
        bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return 0;
}

NewFile newFileIn(const fs::path& folder, mode_t mode, const FileCalls& calls)
{
    static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    constexpr int length = 12;
    std::random_device device;
    std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
    for (int i = 0; i < mostAttempts; ++i) {
        std::string name = ".headroom-";
        for (int j = 0; j < length; ++j)
            name += letters[letter(device)];
        NewFile made{.path = folder / name};
        made.descriptor = untilNotInterrupted([&] {
            return calls.open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        });
        if (made.descriptor >= 0)
            return made;
        if (errno != EEXIST)
            break;
    }
    throw CannotWrite(folder, std::strerror(errno));
}

void writeFile(const fs::path& file, std::string_view bytes, const WriteOptions& options)
{
    const fs::path target = withoutLinks(file);
    struct stat there {};
    std::optional<struct stat> old;
    if (::stat(target.c_str(), &there) == 0)
        old = there;
    else if (errno != ENOENT)
        throw CannotWrite(file, std::strerror(errno));
    if (old && S_ISDIR(old->st_mode))
        throw CannotWrite(file, std::strerror(EISDIR));
    if (namesDescriptor(target) || (old && !S_ISREG(old->st_mode)))
        return writeStraight(target, bytes, options.calls);
    int error = 0;
    try {
        error = replace(target, bytes, old, options);
    } catch (const CannotWrite& broken) { // a folder that takes no new file: the file is what was asked for
        throw CannotWrite(file, broken.reason());
    }
    if (error == 0)
        error = flushFolder(folderOf(target), options.calls);
    if (error != 0)
        throw CannotWrite(file, std::strerror(error));
}

} // namespace headroom
