#pragma once

#include <cstddef>
#include <string>

namespace attest {

/// Characters of Unicode's private area that stand for & and ' in a gnuplot string until the SVG is
/// drawn: gnuplot 5.4 writes & into SVG without escaping it, and misreads a string that begins with
/// a quote.
constexpr const char* kAmpersand = "\uE000";
constexpr const char* kApostrophe = "\uE001";

/// Text as a gnuplot string for enhanced mode: _{…} and ^{…} are lowered and raised, & and ' become
/// their stand-ins, every other character stands for itself. A control character becomes a space.
[[nodiscard]] std::string gnuplot_text(const std::string& text);

/// Text without the marks of _{…} and ^{…}: "λ_{min}" becomes "λ_min".
[[nodiscard]] std::string plain_text(const std::string& text);

/// Pixels the text is about wide when it is drawn by a wide sans-serif font of this size.
[[nodiscard]] double text_width(const std::string& text, int font);

/// The options of a gnuplot label: " font ',13' textcolor rgb '#1f2933'".
[[nodiscard]] std::string text_style(int font, const char* colour);

}  // namespace attest
