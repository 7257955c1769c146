#include "core/data/dataset_file.hpp"
#include "tests/distributed/drawn_data.hpp"
#include "tests/distributed/mpirun.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace attest::test {
namespace {

class AttestMpiFaults : public testing::Test {
protected:
    void SetUp() override {
        const Dataset data = drawn_dataset(4, 1, 3000);
        for (Index s = 0; s < 3; ++s) {
            shards_.push_back(folder_.file("data-" + std::to_string(s) + ".npz"));
            write_dataset(shards_.back(), subset(data, 1000 * s, 1000));
        }
    }

    [[nodiscard]] std::vector<std::string> learn(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"learn"};
        words.insert(words.end(), shards_.begin(), shards_.end());
        words.insert(words.end(), {"--solver", "kron"});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    /// One line, this exit code, nothing on standard output.
    static void expect_failure(const RunResult& run, int code, const std::string& words) {
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        ASSERT_EQ(complaints(run).size(), 1U) << run.err;
        EXPECT_NE(complaints(run).front().find(words), std::string::npos) << run.err;
    }

    TemporaryFolder folder_;
    std::vector<std::string> shards_;
};

/// mpirun's arguments for two ranks that differ by what stands before the program.
std::vector<std::string> second_rank_with(const std::vector<std::string>& before,
                                          const std::vector<std::string>& words) {
    std::vector<std::string> all{"-n", "1", ATTEST_MPI_BINARY};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {":", "-n", "1"});
    all.insert(all.end(), before.begin(), before.end());
    all.emplace_back(ATTEST_MPI_BINARY);
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

TEST_F(AttestMpiFaults, AMissingShardIsNamed) {
    std::filesystem::remove(shards_[1]);
    expect_failure(on_ranks(2, learn()), 4, "data-1.npz");
}

TEST_F(AttestMpiFaults, AShardThatOnlyOneRankLacksIsNamed) {
    // Relative names, and the second rank starts in a folder of its own that lacks one of them.
    const std::filesystem::path other = folder_.path() / "other";
    std::filesystem::create_directory(other);
    std::filesystem::copy(shards_[0], other / "data-0.npz");
    const std::vector<std::string> words{
        "learn", "data-0.npz", "data-1.npz", "data-2.npz", "--solver", "kron"};
    std::vector<std::string> all{"-n", "1", "-wdir", folder_.path(), ATTEST_MPI_BINARY};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {":", "-n", "1", "-wdir", other.string(), ATTEST_MPI_BINARY});
    all.insert(all.end(), words.begin(), words.end());
    expect_failure(mpirun(all), 4, "(rank 1 of 2)");
}

TEST_F(AttestMpiFaults, ACorruptShardIsNamed) {
    // Its headers are right, so that the rank that reads it finds it.
    std::fstream file(shards_[2], std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(20000);
    file.put('\x55').put('\xaa').put('\x55').put('\xaa');
    file.close();
    expect_failure(on_ranks(3, learn()), 4, "data-2.npz");
}

TEST_F(AttestMpiFaults, ACorruptRangeOfAnotherRankIsFound) {
    // Rank 0 has the file's first block and checks all of it; the others jump to theirs.
    const std::string whole = folder_.file("whole.npz");
    write_dataset(whole, drawn_dataset(4, 1, 5000));
    std::fstream file(whole, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(whole) / 2));
    file.put('\x55').put('\xaa').put('\x55').put('\xaa');
    file.close();
    shards_ = {whole};
    expect_failure(on_ranks(3, learn()), 4, "(rank 0 of 3)");
}

TEST_F(AttestMpiFaults, AShardOfAnotherSizeIsNamed) {
    write_dataset(shards_[1], drawn_dataset(3, 1, 50));
    expect_failure(on_ranks(2, learn()), 4, "data-1.npz: has d = 3, o = 1");
}

TEST_F(AttestMpiFaults, TokensOfExtremeSizeAreRefused) {
    Dataset extreme = drawn_dataset(4, 1, 1000);
    extreme.tokens.own()(0, 0) = 0x1p200;
    write_dataset(shards_[2], extreme);
    expect_failure(on_ranks(2, learn()), 5, "scale them by powers of two");
}

TEST_F(AttestMpiFaults, TheMemoryOfOneRankIsTooSmall) {
    expect_failure(mpirun(second_rank_with({"env", "ATTEST_MEMORY_LIMIT=100000"}, learn())),
                   5,
                   "(rank 1 of 2)");
}

TEST_F(AttestMpiFaults, TheDiskOfRank0IsFull) {
    expect_failure(on_ranks(2, learn({"-o", "/dev/full"})), 5, "/dev/full");
    expect_failure(on_ranks(2, learn({"-o", folder_.file("none/model.npz")})), 5, "none/model.npz");
}

TEST_F(AttestMpiFaults, RanksWithOtherArgumentsAreTold) {
    std::vector<std::string> all{"-n", "1", ATTEST_MPI_BINARY};
    const std::vector<std::string> words = learn();
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {":", "-n", "1", ATTEST_MPI_BINARY});
    const std::vector<std::string> others = learn({"--ridge", "1"});
    all.insert(all.end(), others.begin(), others.end());
    expect_failure(mpirun(all), 4, "start all alike");
}

TEST_F(AttestMpiFaults, AWrongOptionIsOneLine) {
    expect_failure(on_ranks(2, learn({"--sovler", "kron"})), 2, "--sovler");
}

/// The processes that a process has started, by /proc.
std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> found;
    const std::string name = std::to_string(parent);
    std::ifstream file("/proc/" + name + "/task/" + name + "/children");
    for (pid_t child = 0; file >> child;) {
        found.push_back(child);
    }
    return found;
}

TEST_F(AttestMpiFaults, AKilledRankEndsAllRanks) {
    // Long enough to be killed in its middle.
    const std::vector<std::string> words{
        "-n", "2", ATTEST_MPI_BINARY, "bench", "--d", "16", "--ratio", "8", "--solver", "kron"};
    set_mpi_environment();
    RunningProgram program(MPIEXEC, words);
    std::vector<pid_t> ranks;
    while (ranks.size() < 2 || processor_ticks(ranks[0]) + processor_ticks(ranks[1]) < 50) {
        ASSERT_TRUE(runs(program.id())) << "it ended by itself";
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ranks = children_of(program.id());
    }
    kill(ranks[1], SIGKILL);
    const RunResult run = program.wait();
    EXPECT_EQ(run.code, 128 + SIGKILL) << run.err;
    EXPECT_EQ(run.out, "");
    while (runs(ranks[0])) {  // for ever, where the other rank is not ended
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace
}  // namespace attest::test
