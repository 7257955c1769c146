#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using Words = std::vector<std::string>;

/// Whether it is a result (0, 1, 3), or one line that says of this layer why there is none.
bool answered_or_refused_by_name(const test::RunResult& run, const std::string& layer) {
    if (run.code == 0 || run.code == 1 || run.code == 3) {
        return run.err.empty() || run.code == 3;
    }
    return (run.code == 4 || run.code == 5) && test::one_line(run.err) &&
           run.err.find("layer " + layer) != std::string::npos;
}

TEST(EveryLayer, IsAnsweredOrRefusedByName) {
    const test::TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    const std::vector<Words> questions{
        {"certify", data, "--coverage"},
        {"certify", data, "--explain"},
        {"certify", data, "--expressible"},
        {"plan", data},
        {"plan", data, "--target", "coverage=0.9"},
        {"plan", data, "--target", "error=0.1", "--noise", "0.1"},
        {"probe", "--d", "2", "-o", folder.file("q.npz")},
        {"probe", "--d", "2", "--noise", "1", "-o", folder.file("q")},
        {"express", "parity", "--length", "3"}};
    for (const std::string layer : {"linear",
                                    "decay=1,1/2",
                                    "window=2",
                                    "lags=2",
                                    "table=1:1/2:1/4",
                                    "rotary=1,1/100:4",
                                    "gates",
                                    "gates=vector",
                                    "affine",
                                    "decay=1,1/2 affine",
                                    "cross",
                                    "mapped",
                                    "delta",
                                    "delta gates=vector",
                                    "degree=0..2",
                                    "moments"}) {
        const std::string n = layer == "moments" ? "1" : "3";
        (void)test::run_json({"generate",
                              "random-layer",
                              "--layer",
                              layer,
                              "--d",
                              "2",
                              "--n",
                              n,
                              "--levels",
                              "2",
                              "-N",
                              "40",
                              "-o",
                              data});
        for (const Words& question : questions) {
            Words words = question;
            words.insert(words.end(), {"--layer", layer});
            const test::RunResult run = test::run_attest(words);
            EXPECT_TRUE(answered_or_refused_by_name(run, layer))
                << layer << ": " << question[0] << " " << question.back() << ": " << run.code << " "
                << run.err;
        }
    }
}

}  // namespace
}  // namespace attest
