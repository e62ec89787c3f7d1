#include "app/desktop/session/file_lock.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace headroom::app {

FileLock::FileLock(const QString& file, Wait wait)
{
    const QByteArray path = QFile::encodeName(file);
    const int descriptor = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return;
    const int how = wait == Wait::No ? LOCK_EX | LOCK_NB : LOCK_EX;
    int result = ::flock(descriptor, how);
    while (result != 0 && errno == EINTR)
        result = ::flock(descriptor, how);
    if (result == 0)
        m_descriptor = descriptor;
    else
        ::close(descriptor);
}

FileLock::~FileLock()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor); // gives the lock back
}

FileLock::FileLock(FileLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

} // namespace headroom::app
