#include "record/figure/figure.hpp"

#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace attest::record_test {

namespace {

/// Whether every element that is opened is closed, in order, in one root. No attribute here holds <
/// or >.
inline bool is_well_formed(const std::string& svg) {
    const std::regex tag("<(/?)([A-Za-z:]+)[^<>]*?(/?)>");
    std::vector<std::string> open;
    std::size_t roots = 0;
    const std::string body = svg.substr(svg.find("?>") + 2);
    for (std::sregex_iterator at(body.begin(), body.end(), tag), end; at != end; ++at) {
        const std::smatch& found = *at;
        if (found[1] == "/") {
            if (open.empty() || open.back() != found[2]) {
                return false;
            }
            open.pop_back();
        } else if (found[3] != "/") {
            roots += open.empty() ? 1U : 0U;
            open.push_back(found[2]);
        }
    }
    const std::string left = std::regex_replace(body, tag, "");
    const std::regex loose("<|&(?!amp;|lt;|gt;|quot;|apos;|#)");
    return open.empty() && roots == 1 && !std::regex_search(left, loose);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

Figure sample_figure() {
    Panel panel;
    panel.title = "A & B < C";
    panel.x = {.label = "mixture"};
    panel.y = {.label = "λ_{min}", .scale = Scale::log10};
    panel.series = {{"minimum_norm", {{0, 1.0, 0.5, 2.0}, {1, 0.0, 0.0, 0.0}}},
                    {"ridge", {{0, 2.0, 2.0, 2.0}, {1, 0.01, 0.01, 0.01}}, SeriesStyle::points},
                    {"bound", {{0, 3.0, 3.0, 3.0}, {1, 0.1, 0.1, 0.1}}, SeriesStyle::line}};
    panel.guides = {{Guide::Direction::horizontal, 0.05, "predicted"},
                    {Guide::Direction::vertical, 0.5, "N = ψ"}};
    return {.title = "The paper's <figure> & more", .panels = {panel, panel}, .columns = 2};
}

TEST(Figure, IsWellFormedSvgForEveryLegend) {
    Figure figure = sample_figure();
    for (const Legend legend : {Legend::right,
                                Legend::below,
                                Legend::top_left,
                                Legend::top_right,
                                Legend::bottom_left,
                                Legend::bottom_right,
                                Legend::none}) {
        figure.panels[0].legend = legend;
        EXPECT_TRUE(is_well_formed(draw_svg(figure))) << static_cast<int>(legend);
    }
    EXPECT_FALSE(is_well_formed("<?xml?><svg><g></svg></g>"));
    EXPECT_FALSE(is_well_formed("<?xml?><svg>a & b</svg>"));
}

TEST(Figure, NotesStandInThePlaceOfAHiddenAxis) {
    Figure figure = sample_figure();
    Panel& first = figure.panels.front();
    first.y.is_hidden = true;
    first.notes = {{0.5, 0.2, "a & note"}, {0.0, 1.0, "another"}};

    const std::string svg = draw_svg(figure);
    const std::string plain = draw_svg(sample_figure());

    EXPECT_EQ(count(svg, ">a &amp; note<"), 1U);
    EXPECT_EQ(count(svg, ">another<"), 1U);
    // Of the two panels only the second shows the powers of ten at its y axis.
    EXPECT_EQ(2 * count(svg, ">10<"), count(plain, ">10<"));
    EXPECT_TRUE(is_well_formed(svg));
    first.notes.front().y = std::numeric_limits<double>::infinity();
    EXPECT_REFUSED("figure: got inf in series a & note", figure_script(figure));
}

TEST(Figure, SameFigureGivesTheSameBytes) {
    EXPECT_EQ(draw_svg(sample_figure()), draw_svg(sample_figure()));
}

TEST(Figure, OtherDataGiveOtherBytes) {
    Figure other = sample_figure();
    other.panels[0].series[0].points[0].y = 1.5;

    EXPECT_NE(draw_svg(other), draw_svg(sample_figure()));
}

TEST(Figure, NamesNoVersionAndNoTime) {
    const std::string svg = draw_svg(sample_figure());

    EXPECT_EQ(svg.find("patchlevel"), std::string::npos);
    EXPECT_EQ(svg.find("GNUPLOT"), std::string::npos);
    EXPECT_SAYS(svg, "<desc>Drawn by gnuplot from result rows</desc>");
    EXPECT_SAYS(svg, "<title>The paper's &lt;figure&gt; &amp; more</title>");
}

TEST(Figure, TextWithMarkupCharactersIsDrawnAsItStands) {
    const std::string svg = draw_svg(sample_figure());

    EXPECT_SAYS(svg, ">A &amp; B &lt; C<");
    EXPECT_SAYS(svg, ">minimum_norm<");
}

TEST(Figure, BandIsShadedAndHasNeitherBarsNorMarks) {
    Figure figure = sample_figure();
    figure.panels.resize(1);
    figure.panels[0].series.resize(1);
    figure.panels[0].series[0].style = SeriesStyle::band;

    const std::string script = figure_script(figure);

    EXPECT_EQ(count(script, "using 1:3:4 with filledcurves"), 1U);
    EXPECT_EQ(count(script, "using 1:2 with lines "), 1U);
    EXPECT_EQ(count(script, "yerrorbars"), 0U);
    const std::size_t shaded = count(draw_svg(figure), "fill-opacity");
    figure.panels[0].series[0].style = SeriesStyle::line;
    EXPECT_GT(shaded, count(draw_svg(figure), "fill-opacity"));
}

TEST(Figure, HasAWhiteBackgroundForDarkPages) {
    EXPECT_SAYS(draw_svg(sample_figure()), "fill=\"#ffffff\"");
}

TEST(Figure, NamesFontsThatEveryMachineHasOneOf) {
    const std::string svg = draw_svg(sample_figure());

    EXPECT_EQ(count(svg, "font-family=\"Arial\""), 0U);
    EXPECT_GT(count(svg, "'DejaVu Sans', sans-serif"), 0U);
}

TEST(Figure, NoMatrixIsSingular) {
    // A mark of size 0 makes some renderers reject the whole picture.
    Figure figure = sample_figure();
    figure.panels[0].series[2].points = {{0, 1, 0.5, 2}};

    EXPECT_EQ(count(draw_svg(figure), "scale(0.00)"), 0U);
}

TEST(Figure, ValueThatALogAxisCannotShowIsLabelledAsSuch) {
    EXPECT_SAYS(draw_svg(sample_figure()), "≤ 0");

    Figure positive = sample_figure();
    for (Panel& panel : positive.panels) {
        panel.series[0].points.pop_back();
    }
    EXPECT_EQ(draw_svg(positive).find("≤ 0"), std::string::npos);
}

TEST(Figure, FewCountsHaveATickEachAndOtherPositionsDoNot) {
    const auto script_over = [](double first, double second) {
        Figure figure;
        figure.panels.resize(1);
        figure.panels[0].series = {{"curve", {{first, 1, 1, 1}, {second, 2, 2, 2}}}};
        return figure_script(figure);
    };

    EXPECT_EQ(count(script_over(2, 4), "set xtics nomirror 1\n"), 1U);
    EXPECT_EQ(count(script_over(2, 40), "set xtics nomirror autofreq\n"), 1U);
    EXPECT_EQ(count(script_over(2.5, 4), "set xtics nomirror autofreq\n"), 1U);
}

TEST(Figure, SeriesOfOneNameLookTheSameInEveryPanel) {
    Figure figure = sample_figure();
    figure.panels[1].series.erase(figure.panels[1].series.begin());

    const std::string script = figure_script(figure);

    const std::regex element(
        "(\\$data[0-9_]+) using 1:2 with points( lc rgb '#[0-9a-f]+' pt [0-9]+)");
    std::set<std::string> blocks;
    std::set<std::string> looks;
    for (std::sregex_iterator at(script.begin(), script.end(), element), end; at != end; ++at) {
        blocks.insert((*at)[1]);
        looks.insert((*at)[2]);
    }
    EXPECT_EQ(blocks.size(), 2U);
    EXPECT_EQ(looks.size(), 1U);
}

TEST(Figure, SharedLegendNamesEverySeriesOnce) {
    Figure figure = sample_figure();
    for (Panel& panel : figure.panels) {
        panel.legend = Legend::none;
    }
    EXPECT_EQ(count(figure_script(figure), "set label 'ridge' at screen"), 0U);

    figure.legend = Legend::below;
    EXPECT_EQ(count(figure_script(figure), "set label 'ridge' at screen"), 1U);
}

TEST(Figure, ErrorBarsAppearWithTheirData) {
    Figure bare = sample_figure();
    for (Panel& panel : bare.panels) {
        for (Point& point : panel.series[0].points) {
            point.low = point.high = point.y;
        }
    }

    EXPECT_NE(draw_svg(bare), draw_svg(sample_figure()));
}

TEST(Figure, TextCannotBecomeACommand) {
    Figure figure = sample_figure();
    figure.panels[0].title = "'; system('touch pwned') #\nEOD\nset title 'x'";
    figure.panels[0].series[0].name = "a' . b\nquit";

    EXPECT_TRUE(is_well_formed(draw_svg(figure)));
    EXPECT_FALSE(std::filesystem::exists("pwned"));
}

using test::TemporaryFolder;

/// An environment variable with another value while this lives.
class Environment {
public:
    Environment(const char* name, const std::string& value) : name_(name) {
        const char* old = std::getenv(name);
        known_ = old != nullptr;
        previous_ = known_ ? old : "";
        setenv(name, value.c_str(), 1);
    }

    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    Environment(Environment&&) = delete;
    Environment& operator=(Environment&&) = delete;

    ~Environment() {
        if (known_) {
            setenv(name_, previous_.c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }

private:
    const char* name_;
    bool known_ = false;
    std::string previous_;
};

TEST(Gnuplot, ReturnsWhatTheScriptDraws) {
    const std::string svg = run_gnuplot("set terminal svg\nplot x\n");

    EXPECT_EQ(svg.find("<?xml"), 0U);
    EXPECT_SAYS(svg, "</svg>");
}

TEST(Gnuplot, RejectedScriptIsOurMistakeAndItsMessageIsShown) {
    const std::string message =
        test::error_message<BrokenInvariant>([] { (void)run_gnuplot("set nonsense\n"); });

    EXPECT_EQ(message.find("run_gnuplot: line 1: unrecognized option"), 0U) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Gnuplot, ScriptThatDrawsNothingIsAnError) {
    EXPECT_FAILS(EnvironmentFailure,
                 "run_gnuplot: gnuplot drew nothing: no message",
                 run_gnuplot("x = 1\n"));
}

TEST(Gnuplot, AbsentGnuplotNamesThePackage) {
    const TemporaryFolder empty;
    const Environment path("PATH", empty.path().string());

    EXPECT_FAILS(NotAvailable, "run_gnuplot: gnuplot is not installed", run_gnuplot("plot x\n"));
}

TEST(Gnuplot, LeavesNoTemporaryFileWhateverHappens) {
    const TemporaryFolder directory;
    const Environment temporary("TMPDIR", directory.path().string());

    (void)run_gnuplot("set terminal svg\nplot x\n");
    EXPECT_THROW((void)run_gnuplot("set nonsense\n"), BrokenInvariant);

    EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(Gnuplot, TemporaryDirectoryThatIsNotThereIsAnEnvironmentFailure) {
    const Environment temporary("TMPDIR", "/nonexistent");

    EXPECT_THROW((void)run_gnuplot("plot x\n"), EnvironmentFailure);
}

TEST(Gnuplot, SettingsOfTheUserHaveNoInfluence) {
    const std::string script = "set terminal svg\nplot x\n";
    const std::string before = run_gnuplot(script);
    const TemporaryFolder home;
    write_text(home.path() / ".gnuplot", "set title 'mine'\n");
    const Environment folder("HOME", home.path().string());

    EXPECT_EQ(run_gnuplot(script), before);
}

}  // namespace

}  // namespace attest::record_test
