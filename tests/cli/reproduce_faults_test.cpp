// What happens to the rows of `attest reproduce` when a run is killed, interrupted, doubled, or
// cannot write.
#include "bench/experiments/catalogue.hpp"
#include "record/directory_lock.hpp"
#include "record/jsonl.hpp"
#include "report/catalogue.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace attest::test {
namespace {

/// Many short cases.
constexpr const char* kExperiment = "heads_tradeoff";

std::vector<std::string> reproduce_words(const TemporaryFolder& folder) {
    return {"reproduce", kExperiment, "--profile", "quick", "--out", folder.path().string()};
}

std::filesystem::path rows_file(const TemporaryFolder& folder) {
    return folder.path() / "quick" / (std::string(kExperiment) + ".jsonl");
}

std::vector<std::string> with(std::vector<std::string> words, const char* word) {
    words.emplace_back(word);
    return words;
}

/// Waits until the file that a program writes holds this many lines; false where it ends before.
bool wait_for_lines(const RunningProgram& program,
                    const std::filesystem::path& file,
                    std::ptrdiff_t count) {
    while (runs(program.id())) {
        const std::string text = file_content(file.string());
        if (std::count(text.begin(), text.end(), '\n') >= count) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

std::multiset<std::string> identities(const std::vector<Row>& rows) {
    std::multiset<std::string> all;
    for (const Row& row : rows) {
        all.insert(identity(row.key));
    }
    return all;
}

std::multiset<std::string> cases_of_the_experiment() {
    std::multiset<std::string> all;
    for (const Case& one : entry_named(experiments(), kExperiment).make(Profile::quick, 0).cases) {
        all.insert(identity(one.key));
    }
    return all;
}

/// A run that was killed in its middle, then resumed to its end.
class KilledRun : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<TemporaryFolder>();
        RunningProgram running(ATTEST_BINARY, reproduce_words(*folder_));
        ASSERT_TRUE(wait_for_lines(running, rows_file(*folder_), 40));
        running.send(SIGKILL);
        EXPECT_EQ(running.wait().code, -1);
        const ResultFile killed = read_result_file(rows_file(*folder_));
        rows_when_killed_ = killed.rows.size();
        text_when_killed_ =
            file_content(rows_file(*folder_).string()).substr(0, killed.complete_bytes);
        resumed_ = run_attest(with(reproduce_words(*folder_), "--resume"));
    }

    static void TearDownTestSuite() { folder_.reset(); }

    static std::unique_ptr<TemporaryFolder> folder_;
    static std::size_t rows_when_killed_;
    static std::string text_when_killed_;
    static RunResult resumed_;
};

std::unique_ptr<TemporaryFolder> KilledRun::folder_;
std::size_t KilledRun::rows_when_killed_ = 0;
std::string KilledRun::text_when_killed_;
RunResult KilledRun::resumed_;

TEST_F(KilledRun, LosesNoCaseAndDoublesNone) {
    const std::multiset<std::string> cases = cases_of_the_experiment();

    EXPECT_LT(rows_when_killed_, cases.size()) << "it was killed too late to show anything";
    EXPECT_EQ(resumed_.code, 0) << resumed_.err;
    EXPECT_EQ(identities(read_result_file(rows_file(*folder_)).rows), cases);
    EXPECT_TRUE(file_content(rows_file(*folder_).string()).starts_with(text_when_killed_))
        << "a finished case was measured again";
}

TEST_F(KilledRun, ReportsACorruptedRowByItsLineAndMeasuresOnlyThatCaseAgain) {
    const TemporaryFolder copy;
    std::filesystem::create_directories(rows_file(copy).parent_path());
    std::istringstream lines(file_content(rows_file(*folder_).string()));
    std::ofstream damaged(rows_file(copy));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        damaged << (number == 12 ? line.substr(0, 30) : line) << '\n';
    }
    damaged.close();

    const RunResult run = run_attest(with(reproduce_words(copy), "--resume"));

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_SAYS(run.err, std::string(kExperiment) + ".jsonl:12: row: ");
    const ResultFile file = read_result_file(rows_file(copy));
    EXPECT_EQ(identities(file.rows), cases_of_the_experiment());
    EXPECT_EQ(file.problems.size(), 1U);
}

TEST(InterruptedRun, SaysHowToGoOnAndExitsWith130) {
    const TemporaryFolder folder;
    RunningProgram running(ATTEST_BINARY, reproduce_words(folder));
    ASSERT_TRUE(wait_for_lines(running, rows_file(folder), 5));

    running.send(SIGINT);
    const RunResult run = running.wait();

    EXPECT_EQ(run.code, 130);
    const std::string expected =
        "go on with: attest reproduce heads_tradeoff --profile quick --out " +
        folder.path().string() + " --results results --seed 0 --resume\n";
    EXPECT_TRUE(run.err.ends_with(expected)) << run.err;
    EXPECT_TRUE(file_content(rows_file(folder).string()).ends_with("\n"));
}

/// The shell lowers its limit on the size of files, in blocks of 512 bytes, and becomes attest.
RunResult run_with_small_files(int blocks, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{
        "-c",
        "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + "; exec \"$@\"",
        "sh",
        ATTEST_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program("/bin/sh", words);
}

/// Values of a file's rows by their cases and names, but for seconds.
std::map<std::string, double> values_in(const std::filesystem::path& file) {
    std::map<std::string, double> all;
    for (const Row& row : read_result_file(file).rows) {
        for (const auto& [name, metric] : row.metrics) {
            if (metric.unit != "s") {
                all[identity(row.key) + name] = metric.value;
            }
        }
    }
    return all;
}

std::vector<std::string> side_by_side_words(const TemporaryFolder& folder) {
    return {"reproduce",
            kExperiment,
            "iid_certificate",
            "--jobs",
            "2",
            "--out",
            folder.path().string()};
}

/// Waits until nobody writes into the folder any more.
void expect_free(const std::filesystem::path& folder) {
    for (;;) {
        try {
            const DirectoryLock lock(folder);
            return;
        } catch (const EnvironmentFailure&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

TEST(SideBySide, ExperimentsFindWhatTheyFindOneAfterTheOther) {
    const TemporaryFolder together;
    const TemporaryFolder alone;

    const auto found = run_json({"reproduce",
                                 "solver_accuracy",  // the shorter: begun last
                                 "sketching",
                                 "--jobs",
                                 "2",
                                 "--out",
                                 together.path().string()});
    (void)run_json({"reproduce",
                    "solver_accuracy",
                    "sketching",
                    "--jobs",
                    "1",
                    "--out",
                    alone.path().string()});

    std::vector<std::string> ids;
    for (const auto& experiment : found.at("experiments")) {
        ids.push_back(experiment.at("id"));
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"solver_accuracy", "sketching"}));
    for (const char* id : {"solver_accuracy", "sketching"}) {
        const std::string name = std::string("quick/") + id + ".jsonl";
        EXPECT_EQ(values_in(together.path() / name), values_in(alone.path() / name)) << id;
    }
}

TEST(SideBySide, AnInterruptStopsAllOfThemAndSaysHowToGoOn) {
    const TemporaryFolder folder;
    RunningProgram running(ATTEST_BINARY, side_by_side_words(folder));
    ASSERT_TRUE(wait_for_lines(running, rows_file(folder), 5));

    running.send(SIGINT);  // to the first process alone
    const RunResult run = running.wait();

    EXPECT_EQ(run.code, 130);
    EXPECT_TRUE(run.err.ends_with("--seed 0 --jobs 2 --resume\n")) << run.err;
    EXPECT_NO_THROW(DirectoryLock(folder.path() / "quick")) << "one of them still writes";
    EXPECT_TRUE(file_content(rows_file(folder).string()).ends_with("\n"));
}

TEST(SideBySide, AKillEndsAllOfThem) {
    const TemporaryFolder folder;
    RunningProgram running(ATTEST_BINARY, side_by_side_words(folder));
    ASSERT_TRUE(wait_for_lines(running, rows_file(folder), 5));

    running.send(SIGKILL);
    EXPECT_EQ(running.wait().code, -1);

    expect_free(folder.path() / "quick");
    EXPECT_LT(read_result_file(rows_file(folder)).rows.size(), cases_of_the_experiment().size());
}

TEST(SideBySide, AFullDiskEndsTheRunInOneLine) {
    const TemporaryFolder folder;

    const RunResult run = run_with_small_files(16, side_by_side_words(folder));

    EXPECT_EQ(run.code, 5);
    EXPECT_SAYS(run.err, "cannot write");
    EXPECT_TRUE(read_result_file(rows_file(folder)).problems.empty());
}

TEST(SecondRun, OnOneFolderIsRefusedInOneLine) {
    const TemporaryFolder folder;
    const DirectoryLock first(folder.path() / "quick");

    const RunResult run = run_attest(reproduce_words(folder));

    EXPECT_EQ(run.code, 5);
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_SAYS(run.err, "another run");
}

TEST(FullDisk, EndsTheRunWithWholeRows) {
    const TemporaryFolder folder;

    const RunResult run = run_with_small_files(16, reproduce_words(folder));

    EXPECT_EQ(run.code, 5);
    EXPECT_SAYS(run.err, "cannot write");
    const ResultFile file = read_result_file(rows_file(folder));
    EXPECT_TRUE(file.problems.empty());
    EXPECT_GT(file.rows.size(), 0U);
}

TEST(FullDisk, LeavesNoHalfReport) {
    const TemporaryFolder folder;
    const std::string results = ATTEST_RESULTS "/quick/chen_li_rarity.jsonl";

    const RunResult run =
        run_with_small_files(16, {"report", results, "-o", folder.file("report.html")});

    EXPECT_EQ(run.code, 5) << run.err;
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_TRUE(folder.names().empty());
    EXPECT_EQ(run_attest({"report", results, "-o", "/dev/full"}).code, 5);
}

TEST(FullDisk, UnderStandardOutputIsNoticed) {
    const std::string results = ATTEST_RESULTS "/quick/chen_li_rarity.jsonl";

    const RunResult run = run_program(
        "/bin/sh",
        {"-c", "exec \"$@\" > /dev/full", "sh", ATTEST_BINARY, "compare", results, results});

    EXPECT_EQ(run.code, 5);
    EXPECT_EQ(run.err, "attest compare: standard output could not be written\n");
}

TEST(MissingPeers, AreRowsThatSaySkippedAndNoFailure) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("torch.py")) << "raise ImportError('absent')\n";
    const std::string path =
        "PYTHONPATH=" + std::filesystem::path(folder.file("x")).parent_path().string();

    const RunResult run = run_program(
        "/usr/bin/env",
        {path, ATTEST_BINARY, "reproduce", "training_speed", "--out", folder.file("out")});

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_SAYS(run.err, "skipped");
}

TEST(Everything, IsReproducedInSixMinutesOneAfterTheOther) {
    double seconds = 0.0;
    for (const ExperimentEntry& entry : catalogue("results")) {
        seconds += entry.quick_seconds;
    }

    EXPECT_LE(seconds, 360.0) << "the quick profile of attest reproduce all";
}

TEST(ReadOnlyOutput, IsRefusedBeforeAnythingRuns) {
    const RunResult run = run_attest({"reproduce", kExperiment, "--out", "/proc/attest"});

    EXPECT_EQ(run.code, 5);
    EXPECT_TRUE(one_line(run.err)) << run.err;
}

}  // namespace
}  // namespace attest::test
