#pragma once

#include <cstdint>
#include <optional>

namespace attest {

/// Decodes UTF-8 (RFC 3629) byte by byte and counts lines.
class Utf8Decoder {
public:
    /// The code point that this byte completes, if any. Throws InvalidInput "line L: …" for bytes
    /// that are no UTF-8 (stray, cut, overlong, surrogate, beyond U+10FFFF) and for NUL.
    [[nodiscard]] std::optional<char32_t> next(unsigned char byte);

    /// Throws InvalidInput if the text ends within a character.
    void finish() const;

    /// Counted from 1: that of the next byte.
    [[nodiscard]] std::int64_t line() const { return line_; }

private:
    std::optional<char32_t> lead(unsigned char byte);
    [[noreturn]] void refuse(const char* what) const;

    std::int64_t line_ = 1;
    char32_t point_ = 0;
    char32_t least_ = 0;  ///< below it the encoding is longer than need be
    int missing_ = 0;
};

}  // namespace attest
