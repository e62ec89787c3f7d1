#pragma once

#include <filesystem>
#include <string>

namespace headroom::test {

// A key and a certificate of 127.0.0.1 (or of another host) that vouches for itself, made anew and removed
// again.
class Certificate {
public:
    explicit Certificate(const std::string& host = "IP:127.0.0.1");
    ~Certificate();
    Certificate(const Certificate&) = delete;
    Certificate& operator=(const Certificate&) = delete;

    [[nodiscard]] std::string key() const { return (m_folder / "key.pem").string(); }
    [[nodiscard]] std::string file() const { return (m_folder / "certificate.pem").string(); }

private:
    std::filesystem::path m_folder;
};

} // namespace headroom::test
