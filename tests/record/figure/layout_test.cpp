#include "record/figure/layout.hpp"

#include "core/base/bitwise.hpp"
#include "record/figure/figure.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace {

using attest::gnuplot_text;
using attest::plain_text;

TEST(FigureText, BracedIndicesAreMarkedUpAndAllElseIsEscaped) {
    EXPECT_EQ(gnuplot_text("λ_{min}^{2}"), "'λ_{min}^{2}'");
    EXPECT_EQ(gnuplot_text("minimum_norm"), "'minimum\\_norm'");
    EXPECT_EQ(gnuplot_text("a^b {c} @d &e ~f \\g"), "'a\\^b \\{c\\} \\@d \uE000e \\~f \\\\g'");
    EXPECT_EQ(gnuplot_text("the paper's\nteacher"), "'the paper\uE001s teacher'");
}

TEST(FigureText, GroupThatIsNotClosedIsPlain) {
    EXPECT_EQ(gnuplot_text("a_{b"), "'a\\_\\{b'");
}

TEST(FigureText, IndexWithinAnIndexStaysPlain) {
    EXPECT_EQ(gnuplot_text("a_{b_c}d}"), "'a_{b\\_c}d\\}'");
}

TEST(FigureText, GnuplotDrawsEscapedTextAsItStands) {
    const std::string svg =
        attest::run_gnuplot("set terminal svg enhanced\nset title " +
                            gnuplot_text("its a_b {c} ^d @e ~f \\g") + "\nplot x\n");

    EXPECT_SAYS(svg, "its a_b {c} ^d @e ~f \\g");
}

TEST(FigureText, PlainTextDropsTheMarks) {
    EXPECT_EQ(plain_text("λ_{min} of a_b {c}"), "λ_min of a_b {c}");
}

TEST(FigureText, WidthCountsCharactersOfThePlainText) {
    EXPECT_TRUE(attest::bitwise_equal(attest::text_width("λ_{x}", 10), 18.0));
    EXPECT_TRUE(attest::bitwise_equal(attest::text_width("", 10), 0.0));
}

}  // namespace
