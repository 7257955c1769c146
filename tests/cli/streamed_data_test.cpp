#include "core/data/dataset_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

/// Three shards of N sequences of n grid-normal tokens with d = 2 and one head's labels.
class Shards {
public:
    explicit Shards(Index n, Index N = 400) {
        for (Index k = 0; k < 3; ++k) {
            Dataset shard =
                planted_dataset(normal_parameters(2, 1, 1, Stream(1)), N, n, Stream(10).child(k));
            bytes_ += 8.0 * static_cast<double>(shard.tokens.size());
            shard.truth = {};
            write_dataset(folder_.file(formatted("part-{}.npz", 9 + k)), shard);
        }
    }

    [[nodiscard]] std::string path() const { return folder_.path(); }

    [[nodiscard]] std::string file(const std::string& name) const { return other_.file(name); }

    /// Of the tokens as doubles.
    [[nodiscard]] double bytes() const { return bytes_; }

    /// The same data set in one file.
    [[nodiscard]] std::string joined() const {
        std::string file = other_.file("joined.npz");
        write_dataset(file, read_dataset(path()));
        return file;
    }

private:
    TemporaryFolder folder_;
    TemporaryFolder other_;
    double bytes_ = 0.0;
};

/// A limit beyond which these data are read in parts, with room for psi = 6.
constexpr long kSmall = 30000000;

TEST(AttestOnShards, TakesAFolderForTheDataSetInIt) {
    const Shards shards(3);
    const std::string joined = shards.joined();
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"certify", "--level", "exact", "--coverage"},
          std::vector<std::string>{"certify", "--level", "grouped"},
          std::vector<std::string>{"learn", "--solver", "gram64"},
          std::vector<std::string>{"probe", "--read"}}) {
        std::vector<std::string> folder = command;
        std::vector<std::string> file = command;
        folder.push_back(shards.path());
        file.push_back(joined);
        const RunResult of_file = run_attest(file);
        EXPECT_EQ(run_attest(folder).code, of_file.code) << command[0];
    }
    EXPECT_EQ(run_json({"certify", shards.path(), "--coverage"}, 0),
              run_json({"certify", joined, "--coverage"}, 0));
}

TEST(AttestOnShards, LearnsTheSameModelInPartsAndInMemory) {
    const Shards shards(400);
    for (const char* solver : {"gram64", "gram32", "kron", "tsqr", "svd"}) {
        const auto learn = [&](const std::string& data, const std::string& model) {
            return run_json({"learn", data, "--solver", solver, "-o", shards.file(model)});
        };
        const json whole = learn(shards.path(), "whole.npz");
        const MemoryLimit limit(kSmall);
        const json parts = learn(shards.path(), "parts.npz");

        EXPECT_EQ(parts["risk"], whole["risk"]) << solver;
        EXPECT_EQ(file_content(shards.file("parts.npz")), file_content(shards.file("whole.npz")))
            << solver;
        const json told = run_json({"predict", shards.file("parts.npz"), shards.path()});
        EXPECT_EQ(told["risk"], whole["risk"]) << solver;
    }
}

TEST(AttestOnShards, CertifiesTheSameInPartsAndInMemory) {
    const Shards shards(400);
    for (const char* level : {"numerical", "matrix-free", "exact", "rigorous", "auto"}) {
        const auto certify = [&](const std::string& proof) {
            std::vector<std::string> words{"certify", shards.path(), "--level", level};
            words.insert(words.end(), {"--proof", shards.file(proof)});
            json found = run_json(words);
            found.erase("proof");
            return found;
        };
        const json whole = certify("whole.cert");
        const MemoryLimit limit(kSmall);
        EXPECT_EQ(certify("parts.cert"), whole) << level;
        if (whole["verdict"] == "determined") {
            EXPECT_EQ(file_content(shards.file("parts.cert")),
                      file_content(shards.file("whole.cert")))
                << level;
        }
    }
    const json whole = run_json({"certify", shards.path(), "--coverage"});
    const MemoryLimit limit(kSmall);
    EXPECT_EQ(run_json({"certify", shards.path(), "--coverage"}), whole);
}

TEST(AttestOnShards, AnswersTheSameOnSequencesLongerThanAPart) {
    const TemporaryFolder folder;
    const std::string data = folder.file("long.npz");
    Dataset sequences =
        planted_dataset(normal_parameters(2, 1, 1, Stream(1)), 8, 300'000, Stream(2));
    sequences.truth = {};
    write_dataset(data, sequences);  // 4.8 MB each
    const auto answers = [&](const std::string& model) {
        const json learned = run_json({"learn", data, "--solver", "gram64", "-o", model});
        return json::array({learned["risk"],
                            learned["error_bound"],
                            run_json({"predict", model, data}),
                            run_json({"certify", data, "--level", "exact"}),
                            run_json({"certify", data, "--level", "numerical"})});
    };
    const std::string in_memory = folder.file("memory.npz");
    const std::string in_parts = folder.file("parts.npz");
    const json expected = answers(in_memory);

    const MemoryLimit limit(kSmall);
    EXPECT_EQ(answers(in_parts), expected);
    EXPECT_EQ(file_content(in_parts), file_content(in_memory));
}

TEST(MemoryOnShards, HoldsMuchLessThanTheData) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer keeps what is freed";
#endif
    const Shards shards(400, 6000);
    const RunResult idle = run_attest({"--version"});
    const MemoryLimit limit(static_cast<long>(shards.bytes() / 2.0));
    const auto held = [&](const RunResult& run) {
        EXPECT_EQ(run.code, 0) << run.err;
        return run.peak_bytes - idle.peak_bytes;
    };

    // 115 MB of tokens; in memory they would be held three times while they are read.
    EXPECT_LT(held(run_attest({"learn", shards.path(), "-o", shards.file("m.npz")})),
              shards.bytes() / 2.0);
    EXPECT_LT(held(run_attest({"predict", shards.file("m.npz"), shards.path()})),
              shards.bytes() / 2.0);
    EXPECT_LT(held(run_attest({"certify", shards.path(), "--level", "numerical"})),
              shards.bytes() / 2.0);
    EXPECT_LT(held(run_attest({"certify", shards.path(), "--level", "exact"})),
              shards.bytes() / 2.0);
}

TEST(MemoryOnShards, ReadsInPartsWhatTheAddressSpaceDoesNotHold) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer takes address space of its own";
#endif
    const Shards shards(400, 6000);  // 115 MB of tokens, more than each limit leaves for data
    const auto learn = [&](const std::string& before) {
        return run_program(
            "/bin/sh",
            {"-c",
             formatted("export OPENBLAS_NUM_THREADS=1; {} exec {} learn {} --solver gram64 -o {}",
                       before,
                       ATTEST_BINARY,
                       shards.path(),
                       shards.file("m.npz"))});
    };
    const RunResult whole = learn("");
    ASSERT_EQ(whole.code, 0) << whole.err;
    const std::string model = file_content(shards.file("m.npz"));

    for (const char* before :
         {"ulimit -v 300000;", "ulimit -d 200000;", "ATTEST_MEMORY_LIMIT=100M"}) {
        const RunResult parts = learn(before);
        EXPECT_EQ(parts.code, 0) << before << parts.err;
        EXPECT_EQ(file_content(shards.file("m.npz")), model) << before;
    }
}

TEST(AttestOnShards, SaysWhatItWouldTakeToHoldThemAll) {
    const Shards shards(400);
    const MemoryLimit limit(kSmall);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"learn", shards.path(), "--solver", "grouped"},
          std::vector<std::string>{"certify", shards.path(), "--explain"},
          std::vector<std::string>{"learn", shards.path(), "--skip-invalid"}}) {
        const RunResult run = run_attest(words);
        EXPECT_EQ(run.code, 5) << words[0];
        EXPECT_TRUE(one_line(run.err)) << run.err;
        EXPECT_SAYS(run.err, shards.path() + ": reading it needs about ");
        EXPECT_SAYS(run.err, "or what reads in parts (docs/scale.md)");
    }
}

}  // namespace
}  // namespace attest::test
