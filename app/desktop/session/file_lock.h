#pragma once

#include <QString>

namespace headroom::app {

// A lock on a file that the system takes back when its holder ends, however it ends. Nothing is read from the
// file and nothing written to it: a program that is killed between making it and locking it, or whose number
// another program has got since, leaves no lock behind.
class FileLock {
public:
    enum class Wait { No, UntilFree };

    FileLock() = default;
    FileLock(const QString& file, Wait wait); // the file is made where it is not there
    ~FileLock();
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    [[nodiscard]] bool isHeld() const { return m_descriptor >= 0; }

private:
    int m_descriptor = -1;
};

} // namespace headroom::app
