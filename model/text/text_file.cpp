#include "model/text/text_file.h"

#include <fmt/format.h>
#include <fstream>
#include <system_error>

namespace headroom {

Result<std::string> readTextFile(const std::filesystem::path& file, std::uintmax_t limit)
{
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status))
        return refuse(file.string(), "there is no such file");
    if (!std::filesystem::is_regular_file(status))
        return refuse(file.string(), "expected a file, this is a directory or a device");
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error)
        return refuse(file.string(), say("cannot be read: {}", error.message()));
    if (size > limit)
        return refuse(file.string(), say("has {} bytes, at most {} are read", size, limit));
    std::ifstream stream(file, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(size));
    if (!stream || static_cast<std::uintmax_t>(stream.gcount()) != size)
        return refuse(file.string(), "cannot be read to its end");
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
    return text;
}

} // namespace headroom
