#include "record/figure/gnuplot.hpp"

#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

using attest::run_gnuplot;
using attest::record_test::message_of;
using attest::test::TemporaryFolder;

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
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(Gnuplot, RejectedScriptIsOurMistakeAndItsMessageIsShown) {
    const std::string message =
        message_of<attest::BrokenInvariant>([] { (void)run_gnuplot("set nonsense\n"); });

    EXPECT_EQ(message.find("run_gnuplot: line 1: unrecognized option"), 0U) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Gnuplot, ScriptThatDrawsNothingIsAnError) {
    EXPECT_EQ(message_of<attest::EnvironmentFailure>([] { (void)run_gnuplot("x = 1\n"); }),
              "run_gnuplot: gnuplot drew nothing: no message");
}

TEST(Gnuplot, AbsentGnuplotNamesThePackage) {
    const TemporaryFolder empty;
    const Environment path("PATH", empty.path().string());

    EXPECT_EQ(message_of<attest::NotAvailable>([] { (void)run_gnuplot("plot x\n"); }),
              "run_gnuplot: gnuplot is not installed; install the package gnuplot-nox to draw "
              "figures");
}

TEST(Gnuplot, LeavesNoTemporaryFileWhateverHappens) {
    const TemporaryFolder directory;
    const Environment temporary("TMPDIR", directory.path().string());

    (void)run_gnuplot("set terminal svg\nplot x\n");
    EXPECT_THROW((void)run_gnuplot("set nonsense\n"), attest::BrokenInvariant);

    EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(Gnuplot, TemporaryDirectoryThatIsNotThereIsAnEnvironmentFailure) {
    const Environment temporary("TMPDIR", "/nonexistent");

    EXPECT_THROW((void)run_gnuplot("plot x\n"), attest::EnvironmentFailure);
}

TEST(Gnuplot, SettingsOfTheUserHaveNoInfluence) {
    const std::string script = "set terminal svg\nplot x\n";
    const std::string before = run_gnuplot(script);
    const TemporaryFolder home;
    attest::record_test::write_text(home.path() / ".gnuplot", "set title 'mine'\n");
    const Environment folder("HOME", home.path().string());

    EXPECT_EQ(run_gnuplot(script), before);
}

}  // namespace
