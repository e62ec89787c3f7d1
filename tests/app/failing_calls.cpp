// Loaded before a program (LD_PRELOAD): the n-th system call with which it changes files in one folder fails,
// or is the last thing that it does. HEADROOM_TEST_FAULT is "N ERRNO MARK FOLDER": ERRNO 0 kills, and the
// file MARK is made when it has happened.

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Fault {
    int at = 0;
    int error = 0;
    std::string mark;
    std::string folder;
    int seen = 0;
    std::array<bool, 4096> ours{}; // descriptors that were opened there
};

Fault& fault()
{
    static Fault* const one = [] { // never destroyed: calls come until the very end
        auto* made = new Fault;
        char mark[4096] = {};
        char folder[4096] = {};
        const char* const text = std::getenv("HEADROOM_TEST_FAULT");
        if (text != nullptr
            && std::sscanf(text, "%d %d %4095s %4095s", &made->at, &made->error, mark, folder) == 4) {
            made->mark = mark;
            made->folder = folder;
        }
        return made;
    }();
    return *one;
}

bool within(const char* path)
{
    const Fault& f = fault();
    return path != nullptr && !f.folder.empty() && std::strncmp(path, f.folder.c_str(), f.folder.size()) == 0;
}

bool isOurs(int descriptor)
{
    return descriptor >= 0 && static_cast<std::size_t>(descriptor) < fault().ours.size()
        && fault().ours[static_cast<std::size_t>(descriptor)];
}

// True where this call is to fail.
bool befalls(bool concerned)
{
    Fault& f = fault();
    if (!concerned || f.at == 0 || ++f.seen != f.at)
        return false;
    const long made = syscall(SYS_open, f.mark.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0)
        syscall(SYS_close, made);
    if (f.error == 0)
        syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    errno = f.error;
    return true;
}

template <typename F>
F next(const char* name)
{
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

template <typename Open>
int opened(Open real, const char* path, int flags, mode_t mode)
{
    const bool changes = within(path) && (flags & (O_CREAT | O_WRONLY | O_RDWR | O_DIRECTORY)) != 0;
    if (befalls(changes))
        return -1;
    const int descriptor = real(path, flags, mode);
    if (descriptor >= 0 && static_cast<std::size_t>(descriptor) < fault().ours.size())
        fault().ours[static_cast<std::size_t>(descriptor)] = changes;
    return descriptor;
}

mode_t modeIn(int flags, va_list rest) { return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0; }

} // namespace

extern "C" {

int open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeIn(flags, rest);
    va_end(rest);
    static const auto real = next<int (*)(const char*, int, ...)>("open");
    return opened(real, path, flags, mode);
}

int open64(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeIn(flags, rest);
    va_end(rest);
    static const auto real = next<int (*)(const char*, int, ...)>("open64");
    return opened(real, path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, std::size_t count)
{
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    return befalls(isOurs(descriptor)) ? -1 : real(descriptor, bytes, count);
}

int fsync(int descriptor)
{
    static const auto real = next<int (*)(int)>("fsync");
    return befalls(isOurs(descriptor)) ? -1 : real(descriptor);
}

int fchmod(int descriptor, mode_t mode)
{
    static const auto real = next<int (*)(int, mode_t)>("fchmod");
    return befalls(isOurs(descriptor)) ? -1 : real(descriptor, mode);
}

int close(int descriptor)
{
    static const auto real = next<int (*)(int)>("close");
    const bool fails = befalls(isOurs(descriptor));
    if (isOurs(descriptor))
        fault().ours[static_cast<std::size_t>(descriptor)] = false;
    const int error = errno;
    const int result = real(descriptor); // closed all the same, as Linux does
    if (fails)
        errno = error;
    return fails ? -1 : result;
}

int mkdir(const char* path, mode_t mode)
{
    static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
    return befalls(within(path)) ? -1 : real(path, mode);
}

int rmdir(const char* path)
{
    static const auto real = next<int (*)(const char*)>("rmdir");
    return befalls(within(path)) ? -1 : real(path);
}

// The call has the name of a struct of the C library.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
int flock(int descriptor, int how)
{
    static const auto real = next<int (*)(int, int)>("flock");
    return befalls(isOurs(descriptor)) ? -1 : real(descriptor, how);
}
#pragma GCC diagnostic pop

int rename(const char* from, const char* to)
{
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    return befalls(within(from) || within(to)) ? -1 : real(from, to);
}

int unlink(const char* path)
{
    static const auto real = next<int (*)(const char*)>("unlink");
    return befalls(within(path)) ? -1 : real(path);
}
}
