#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

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

/// What one token of a text is.
enum class TextUnit : std::uint8_t {
    word,       ///< [a-z]+, a run of digits, or any other single character that is no space
    character,  ///< one character; a run of spaces is one
};

/// Whether Unicode calls it white space.
[[nodiscard]] bool is_space(char32_t point);

/// Cuts text into tokens as it comes, in memory of one token. A to Z become a to z, a run of digits
/// becomes "0"; letters beyond ASCII stand for themselves, one a token.
class Tokeniser {
public:
    using Visit = std::function<void(std::string_view token)>;

    Tokeniser(TextUnit unit, Visit visit) : unit_(unit), visit_(std::move(visit)) {}

    /// The next bytes, cut anywhere. Throws InvalidInput as Utf8Decoder.
    void feed(std::string_view bytes);

    /// The end of the text.
    void finish();

private:
    enum class Run : std::uint8_t { none, letters, digits, spaces };

    void take(char32_t point, std::string_view bytes);
    void take_word(Run kind, std::string_view bytes);
    void take_character(Run kind, std::string_view bytes);
    void end_run();

    TextUnit unit_;
    Visit visit_;
    Utf8Decoder decoder_;
    std::string pending_;  ///< bytes of an unfinished character
    std::string token_;    ///< the letters of an unfinished word
    Run run_ = Run::none;
    bool first_ = true;  ///< a byte order mark may stand here
};

/// The word of a list that is cut already (one token a line): lower case, digit runs become "0".
[[nodiscard]] std::string normalised_word(std::string_view word);

}  // namespace attest
