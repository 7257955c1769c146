#include "core/base/in_quotes.hpp"

namespace attest {

std::string in_quotes(std::string_view text) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    static constexpr std::size_t kLongest = 60;
    std::string out = "'";
    for (const char letter : text.substr(0, kLongest)) {
        const auto code = static_cast<unsigned char>(letter);
        if (code >= 0x20U && code < 0x7fU) {
            out += letter;
        } else {
            out += "\\x";
            out += kDigits[code >> 4U];
            out += kDigits[code & 0xfU];
        }
    }
    return out + (text.size() > kLongest ? "…'" : "'");
}

}  // namespace attest
