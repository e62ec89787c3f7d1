#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/types.h>

struct stat;

namespace headroom {

// The path and the system's own reason: "out.yaml: could not be written: No space left on device".
class CannotWrite : public std::runtime_error {
public:
    CannotWrite(const std::filesystem::path& file, std::string reason);
    [[nodiscard]] const std::string& file() const { return m_file; }
    [[nodiscard]] const std::string& reason() const { return m_reason; }

private:
    std::string m_file, m_reason;
};

// The calls that writing makes of the system. Tests put in others that fail or end the process.
struct FileCalls {
    int (*open)(const char* path, int flags, mode_t mode);
    ssize_t (*write)(int descriptor, const void* bytes, std::size_t count);
    int (*changeOwner)(int descriptor, uid_t user, gid_t group);
    int (*changeMode)(int descriptor, mode_t mode);
    int (*flush)(int descriptor); // fsync
    int (*close)(int descriptor);
    int (*rename)(const char* from, const char* to);
    int (*unlink)(const char* path);
};
[[nodiscard]] const FileCalls& systemFileCalls();

// The one way in which anything of ours writes a file. A regular file, or one that is not there yet, is
// written under a name of its own in the same folder, flushed to the disk and renamed: whatever happens, the
// old file or the new one stands there. Links are followed, mode and owner are kept. A device, a pipe or a
// descriptor such as /dev/stdout is written straight. Throws CannotWrite and leaves nothing behind.
struct WriteOptions {
    mode_t mode = 0666; // of a new file, less the user's mask
    const FileCalls& calls = systemFileCalls();
};
void writeFile(const std::filesystem::path& file, std::string_view bytes, const WriteOptions& options = {});

// A file that nobody else can have made or opened before: created new, no link followed. The path ends in
// random letters, in `folder`. Throws CannotWrite.
struct NewFile {
    std::filesystem::path path;
    int descriptor = -1;
};
[[nodiscard]] NewFile newFileIn(const std::filesystem::path& folder, mode_t mode,
                                const FileCalls& calls = systemFileCalls());

// All of it, however often the system takes only a part. Returns 0 or the errno.
[[nodiscard]] int writeAll(int descriptor, std::string_view bytes,
                           const FileCalls& calls = systemFileCalls());

} // namespace headroom
