#include "core/base/child_process.hpp"

#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace attest {
namespace {

TEST(RunChild, ReturnsOutputAndExitCode) {
    const ChildResult result = run_child({"sh", "-c", "printf 'a\\nb'; exit 7"});

    EXPECT_EQ(result.code, 7);
    EXPECT_EQ(result.out, "a\nb");
}

TEST(RunChild, ReadsMoreThanAPipeHolds) {
    EXPECT_EQ(run_child({"sh", "-c", "head -c 300000 /dev/zero"}).out.size(), 300000U);
}

TEST(RunChild, SaysThatASignalEndedIt) {
    EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}).code, -1);
}

TEST(RunChild, ChangesAndRemovesVariablesAndKeepsTheOthers) {
    setenv("ATTEST_TEST_GONE", "x", 1);
    setenv("ATTEST_TEST_KEPT", "y", 1);

    const ChildResult result =
        run_child({"sh", "-c", "echo ${ATTEST_TEST_GONE-unset} $ATTEST_TEST_KEPT $ATTEST_TEST_NEW"},
                  {{"ATTEST_TEST_GONE", std::nullopt}, {"ATTEST_TEST_NEW", "z"}});

    EXPECT_EQ(result.out, "unset y z\n");
}

TEST(RunChild, NamesAProgramThatCannotBeStarted) {
    try {
        (void)run_child({"/nonexistent/program"});
        FAIL() << "nothing was thrown";
    } catch (const NotAvailable& error) {
        EXPECT_STREQ(error.what(), "/nonexistent/program: cannot be started; is it installed?");
    }
    EXPECT_THROW((void)run_child({}), InvalidInput);
}

TEST(ProgramFolder, HoldsThisProgram) {
    EXPECT_EQ(run_child({"test", "-x", program_folder() + "/core_base_test"}).code, 0);
}

}  // namespace
}  // namespace attest
