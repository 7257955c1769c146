#include "cli/text_file.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <fstream>
#include <sstream>

namespace attest::cli {

std::string read_text_file(const std::string& path) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    std::ifstream in(path, std::ios::binary);
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    require(!in.bad() && (in.eof() || in.gcount() > 0), "{}: cannot be read", path);
    text.resize(static_cast<std::size_t>(in.gcount()));
    require(text.size() <= kMostBytes, "{}: is larger than 16 MB, expected a text file", path);
    require(text.find('\0') == std::string::npos, "{}: holds a NUL, expected a text file", path);
    return text;
}

}  // namespace attest::cli
