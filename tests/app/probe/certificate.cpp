#include "tests/app/probe/certificate.h"

#include <cstdlib>
#include <stdexcept>

namespace headroom::test {

Certificate::Certificate(const std::string& host)
{
    std::string folder = (std::filesystem::temp_directory_path() / "headroom-test-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        throw std::runtime_error("no folder for a certificate");
    m_folder = folder;
    const std::string command
        = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
          "-subj /CN=headroom-test -addext subjectAltName="
        + host + " -keyout " + key() + " -out " + file() + " 2>/dev/null";
    if (std::system(command.c_str()) != 0) // NOLINT: a fixed command on files of our own
        throw std::runtime_error("openssl makes no certificate");
}

Certificate::~Certificate() { std::filesystem::remove_all(m_folder); }

} // namespace headroom::test
