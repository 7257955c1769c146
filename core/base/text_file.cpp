#include "core/base/text_file.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <fstream>

namespace attest {

std::string unreadable_reason(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(path, failed);
    if (failed) {
        return failed.message();
    }
    return std::filesystem::is_directory(status) ? "it is a folder" : "the system refuses";
}

std::string read_text_file(const std::filesystem::path& path) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    std::ifstream in(path, std::ios::binary);
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    require(!in.bad() && (in.eof() || in.gcount() > 0),
            "{}: cannot be read: {}; check the name and permissions",
            path.string(),
            unreadable_reason(path));
    text.resize(static_cast<std::size_t>(in.gcount()));
    require(
        text.size() <= kMostBytes, "{}: is larger than 16 MB, expected a text file", path.string());
    require(text.find('\0') == std::string::npos,
            "{}: holds a NUL, expected a text file",
            path.string());
    return text;
}

}  // namespace attest
