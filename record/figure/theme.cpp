#include "record/figure/theme.hpp"

#include "core/base/text.hpp"

#include <array>

namespace attest::theme {

namespace {

// Okabe and Ito 2008, "Color universal design", without the yellow, which white drowns.
constexpr std::array<const char*, 7> kColours{
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"};

// Disc, square, triangle, reversed triangle, diamond, then their outlines.
constexpr std::array<int, 10> kMarks{7, 5, 9, 11, 13, 6, 4, 8, 10, 12};

constexpr std::array<const char*, 6> kDashes{
    "solid", "(12,4)", "(3,3)", "(10,3,2,3)", "(6,3)", "(14,3,3,3,3,3)"};

}  // namespace

Look look(std::size_t number) {
    return {kColours.at(number % kColours.size()),
            kMarks.at(number % kMarks.size()),
            kDashes.at(number % kDashes.size())};
}

std::string preamble(double width, double height) {
    return formatted(
        "set terminal svg size {},{} dynamic enhanced font 'Arial,{}' background '#ffffff'\nset "
        "encoding utf8\nset minussign\nset border 3 lc rgb '#7b8794' lw 1\nset tics nomirror out "
        "scale 0.6,0.3 textcolor rgb '#3e4c59'\nset grid xtics ytics back lt 1 dt solid lw 1 lc "
        "rgb '#e8ecf0'\nset errorbars small\n",
        width,
        height,
        kFont);
}

}  // namespace attest::theme
