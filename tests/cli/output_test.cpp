#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace attest::test {
namespace {

using nlohmann::json;

/// A file name that no JSON text can hold: 0xff begins no UTF-8 sequence.
const std::string kForeign = "x\xff.npz";
const std::string kShown = "x\xef\xbf\xbd.npz";  // U+FFFD in its place

TEST(AttestOutput, ShowsBytesThatAreNotUtf8AsReplacementCharacters) {
    const TemporaryFolder folder;
    const std::string data = folder.file(kForeign);
    const std::string model = folder.file("m" + kForeign);

    const json generated =
        run_json({"generate", "random-linear-attention", "--d", "2", "-N", "40", "-o", data});
    const json learned = run_json({"learn", data, "-o", model});
    const json certified =
        run_json({"certify", data, "--proof", folder.file(kForeign + ".cert"), "--model", model});

    EXPECT_EQ(generated["output"], folder.file(kShown));
    EXPECT_EQ(learned["model"], folder.file("m" + kShown));
    EXPECT_EQ(certified["proof"], folder.file(kShown + ".cert"));
    EXPECT_TRUE(std::filesystem::exists(data)) << "the file has the name that was asked for";
}

TEST(AttestOutput, TakesAProgramWhoseNameIsNotUtf8) {
    const TemporaryFolder folder;
    const std::string program = folder.file("named.txt");
    std::ofstream(program) << "program caf\xe9\nblock K 2\nhead h: K <- K ; K <- K\n";

    const json found = run_json({"program", "compile", program, "-o", folder.file("named.npz")});

    EXPECT_EQ(found["program"], "caf\xef\xbf\xbd");
}

}  // namespace
}  // namespace attest::test
