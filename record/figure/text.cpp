#include "record/figure/text.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <string_view>

namespace attest {

namespace {

constexpr double kCharacterWidth = 0.6;  // of the font size

// Whether a group _{…} or ^{…} that is closed begins at this place.
bool group_begins(const std::string& text, std::size_t at) {
    return (text[at] == '_' || text[at] == '^') && at + 1 < text.size() && text[at + 1] == '{' &&
           text.find('}', at) != std::string::npos;
}

std::string escaped(char letter) {
    if (static_cast<unsigned char>(letter) < ' ') {
        return " ";
    }
    if (letter == '&') {
        return kAmpersand;
    }
    if (letter == '\'') {
        return kApostrophe;
    }
    const bool special = std::string_view("{}^_@~\\").find(letter) != std::string_view::npos;
    return special ? std::string("\\") + letter : std::string(1, letter);
}

}  // namespace

std::string gnuplot_text(const std::string& text) {
    std::string result = "'";
    bool in_group = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!in_group && group_begins(text, i)) {
            result += std::string(1, text[i]) + "{";
            in_group = true;
            ++i;
        } else if (in_group && text[i] == '}') {
            result += '}';
            in_group = false;
        } else {
            result += escaped(text[i]);
        }
    }
    return result + "'";
}

std::string plain_text(const std::string& text) {
    std::string result;
    bool in_group = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!in_group && group_begins(text, i)) {
            result += text[i];
            in_group = true;
            ++i;
        } else if (in_group && text[i] == '}') {
            in_group = false;
        } else {
            result += text[i];
        }
    }
    return result;
}

double text_width(const std::string& text, int font) {
    const std::string plain = plain_text(text);
    const auto characters = std::count_if(plain.begin(), plain.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    });
    return kCharacterWidth * font * static_cast<double>(characters);
}

std::string text_style(int font, const char* colour) {
    return formatted(" font ',{}' textcolor rgb '{}'", font, colour);
}

}  // namespace attest
