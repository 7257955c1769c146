#include "tests/proofs_check/checker/example_files.hpp"
#include "tests/proofs_check/checker/limited_run.hpp"
#include "tests/proofs_check/checker/mutate.hpp"
#include "tests/proofs_check/checker/mutate_archive.hpp"
#include "tests/proofs_check/checker/zip_bytes.hpp"
#include "tests/support/odd_archives.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

// attest-check and scripts/check_certificate.py, as programs, give the same exit code and verdict.

namespace attest::checker_test {
namespace {

using test::TemporaryFolder;

constexpr Limits kLimits{10, 1000};

/// A proof, its data and perhaps its queries, as paths.
using Case = std::vector<std::string>;

/// The exit code with what is said about the proof: "0 VERIFIED claim", "1 REJECTED: line N", "4".
/// The reason is each checker's own.
std::string verdict_of(int code, const std::string& line) {
    const std::string start = std::to_string(code);
    const std::size_t end = line.find_first_of(":\n", 9);
    return code > 1 ? start : start + " " + line.substr(0, end);
}

std::string attest_check(const Case& files, const Limits& limits = kLimits) {
    Case command{ATTEST_CHECK_PROGRAM};
    command.insert(command.end(), files.begin(), files.end());
    const Outcome outcome = run_limited(command, limits);
    return verdict_of(outcome.code, outcome.output);
}

Outcome python_check(const std::vector<std::string>& arguments, const Limits& limits = kLimits) {
    std::vector<std::string> command{ATTEST_PYTHON, "-B", ATTEST_CHECK_CERTIFICATE};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_limited(command, limits);
}

/// All of them in one process, under the limits of one.
std::vector<std::string> python_verdicts(const TemporaryFolder& folder,
                                         const std::vector<Case>& cases) {
    std::ofstream list(folder.file("list"));
    for (const Case& files : cases) {
        for (std::size_t i = 0; i < files.size(); ++i) {
            list << (i == 0 ? "" : "\t") << files[i];
        }
        list << '\n';
    }
    list.close();
    const Outcome outcome = python_check({"--batch", folder.file("list")});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    std::vector<std::string> verdicts;
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        verdicts.push_back(verdict_of(std::stoi(line.substr(0, space)), line.substr(space + 1)));
    }
    return verdicts;
}

/// What both say of each; a failure where they differ.
std::vector<std::string> agreed(const TemporaryFolder& folder, const std::vector<Case>& cases) {
    std::vector<std::string> verdicts = python_verdicts(folder, cases);
    EXPECT_EQ(verdicts.size(), cases.size());
    verdicts.resize(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        EXPECT_EQ(verdicts[i], attest_check(cases[i])) << testing::PrintToString(cases[i]);
    }
    return verdicts;
}

Case files_of(const Example& example, const std::string& folder) {
    Case files{examples_folder() + folder + "/" + example.name + ".cert"};
    for (const std::string& file : example.files) {
        files.push_back(examples_folder() + "data/" + file);
    }
    return files;
}

Case valid(const std::string& proof, const std::string& data) {
    return {examples_folder() + "valid/" + proof + ".cert",
            examples_folder() + "data/" + data + ".npz"};
}

std::string save(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

std::string with_upper_end(const std::string& digits) {
    const std::string body =
        body_of(checker::read_file(valid("lambda_min_negative", "d6")[0], 1 << 20));
    const std::size_t at = body.find("1*2^0\n");
    return sign(body.substr(0, at) + digits + body.substr(at + 1));
}

TEST(Agreement, OfBothCheckersOnEveryExample) {
    const TemporaryFolder folder;
    std::vector<Case> cases;
    for (const char* kind : {"valid", "broken"}) {
        for (const Example& example : read_examples(kind)) {
            cases.push_back(files_of(example, kind));
        }
    }
    ASSERT_GE(cases.size(), 100U);

    const std::vector<std::string> verdicts = agreed(folder, cases);

    for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool is_valid = cases[i][0].find("/valid/") != std::string::npos;
        EXPECT_EQ(verdicts[i].substr(0, 11), is_valid ? "0 VERIFIED " : "1 REJECTED:")
            << cases[i][0];
    }
}

TEST(Agreement, OnArchivesThatReadersOfZipFilesTakeDifferently) {
    const TemporaryFolder folder;
    const std::vector<double>& tokens = example_data("d6.npz").tokens;
    const std::string npy = npy_bytes("<f8", "(6, 3, 2)", raw(tokens));
    const std::string other = npy_bytes("<f8", "(3, 6, 2)", raw(tokens));

    for (const test::OddArchive& archive : test::odd_archives("tokens", npy, other)) {
        const Case files{valid("full_rank_d6", "d6")[0],
                         save(folder.file("odd.npz"), archive.bytes)};
        EXPECT_EQ(agreed(folder, {files})[0], archive.readable ? "0 VERIFIED full-rank" : "4")
            << archive.what;
    }
}

TEST(Agreement, OnQueryColumnsOutsideTheirSequences) {
    const TemporaryFolder folder;
    const checker::Dataset& asked = example_data("asked.npz");
    const ZipEntry tokens{"tokens.npy", npy_bytes("<f8", "(6, 3, 2)", raw(asked.tokens))};
    const auto verdict_with = [&](std::vector<checker::Index> query) {
        const ZipEntry list{"query.npy", npy_bytes("<i8", "(6,)", raw(query))};
        const std::string zip = zip_bytes({tokens, list}, Packing::stored);
        const Case files{valid("full_rank_asked", "asked")[0], save(folder.file("data.npz"), zip)};
        return agreed(folder, {files})[0];
    };

    EXPECT_EQ(verdict_with(asked.query), "0 VERIFIED full-rank");
    EXPECT_EQ(verdict_with({1, 1, 0, 3, 1, 0}), "4");
    EXPECT_EQ(verdict_with({1, 1, 0, 2, 1, 3}), "4");
    EXPECT_EQ(verdict_with({-1, 1, 0, 2, 1, 0}), "4");
    EXPECT_EQ(verdict_with({1, 1, 0, 2, 1, 1}), "1 REJECTED: line 3");
}

// Data are read first: a proof of another data set is not judged when they cannot be read.
TEST(Agreement, OnFilesThatCannotBeRead) {
    const TemporaryFolder folder;
    const auto [proof, data] = std::pair(valid("full_rank_d6", "d6")[0], valid("", "d6")[1]);
    const std::string cut = save(folder.file("cut.npz"),
                                 checker::read_file(valid("", "d5")[1], 1 << 20).substr(0, 300));
    const std::string empty = save(folder.file("empty"), "");
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const std::string large_proof = save(folder.file("large.cert"), "");
    std::filesystem::resize_file(large_proof, (1U << 26) + 1);
    const std::string large_data = save(folder.file("large.npz"), "");
    std::filesystem::resize_file(large_data, (1ULL << 31) + 1);

    for (const Case& files : std::vector<Case>{{"/nowhere.cert", data},
                                               {proof, "/nowhere.npz"},
                                               {proof, cut},
                                               {empty, empty},
                                               {proof, folder.file("")},
                                               {folder.file(""), data},
                                               {proof, pipe},
                                               {pipe, data},
                                               {large_proof, data},
                                               {proof, large_data},
                                               {proof, data, cut},
                                               {proof, proof}}) {
        EXPECT_EQ(agreed(folder, {files})[0], "4") << testing::PrintToString(files);
    }
    EXPECT_EQ(agreed(folder, {{empty, data}})[0], "1 REJECTED: line 1");
    EXPECT_EQ(agreed(folder, {{proof}})[0], "2");
    EXPECT_EQ(agreed(folder, {{proof, data, data, data}})[0], "2");
}

TEST(Agreement, OnTheLengthOfAnInteger) {
    const TemporaryFolder folder;
    const auto verdict_with = [&](const std::string& digits) {
        const std::string proof = save(folder.file("proof.cert"), with_upper_end(digits));
        return agreed(folder, {{proof, valid("", "d6")[1]}})[0].substr(0, 20);
    };

    EXPECT_EQ(verdict_with(std::string(57, '9')), "0 VERIFIED lambda-mi");
    EXPECT_EQ(verdict_with(std::string(100000, '9')), "0 VERIFIED lambda-mi");
    EXPECT_EQ(verdict_with(std::string(100001, '9')), "1 REJECTED: line 4");
    EXPECT_EQ(verdict_with("-" + std::string(100001, '9')), "1 REJECTED: line 4");
}

// 60 MB in 200 MB: neither copies the text twice nor converts the digits.
TEST(Agreement, ANumberOfSixtyMillionDigitsTakesLittleMemory) {
    const TemporaryFolder folder;
    const Limits limits{10, 200};
    const std::string proof =
        save(folder.file("proof.cert"), with_upper_end(std::string(60'000'000, '9')));
    const Case files{proof, valid("", "d6")[1]};

    const Outcome python = python_check(files, limits);

    EXPECT_EQ(verdict_of(python.code, python.output), "1 REJECTED: line 4");
    EXPECT_EQ(attest_check(files, limits), "1 REJECTED: line 4");
}

TEST(Agreement, PythonSaysWhatIsTooLargeForIt) {
    const TemporaryFolder folder;
    const std::string wide = npy_bytes("|i1", "(1, 1, 9)", std::string(9, '\0'));
    const std::string data =
        save(folder.file("wide.npz"), zip_bytes({{"tokens.npy", wide}}, Packing::stored));
    const std::string proof = valid("full_rank_d6", "d6")[0];

    EXPECT_EQ(python_check({proof, data}).code, 3);
    EXPECT_EQ(attest_check({proof, data}), "1 REJECTED: line 3");
    EXPECT_EQ(python_check({"--batch", "/nowhere"}).code, 4);
}

/// A mutant of a valid example: of its text, signed again or not, or of one of its data sets.
Case mutant(const TemporaryFolder& folder, int number, Dice& dice) {
    static const std::vector<Example> examples = read_examples("valid");
    const Example& example = examples[dice.below(examples.size())];
    const std::string other = body_of(examples[dice.below(examples.size())].text);
    Case files = files_of(example, "valid");
    const std::string path = folder.file(std::to_string(number));
    const std::size_t which = dice.below(example.files.size());
    switch (dice.below(8)) {
        case 0:
            files[0] = save(path, mutate_text(example.text, other, dice));
            break;
        case 1:
            files[which + 1] =
                save(path, mutate_bytes(checker::read_file(files[which + 1], 1 << 20), dice));
            break;
        case 2:
        case 3:
        case 4:
            files[which + 1] = save(path, mutate_archive(example_data(example.files[which]), dice));
            break;
        default:
            files[0] = save(path, sign(mutate_text(body_of(example.text), other, dice)));
            break;
    }
    return files;
}

int from_environment(const char* name, int otherwise) {
    const char* const wanted = std::getenv(name);
    return wanted == nullptr ? otherwise : std::atoi(wanted);
}

TEST(Agreement, OnMutantsOfProofsAndArchives) {
    const TemporaryFolder folder;
    const int seed = from_environment("ATTEST_MUTANT_SEED", 1);
    const int count = from_environment("ATTEST_MUTANTS", 500);
    Dice dice(static_cast<std::uint64_t>(seed));
    std::map<char, int> codes;

    for (int done = 0; done < count; done += 50) {
        std::vector<Case> cases;
        for (int i = 0; i < 50; ++i) {
            cases.push_back(mutant(folder, i, dice));
        }
        for (const std::string& verdict : agreed(folder, cases)) {
            ++codes[verdict[0]];
        }
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }

    std::cout << "seed " << seed << ": " << codes['0'] << " verified, " << codes['1']
              << " rejected, " << codes['4'] << " unreadable\n";
    EXPECT_EQ(codes['0'] + codes['1'] + codes['4'], count);
    EXPECT_GT(std::min({codes['0'], codes['1'], codes['4']}), count / 50);
}

}  // namespace
}  // namespace attest::checker_test
