#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

/// N sequences of four grid-normal tokens of two entries, the i-th asked by column i mod K of U:
/// ψ = 6 unknowns, three for each query.
std::string asked_by(const TemporaryFolder& folder, const Matrix& U, Index N) {
    Dataset data = planted_dataset(normal_parameters(2, 1, 1, Stream(1)), N, 4, Stream(2));
    for (Index i = 0; i < N; ++i) {
        data.tokens.own().col(data.query_token(i)) = U.col(i % U.cols());
    }
    data.truth = {};
    const std::string file = folder.file("data.npz");
    write_dataset(file, data);
    return file;
}

const Matrix kOneHot = Matrix::Identity(2, 2);

TEST(AttestCertifyGrouped, ProvesFullRankFromFullGroups) {
    const TemporaryFolder folder;
    const std::string data = asked_by(folder, kOneHot, 12);
    const std::string proof = folder.file("data.cert");

    const json found = run_json({"certify", data, "--level", "grouped", "--proof", proof}, 0);

    EXPECT_EQ(found["verdict"], "determined");
    EXPECT_EQ(found["rank"], 6);
    EXPECT_EQ(found["nullity"], 0);
    EXPECT_EQ(found["groups"], 2);
    EXPECT_EQ(run_json({"check", proof, data}, 0)["verdict"], "verified");
    EXPECT_EQ(run_json({"certify", data, "--level", "exact"}, 0)["rank"], 6);
}

TEST(AttestCertifyGrouped, ProvesADeficiencyFromSmallGroups) {
    const TemporaryFolder folder;
    const std::string data = asked_by(folder, kOneHot, 5);  // groups of three and of two
    const std::string proof = folder.file("data.cert");

    const json found = run_json({"certify", data, "--level", "grouped", "--proof", proof}, 1);

    EXPECT_EQ(found["verdict"], "not_determined");
    EXPECT_EQ(found["rank"], 5);
    EXPECT_EQ(found["nullity"], 1);
    EXPECT_EQ(run_json({"check", proof, data}, 0)["verdict"], "verified");
    const std::string other = asked_by(folder, kOneHot, 6);
    EXPECT_EQ(run_json({"check", proof, other}, 1)["verdict"], "rejected");
}

TEST(AttestCertifyGrouped, LeavesDependentQueriesUndecided) {
    const TemporaryFolder folder;
    // Three queries in two dimensions, none with a full group beside another one.
    const std::string data = asked_by(folder, Matrix{{1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}}, 7);

    const json found = run_json({"certify", data, "--level", "grouped"}, 3);

    EXPECT_EQ(found["verdict"], "undecided");
    EXPECT_TRUE(found["rank"].is_null());
    const RunResult told = run_attest({"certify", data, "--level", "grouped"});
    EXPECT_SAYS(told.out, "undecided: neither proved nor refuted");
}

TEST(AttestCertifyGrouped, RefusesWhatItDoesNotDecide) {
    const TemporaryFolder folder;
    const std::string data = asked_by(folder, kOneHot, 12);

    const RunResult layer =
        run_attest({"certify", data, "--level", "grouped", "--layer", "decay=1/2"});
    EXPECT_EQ(layer.code, 4);
    EXPECT_TRUE(one_line(layer.err)) << layer.err;
    EXPECT_EQ(run_attest({"certify", data, "--level", "grouped", "--queries", data}).code, 2);
    EXPECT_EQ(run_attest({"certify", data, "--level", "grouped", "--coverage"}).code, 2);
}

TEST(AttestLearnGrouped, LearnsWhatTheOtherSolversDo) {
    const TemporaryFolder folder;
    const std::string data = asked_by(folder, kOneHot, 40);
    const auto learn = [&](const std::string& solver) {
        const std::string model = folder.file(solver + ".npz");
        const json found = run_json({"learn", data, "--solver", solver, "-o", model}, 0);
        EXPECT_EQ(found["status"], "unique");
        EXPECT_EQ(found["rank"], 6);
        return std::pair(read_model(model).P, found["error_bound"].get<double>());
    };
    const auto [P, bound] = learn("grouped");
    const auto [other, other_bound] = learn("tsqr");
    EXPECT_LE((P - other).norm(), (bound + other_bound) * other.norm());
    EXPECT_LT(bound, 1e-10) << "and ten digits are left";
}

TEST(AttestLearnGrouped, RefusesOnOneLineWithExitCodeFive) {
    const TemporaryFolder folder;
    const auto refusal = [](const std::vector<std::string>& arguments) {
        const RunResult run = run_attest(arguments);
        EXPECT_EQ(run.code, 5);
        EXPECT_TRUE(one_line(run.err)) << run.err;
        return run.err;
    };
    const std::string data = asked_by(folder, kOneHot, 40);
    EXPECT_SAYS(refusal({"learn", data, "--solver", "grouped", "--ridge", "0.5"}),
                "attest learn: solver grouped refuses: a ridge joins the groups again");
    (void)asked_by(folder, Matrix{{1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}}, 40);
    EXPECT_SAYS(refusal({"learn", data, "--solver", "grouped"}),
                "attest learn: solver grouped refuses: 3 distinct query tokens");
    (void)asked_by(folder, Matrix{{1.0, 2.0}, {1.0, 2.0}}, 40);
    EXPECT_SAYS(refusal({"learn", data, "--solver", "grouped"}),
                "attest learn: solver grouped refuses: the query tokens are linearly dependent to "
                "rounding");
    (void)asked_by(folder, kOneHot, 5);
    EXPECT_EQ(
        refusal({"learn", data, "--solver", "grouped"})
            .find("attest learn: solver grouped refuses: the group of example 1, 2 examples: "),
        0U);
}

}  // namespace
}  // namespace attest::test
