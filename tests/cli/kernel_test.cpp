#include "core/data/archive/npz.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/core/kernels/small_dumps.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <map>

namespace attest::test {
namespace {

using nlohmann::json;

using Arrays = std::map<std::string, NpyArray>;

/// The arrays of a right linear kernel whose queries are scaled by 1, 5 tokens, K = V = 2.
Arrays right_dump() {
    KernelDump dump = small_dump(Recurrence::linear, 5, 1, 2, 2);
    dump.initial_state.clear();
    dump.scale = 1.0;
    dump = with_exact_outputs(dump);
    const auto rows = [](const std::vector<double>& values) {
        return NpyArray{DType::float64, {1, 5, 1, 2}, values};
    };
    return {{"q", rows(dump.q)},
            {"k", rows(dump.k)},
            {"v", rows(dump.v)},
            {"o", rows(dump.o)},
            {"scale", {DType::float64, {1}, {dump.scale}}}};
}

class AttestKernelCheck : public ::testing::Test {
protected:
    [[nodiscard]] RunResult check(const Arrays& arrays, std::vector<std::string> more = {}) const {
        NpzWriter file;
        for (const auto& [name, array] : arrays) {
            file.add(name, array);
        }
        file.write(path());
        std::vector<std::string> words{"kernel", "check", path(), "--kind", "linear"};
        words.insert(words.end(), more.begin(), more.end());
        return run_attest(words);
    }

    /// The line that refuses a dump, without the command and the file in front.
    [[nodiscard]] std::string refusal(const RunResult& run) const {
        EXPECT_EQ(run.code, 4) << run.out;
        EXPECT_EQ(run.out, "");
        EXPECT_TRUE(one_line(run.err)) << run.err;
        const std::string start = "attest kernel: " + path() + ": ";
        EXPECT_EQ(run.err.rfind(start, 0), 0U) << run.err;
        return run.err.substr(std::min(start.size(), run.err.size()));
    }

    [[nodiscard]] std::string path() const { return folder_.file("dump.npz"); }

private:
    TemporaryFolder folder_;
};

TEST_F(AttestKernelCheck, FindsARightKernelRight) {
    EXPECT_EQ(check(right_dump()).code, 0);
}

TEST_F(AttestKernelCheck, PrintsTheFaultAndTheFirstWrongPlace) {
    // The kernel was told to scale its queries by 2, and did not.
    Arrays arrays = right_dump();
    arrays["scale"].data[0] = 2.0;
    const RunResult run = check(arrays);
    EXPECT_EQ(run.code, 1) << run.err;
    EXPECT_SAYS(run.out, "verdict         wrong");
    EXPECT_SAYS(run.out, "first wrong");
    EXPECT_SAYS(run.out, "looks like: the scale of the queries is missing");
    const json found = json_of(check(arrays, {"--json"}));
    EXPECT_EQ(found["verdict"], "wrong");
    EXPECT_EQ(found["looks_like"][0]["name"], "scale_missing");
    EXPECT_EQ(found["first_wrong"]["in"], "o");
}

TEST_F(AttestKernelCheck, SaysOfTheWorstCaseAloneThatItExcludesLess) {
    EXPECT_SAYS(check(right_dump()).out, "right: no farther off than right kernels");
    EXPECT_SAYS(check(right_dump(), {"--no-sharp"}).out, "smaller faults are not excluded");
}

TEST_F(AttestKernelCheck, WritesTheVerdictForServicesThatCollectChecks) {
    const TemporaryFolder folder;
    const std::string sarif = folder.file("kernel.sarif");
    Arrays arrays = right_dump();
    EXPECT_EQ(check(arrays, {"--sarif", sarif}).code, 0);
    const auto result = [&] { return json::parse(file_content(sarif))["runs"][0]["results"][0]; };
    EXPECT_EQ(result()["kind"], "pass");
    arrays["o"].data[5] += 1.0;
    EXPECT_EQ(check(arrays, {"--sarif", sarif}).code, 1);
    EXPECT_EQ(result()["kind"], "fail");
    EXPECT_EQ(result()["level"], "error");
}

TEST_F(AttestKernelCheck, SaysThatItKnowsNoSuchFault) {
    Arrays arrays = right_dump();
    arrays["o"].data[5] += 1.0;
    const RunResult run = check(arrays);
    EXPECT_EQ(run.code, 1);
    EXPECT_SAYS(run.out, "looks like none of the faults");
}

TEST_F(AttestKernelCheck, SaysThatResultsAreNotFinite) {
    Arrays arrays = right_dump();
    arrays["o"].data[5] = std::numeric_limits<double>::infinity();
    const RunResult run = check(arrays);
    EXPECT_EQ(run.code, 1);
    EXPECT_SAYS(run.out, "wrong: results are not finite");
    EXPECT_EQ(run.out.find("no kernel of this arithmetic"), std::string::npos) << run.out;
    EXPECT_SAYS(check(arrays, {"--no-sharp"}).out, "wrong: results are not finite");
}

TEST_F(AttestKernelCheck, RefusesGradientsWithoutWhatCameBack) {
    Arrays arrays = right_dump();
    arrays["dv"] = arrays["v"];
    EXPECT_EQ(refusal(check(arrays)),
              "do: is missing; gradients such as dv are checked by it: save it, or dfinal_state "
              "where only that came back\n");
    arrays["do"] = arrays["v"];
    EXPECT_NE(check(arrays).code, 4);
}

TEST_F(AttestKernelCheck, RefusesBadDumpsInOneLine) {
    Arrays missing = right_dump();
    missing.erase("v");
    EXPECT_EQ(refusal(check(missing)), "v: is missing; a linear kernel is checked by it\n");
    Arrays other = right_dump();
    other["beta"] = {DType::float64, {1, 5, 1}, std::vector<double>(5)};
    EXPECT_SAYS(refusal(check(other)), "beta: a linear kernel reads no such array");
    Arrays shapes = right_dump();
    shapes["k"] = {DType::float64, {1, 5, 2, 1}, std::vector<double>(10)};
    EXPECT_SAYS(refusal(check(shapes)), "k: has shape (1, 5, 2, 1)");
    Arrays odd = right_dump();
    odd["q"].data[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_SAYS(refusal(check(odd)), "q: element 3 is no finite number");
    Arrays stranger = right_dump();
    stranger["keys"] = stranger["k"];
    EXPECT_EQ(refusal(check(stranger)).rfind("keys: is no array of a dump", 0), 0U);
}

TEST_F(AttestKernelCheck, RefusesFilesThatAreNone) {
    const auto run = [&] { return run_attest({"kernel", "check", path(), "--kind", "linear"}); };
    EXPECT_NE(refusal(run()), "") << "absent";
    std::ofstream(path()) << "no archive";
    EXPECT_NE(refusal(run()), "");
    std::ofstream(path(), std::ios::trunc).flush();
    EXPECT_NE(refusal(run()), "") << "empty";
    EXPECT_EQ(run_attest({"kernel", "check", path(), "--kind", "magic"}).code, 2);
}

}  // namespace
}  // namespace attest::test
