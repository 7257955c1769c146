#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest::test {
namespace {

/// Three documents of one language.
void write_documents(const TemporaryFolder& folder) {
    for (const char* name : {"one", "two", "three"}) {
        std::ofstream out(folder.file(name));
        for (int i = 0; i < 30; ++i) {
            out << (i % 3 == 0 ? "The cat sat. " : i % 5 == 0 ? "A dog ran! " : "The dog sat. ");
        }
    }
}

TEST(GenerateText, WritesWindowsAndSaysHowMuchLeaks) {
    const TemporaryFolder texts;
    const TemporaryFolder folder;
    write_documents(texts);
    const nlohmann::json found =
        run_json(typed("generate text --text " + texts.path().string() +
                       " --d 3 --n 4 --outputs 2 -o " + folder.file("data.npz")));
    EXPECT_EQ(found.at("d"), 3);
    EXPECT_EQ(found.at("o"), 2);
    // 30 sentences of four tokens: each but the first four has a window before it.
    EXPECT_EQ(found.at("num_sequences"), 116);
    EXPECT_EQ(found.at("shared_8grams"), 1.0);
    EXPECT_EQ(run_attest({"certify", folder.file("data.npz")}).code, 1);
}

TEST(GenerateText, ComplainsInOneLine) {
    const TemporaryFolder texts;
    write_documents(texts);
    const std::string output = texts.file("data.npz");
    const auto complaint = [&](std::vector<std::string> more, int code) {
        std::vector<std::string> words{"generate", "text", "-o", output};
        words.insert(words.end(), more.begin(), more.end());
        const RunResult run = run_attest(words);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_TRUE(one_line(run.err)) << run.err;
        return run.err;
    };
    complaint({"--text", texts.file("absent")}, 4);
    complaint({"--text", texts.path(), "--representation", "magic"}, 2);
    complaint({"--text", texts.path(), "--part", "magic"}, 2);
    EXPECT_SAYS(
        complaint({"--text", texts.path(), "--d", "3", "--labels", "none", "-N", "5000"}, 4),
        "the part train has");
    std::ofstream(texts.file("zero")) << "caf\xE9 au lait";
    EXPECT_SAYS(complaint({"--text", texts.path()}, 4), "zero: line 1: got a character");
}

}  // namespace
}  // namespace attest::test
