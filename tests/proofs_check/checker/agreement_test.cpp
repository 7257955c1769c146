#include "proofs_check/checker/digest.hpp"
#include "tests/proofs_check/checker/checker_programs.hpp"
#include "tests/proofs_check/checker/example_files.hpp"
#include "tests/proofs_check/checker/mutate.hpp"
#include "tests/proofs_check/checker/zip_bytes.hpp"
#include "tests/support/archives.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

// attest-check and scripts/check_certificate.py, as programs, give the same exit code and verdict.

namespace attest::checker_test {
namespace {

using test::TemporaryFolder;

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

    const std::vector<test::OddArchive> archives = test::odd_archives("tokens", npy, other);
    std::vector<Case> cases;
    for (const test::OddArchive& archive : archives) {
        const std::string path = folder.file(std::to_string(cases.size()));
        cases.push_back({valid("full_rank_d6", "d6")[0], save(path, archive.bytes)});
    }

    const std::vector<std::string> verdicts = agreed(folder, cases);

    for (std::size_t i = 0; i < archives.size(); ++i) {
        EXPECT_EQ(verdicts[i], archives[i].readable ? "0 VERIFIED full-rank" : "4")
            << archives[i].what;
    }
}

TEST(Agreement, OnQueryColumnsOutsideTheirSequences) {
    const TemporaryFolder folder;
    const checker::Dataset& asked = example_data("asked.npz");
    const ZipEntry tokens{"tokens.npy", npy_bytes("<f8", "(6, 3, 2)", raw(asked.tokens))};
    const auto verdict_with = [&](const std::vector<checker::Index>& query) {
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

    const std::vector<Case> unreadable{{"/nowhere.cert", data},
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
                                       {proof, proof}};
    const std::vector<std::string> expected(unreadable.size(), "4");

    EXPECT_EQ(agreed(folder, unreadable), expected);
    EXPECT_EQ(agreed(folder, {{empty, data}, {proof}, {proof, data, data, data}}),
              (std::vector<std::string>{"1 REJECTED: line 1", "2", "2"}));
}

// A file that ends inside a comment once kept attest-check looking for the comment's end for ever.
TEST(Agreement, OnAProofThatEndsInsideItsComments) {
    const TemporaryFolder folder;
    const std::string data = valid("", "d6")[1];
    for (const char* text : {"attest-proof 1\n# files: d", "attest-proof 1\n#", "# files: d"}) {
        const std::string proof = save(folder.file("cut.cert"), text);
        EXPECT_EQ(agreed(folder, {{proof, data}}), std::vector<std::string>{"1 REJECTED: line 1"});
    }
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
    // NOLINTNEXTLINE(bugprone-string-constructor): as large as said
    const std::string digits(60'000'000, '9');
    const std::string proof = save(folder.file("proof.cert"), with_upper_end(digits));
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
    const std::string body = "attest-proof 1\ndata " +
                             checker::describe(checker::load_dataset(data)) +
                             "\nclaim deficient\nfew-examples\n";
    const std::string proof = save(folder.file("proof.cert"), sign(body));

    EXPECT_EQ(python_check({proof, data}).code, 3);
    EXPECT_EQ(attest_check({proof, data}), "0 VERIFIED deficient");
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
        cases.reserve(50);
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
