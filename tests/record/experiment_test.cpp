#include "record/experiment.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "record/jsonl.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <limits>
#include <new>
#include <sstream>

namespace attest::record_test {

namespace {

CaseOutcome distance(double value) {
    CaseOutcome outcome;
    outcome.metrics["distance"] = {value};
    return outcome;
}

class RunExperiment : public testing::Test {
protected:
    void SetUp() override { clear_interrupt(); }

    void TearDown() override { clear_interrupt(); }

    void add(std::function<CaseOutcome()> run) {
        const auto number = static_cast<Index>(experiment_.cases.size());
        experiment_.cases.push_back(
            {{.task = "demo", .seed = 1, .repetition = number}, std::move(run)});
    }

    void add_counted(double value) {
        add([this, value] {
            ++runs_;
            return distance(value);
        });
    }

    [[nodiscard]] std::vector<Row> run(Restart restart = Restart::anew) {
        return run_experiment(experiment_,
                              lock_,
                              sample_header().provenance,
                              restart,
                              {.mode = ProgressMode::quiet, .out = &messages_});
    }

    [[nodiscard]] std::vector<Row> stored() const {
        return read_result_file(result_path(experiment_, lock_)).rows;
    }

    test::TemporaryFolder directory_;
    DirectoryLock lock_{directory_.path()};
    Experiment experiment_{.id = "demo", .seed = 1};
    std::ostringstream messages_;
    int runs_ = 0;
};

TEST_F(RunExperiment, EachCaseGivesOneRowInOrder) {
    add_counted(0.5);
    add_counted(0.25);

    const std::vector<Row> rows = run();

    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].id, "demo");
    EXPECT_EQ(rows[1].key.repetition, 1);
    EXPECT_EQ(rows[0].status, RowStatus::ok);
    EXPECT_EQ(rows[0].blas, ", 0 threads, ");
    EXPECT_GE(rows[0].seconds, 0.0);
    EXPECT_EQ(stored().size(), 2U);
    EXPECT_EQ(messages_.str(), "");
}

TEST_F(RunExperiment, EveryKindOfFailureIsARowAndTheRunGoesOn) {
    add([]() -> CaseOutcome { throw InvalidInput("bad shape"); });
    add([]() -> CaseOutcome { throw NotAvailable("no backend"); });
    add([]() -> CaseOutcome { throw EnvironmentFailure("too large"); });
    add([]() -> CaseOutcome { throw std::bad_alloc(); });
    add([]() -> CaseOutcome { throw 7; });
    add([] { return distance(std::nan("")); });
    add([] { return CaseOutcome{.status = RowStatus::refused, .message = "ill conditioned"}; });
    add_counted(1.0);
    const std::vector<std::pair<RowStatus, std::string>> expected{
        {RowStatus::failed, "bad shape"},
        {RowStatus::skipped, "no backend"},
        {RowStatus::refused, "too large"},
        {RowStatus::refused, "out of memory"},
        {RowStatus::failed, "an exception that is no std::exception"},
        {RowStatus::failed, "metric distance is not a number"},
        {RowStatus::refused, "ill conditioned"},
        {RowStatus::ok, ""}};

    const std::vector<Row> rows = run();

    ASSERT_EQ(rows.size(), expected.size());
    ASSERT_EQ(stored().size(), expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(stored()[i].status, expected[i].first) << i;
        EXPECT_EQ(rows[i].message, expected[i].second) << i;
    }
    EXPECT_SAYS(messages_.str(), "failed: demo, seed 1, repetition 0: bad shape\n");
}

TEST_F(RunExperiment, InfinityIsAResult) {
    add([] { return distance(std::numeric_limits<double>::infinity()); });

    EXPECT_EQ(run().at(0).status, RowStatus::ok);
    EXPECT_TRUE(std::isinf(stored().at(0).metrics.at("distance").value));
}

TEST_F(RunExperiment, ResumeSkipsWhatIsDoneAndRetriesWhatFailed) {
    bool healthy = false;
    add_counted(0.5);
    add([&healthy] {
        require(healthy, "not yet");
        return distance(2.0);
    });
    add_counted(0.25);
    (void)run();
    healthy = true;

    const std::vector<Row> rows = run(Restart::resume);

    EXPECT_EQ(runs_, 2);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].status, RowStatus::ok);
    EXPECT_EQ(rows[1].key.repetition, 1);
    EXPECT_EQ(stored().size(), 4U);
    EXPECT_EQ(latest_rows(stored()).at(1).status, RowStatus::ok);
}

TEST_F(RunExperiment, WithoutResumeEverythingRunsAgain) {
    add_counted(0.5);
    (void)run();
    (void)run();

    EXPECT_EQ(runs_, 2);
    EXPECT_EQ(stored().size(), 1U);
}

TEST_F(RunExperiment, ResumeRefusesAnotherSeed) {
    add_counted(0.5);
    (void)run();
    experiment_.seed = 2;

    const std::string message =
        test::error_message<InvalidInput>([&] { (void)run(Restart::resume); });

    EXPECT_SAYS(message, "cannot resume: seed is 1 there and 2 here");
    EXPECT_EQ(runs_, 1);
}

TEST_F(RunExperiment, ResumeAfterACrashTellsWhatWasDroppedAndRunsItAgain) {
    add_counted(0.5);
    add_counted(0.25);
    (void)run();
    const std::filesystem::path file = result_path(experiment_, lock_);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 5);

    const std::vector<Row> rows = run(Restart::resume);

    EXPECT_EQ(runs_, 3);
    EXPECT_EQ(rows.size(), 2U);
    EXPECT_EQ(messages_.str(), "demo.jsonl:3: the last line is cut off\n");
}

TEST_F(RunExperiment, InterruptKeepsTheRowsAndResumeFinishesTheRest) {
    install_interrupt_handlers();
    add_counted(0.5);
    add([] {
        std::raise(SIGINT);
        throw_if_stopped("solve");  // as the long loops of core do
        return distance(1.0);
    });
    add_counted(0.25);

    const std::string message = test::error_message<Interrupted>([&] { (void)run(); });
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);

    EXPECT_EQ(message,
              "demo: interrupted; 1 of 3 cases are in " + result_path(experiment_, lock_).string() +
                  ", continue with --resume");
    ASSERT_EQ(stored().size(), 2U);
    EXPECT_EQ(stored()[1].status, RowStatus::interrupted);
    EXPECT_EQ(runs_, 1);

    clear_interrupt();
    experiment_.cases[1].run = [] { return distance(1.0); };
    EXPECT_EQ(run(Restart::resume).size(), 3U);
    EXPECT_EQ(runs_, 2);
}

TEST_F(RunExperiment, InterruptBetweenCasesStopsBeforeTheNext) {
    install_interrupt_handlers();
    add([] {
        std::raise(SIGTERM);
        return distance(1.0);
    });
    add_counted(0.25);

    EXPECT_THROW((void)run(), Interrupted);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);

    EXPECT_EQ(stored().size(), 1U);
    EXPECT_EQ(stored()[0].status, RowStatus::ok);
    EXPECT_EQ(runs_, 0);
}

TEST_F(RunExperiment, TwoCasesOfOneKeyAreAMistake) {
    add_counted(0.5);
    experiment_.cases.push_back(experiment_.cases.front());

    const std::string message = test::error_message<BrokenInvariant>([&] { (void)run(); });

    EXPECT_EQ(message.find("run_experiment: demo: two cases demo, seed 1, repetition 0"), 0U)
        << message;
}

TEST_F(RunExperiment, FileThatCannotBeWrittenEndsTheRunAtOnce) {
    std::filesystem::create_symlink("/dev/full", result_path(experiment_, lock_));
    add_counted(0.5);

    EXPECT_THROW((void)run(), EnvironmentFailure);
    EXPECT_EQ(runs_, 0);
}

}  // namespace

}  // namespace attest::record_test
