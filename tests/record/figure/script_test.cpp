#include "record/figure/script.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace attest::record_test {

namespace {

Panel panel_of(const std::vector<Point>& points, Scale y = Scale::linear) {
    Panel panel;
    panel.y.scale = y;
    panel.series = {{"curve", points}};
    return panel;
}

TEST(FigureRange, LogAxisEndsAtPowersOfTen) {
    const AxisRange range =
        y_range(panel_of({{0, 0.02, 0.02, 0.02}, {1, 3.0, 2.0, 7.0}}, Scale::log10));

    EXPECT_TRUE(bitwise_equal(range.low, 0.01));
    EXPECT_TRUE(bitwise_equal(range.high, 10.0));
    EXPECT_FALSE(range.zero_at_low);
}

TEST(FigureRange, ZeroOnALogAxisGetsAnEdgeOfItsOwnBelowTheData) {
    const AxisRange range = y_range(panel_of({{0, 0.02, 0.02, 0.02}, {1, 0, 0, 0}}, Scale::log10));

    EXPECT_TRUE(range.zero_at_low);
    EXPECT_TRUE(bitwise_equal(range.low, 0.001));
    EXPECT_TRUE(bitwise_equal(range.high, 0.1));
}

TEST(FigureRange, PanelOfZerosOnALogAxisCanStillBeDrawn) {
    const AxisRange range = y_range(panel_of({{0, 0, 0, 0}}, Scale::log10));

    EXPECT_TRUE(range.zero_at_low);
    EXPECT_LT(range.low, range.high);
}

TEST(FigureRange, GuideFarBelowAllPointsIsWithinTheAxis) {
    Panel panel = panel_of({{0, 1.0, 1.0, 1.0}}, Scale::log10);
    panel.guides = {{Guide::Direction::horizontal, 1e-20, "floor"}};

    EXPECT_LE(y_range(panel).low, 1e-20);
}

TEST(FigureRange, OneLongErrorBarDoesNotSqueezeALogAxis) {
    const AxisRange range = y_range(panel_of({{0, 1.0, 1e-20, 2.0}}, Scale::log10));

    EXPECT_TRUE(bitwise_equal(range.low, 0.1));
}

TEST(FigureRange, LinearAxisBeginsAtZeroWhenZeroIsNear) {
    EXPECT_TRUE(bitwise_equal(y_range(panel_of({{0, 1, 1, 1}, {1, 9, 9, 9}})).low, 0.0));
    EXPECT_GT(y_range(panel_of({{0, 8, 8, 8}, {1, 9, 9, 9}})).low, 7.0);
}

TEST(FigureRange, LimitsOfTheAxisWin) {
    Panel panel = panel_of({{0, 1, 1, 1}, {1, 9, 9, 9}});
    panel.y.min = -3.0;
    panel.y.max = 20.0;

    EXPECT_TRUE(bitwise_equal(y_range(panel).low, -3.0));
    EXPECT_TRUE(bitwise_equal(y_range(panel).high, 20.0));
}

TEST(FigureRange, GuideIsWithinTheAxis) {
    Panel panel = panel_of({{0, 1, 1, 1}, {1, 2, 2, 2}});
    panel.guides = {{Guide::Direction::horizontal, 50.0}};

    EXPECT_GE(y_range(panel).high, 50.0);
}

RC_GTEST_PROP(FigureRange, HoldsEveryPointOnEitherScale, ()) {
    const auto exponents =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-200, 200)));
    Panel panel;
    panel.series = {{"curve", {}}};
    for (const int exponent : exponents) {
        const double value = std::pow(10.0, 0.5 * exponent);
        panel.series[0].points.push_back({value, value, value, value});
    }
    for (const Scale scale : {Scale::linear, Scale::log10}) {
        panel.x.scale = scale;
        panel.y.scale = scale;
        for (const AxisRange& range : {x_range(panel), y_range(panel)}) {
            for (const Point& point : panel.series[0].points) {
                RC_ASSERT(range.low <= point.y);
                RC_ASSERT(point.y <= range.high);
            }
        }
    }
}

TEST(CheckFigure, NamesWhatCannotBeDrawn) {
    const auto message = [](const Figure& figure) {
        return test::error_message<InvalidInput>([&] { check(figure); });
    };
    const double infinity = std::numeric_limits<double>::infinity();

    EXPECT_EQ(message({}), "figure: got no panels, expected at least one");
    EXPECT_EQ(message({.panels = {panel_of({})}}), "figure: panel \"\" has no points");
    EXPECT_EQ(message({.panels = {panel_of({{0, infinity, 0, 0}})}}),
              "figure: got inf in series curve, expected finite values");
    EXPECT_SAYS(message({.panels = {panel_of({{0, 1, 1, 1}})}, .columns = 0}),
                "figure: got no room");

    Panel log = panel_of({{0, 1, 1, 1}});
    log.x.scale = Scale::log10;
    EXPECT_EQ(message({.panels = {log}}), "figure: got x = 0 on a log axis, expected > 0");
    log.series[0].points[0].x = 1.0;
    log.x.min = 0.0;
    EXPECT_EQ(message({.panels = {log}}), "figure: got limit 0 of a log axis, expected > 0");

    Panel reversed = panel_of({{0, 1, 1, 1}});
    reversed.y.min = 5.0;
    reversed.y.max = 4.0;
    EXPECT_REFUSED("figure: got an axis from 5 to 4", y_range(reversed));
}

}  // namespace

}  // namespace attest::record_test
