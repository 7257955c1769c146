#include "tasks/text/tokeniser.hpp"

#include "core/base/error.hpp"

namespace attest {

namespace {

constexpr char32_t kByteOrderMark = 0xFEFF;

bool is_digit(char32_t point) {
    return point >= U'0' && point <= U'9';
}

/// ASCII only: every other byte of UTF-8 is above 127.
char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_letter(char32_t point) {
    return (point >= U'a' && point <= U'z') || (point >= U'A' && point <= U'Z');
}

}  // namespace

bool is_space(char32_t point) {
    return point == U' ' || (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x1F) ||
           point == 0x85 || point == 0xA0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

void Tokeniser::feed(std::string_view bytes) {
    for (const char byte : bytes) {
        pending_.push_back(byte);
        if (const std::optional<char32_t> point = decoder_.next(static_cast<unsigned char>(byte))) {
            if (!first_ || *point != kByteOrderMark) {
                take(*point, pending_);
            }
            first_ = false;
            pending_.clear();
        }
    }
}

void Tokeniser::finish() {
    decoder_.finish();
    if (run_ != Run::spaces) {
        end_run();
    }
    run_ = Run::none;
}

void Tokeniser::take(char32_t point, std::string_view bytes) {
    const Run kind = is_space(point)    ? Run::spaces
                     : is_digit(point)  ? Run::digits
                     : is_letter(point) ? Run::letters
                                        : Run::none;
    unit_ == TextUnit::word ? take_word(kind, bytes) : take_character(kind, bytes);
}

void Tokeniser::take_word(Run kind, std::string_view bytes) {
    if (kind != run_) {
        end_run();
        run_ = kind;
    }
    if (kind == Run::letters) {
        token_.push_back(lowered(bytes.front()));
    } else if (kind == Run::none) {
        visit_(bytes);
    }
}

void Tokeniser::take_character(Run kind, std::string_view bytes) {
    const bool goes_on = kind == run_ && (kind == Run::digits || kind == Run::spaces);
    run_ = kind;
    if (goes_on) {
        return;
    }
    if (kind == Run::letters) {
        const char letter = lowered(bytes.front());
        visit_(std::string_view(&letter, 1));
    } else {
        visit_(kind == Run::digits ? "0" : kind == Run::spaces ? " " : bytes);
    }
}

void Tokeniser::end_run() {
    if (unit_ == TextUnit::word && run_ == Run::letters) {
        visit_(token_);
    } else if (unit_ == TextUnit::word && run_ == Run::digits) {
        visit_("0");
    }
    token_.clear();
}

std::string normalised_word(std::string_view word) {
    std::string result;
    for (const char c : word) {
        if (c < '0' || c > '9') {
            result.push_back(lowered(c));
        } else if (result.empty() || result.back() != '0') {
            result.push_back('0');
        }
    }
    return result;
}

void Utf8Decoder::refuse(const char* what) const {
    throw InvalidInput(formatted("line {}: {}, expected text in UTF-8", line_, what));
}

std::optional<char32_t> Utf8Decoder::lead(unsigned char byte) {
    if (byte < 0x80U) {
        if (byte == 0) {
            refuse("got a NUL");
        }
        line_ += byte == '\n' ? 1 : 0;
        return byte;
    }
    if (byte >= 0xC2U && byte < 0xE0U) {
        missing_ = 1;
        point_ = byte & 0x1FU;
        least_ = 0x80;
    } else if (byte >= 0xE0U && byte < 0xF0U) {
        missing_ = 2;
        point_ = byte & 0x0FU;
        least_ = 0x800;
    } else if (byte >= 0xF0U && byte < 0xF5U) {
        missing_ = 3;
        point_ = byte & 0x07U;
        least_ = 0x10000;
    } else {
        refuse("got a byte that starts no character");
    }
    return std::nullopt;
}

std::optional<char32_t> Utf8Decoder::next(unsigned char byte) {
    if (missing_ == 0) {
        return lead(byte);
    }
    if ((byte & 0xC0U) != 0x80U) {
        refuse("got a character that is cut short");
    }
    point_ = (point_ << 6U) | (byte & 0x3FU);
    if (--missing_ > 0) {
        return std::nullopt;
    }
    if (point_ < least_ || point_ > 0x10FFFF || (point_ >= 0xD800 && point_ < 0xE000)) {
        refuse("got bytes that stand for no character");
    }
    return point_;
}

void Utf8Decoder::finish() const {
    if (missing_ != 0) {
        refuse("the text ends within a character");
    }
}

}  // namespace attest
