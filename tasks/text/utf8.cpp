#include "tasks/text/utf8.hpp"

#include "core/base/error.hpp"

namespace attest {

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
