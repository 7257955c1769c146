#include "core/data/dataset_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/predict.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace attest::test {
namespace {

struct Case {
    const char* name;
    Dataset data;
    double ridge = 0.0;
};

Dataset planted(LabelKind labels, Index n = 6) {
    Dataset data = planted_dataset(normal_parameters(3, 2, 2, Stream(1)), 700, n, Stream(2));
    if (labels == LabelKind::per_prefix) {
        data.y = normal_matrix(2, data.tokens.cols(), Stream(3));
    }
    data.labels = labels;
    data.truth = {};
    return data;
}

Dataset times(Dataset data, const Vector& powers) {
    data.tokens = Matrix(powers.asDiagonal() * Matrix(data.tokens.view()));
    return data;
}

std::vector<Case> cases() {
    const Dataset plain = planted(LabelKind::per_sequence);
    Dataset asked = plain;
    for (Index i = 0; i < asked.num_sequences(); ++i) {
        asked.query.push_back(i % 6);
    }
    return {{"plain", plain},
            {"queries", asked},
            {"ridge", plain, 0.25},
            {"prefixes", planted(LabelKind::per_prefix)},
            {"coordinates of their own size", times(plain, Vector{{1.0, 0x1p20, 0x1p-30}})},
            {"far from size 1", times(plain, Vector::Constant(3, 0x1p90))},
            {"prefixes far from size 1",
             times(planted(LabelKind::per_prefix), Vector::Constant(3, 0x1p-90))}};
}

/// The data in three shards of a folder, read in chunks.
class Streamed {
public:
    explicit Streamed(const Dataset& data, Index chunk_numbers = 1000) {
        Index first = 0;
        for (const Index count : {300, 1, 399}) {
            write_dataset(folder_.file(formatted("{}.npz", first)), subset(data, first, count));
            first += count;
        }
        sequences_.emplace(folder_.path(), data.layer, chunk_numbers);
        source_.emplace(*sequences_);
    }

    [[nodiscard]] const MomentSource& source() const { return *source_; }

private:
    TemporaryFolder folder_;
    std::optional<StreamedDataset> sequences_;
    std::optional<SlicedSource> source_;
};

TEST(StreamedSolve, HasTheBitsOfTheSolveInMemory) {
    for (const Case& c : cases()) {
        const Streamed streamed(c.data);
        for (const char* solver : {"gram64", "gram32", "kron", "tsqr", "svd", "normal"}) {
            const SolveOptions options{.ridge = c.ridge};
            const LeastSquaresFit expected =
                fit_least_squares(DatasetSource(c.data), solver, options);
            const LeastSquaresFit found = fit_least_squares(streamed.source(), solver, options);
            EXPECT_EQ(found.P, expected.P) << c.name << ", " << solver;
            EXPECT_EQ(found.status, expected.status) << c.name << ", " << solver;
            EXPECT_EQ(found.error_bound, expected.error_bound) << c.name << ", " << solver;
        }
    }
}

TEST(StreamedSolve, HasTheSameBitsWhereNotEvenTheMomentsAreKept) {
    const Dataset data = planted(LabelKind::per_prefix, 150);
    const Streamed streamed(data);
    for (const char* solver : {"gram64", "kron"}) {
        const Matrix expected = fit_least_squares(DatasetSource(data), solver, {}).P;
        // All moments take 8·105000·(6 + 3 + 2) bytes, and may take half of the limit.
        const MemoryLimit limit(12000000);
        EXPECT_EQ(fit_least_squares(streamed.source(), solver, {}).P, expected) << solver;
    }
}

TEST(StreamedSolve, PredictsAndFactorsWithTheBitsInMemory) {
    for (const Case& c : cases()) {
        const DatasetSource memory(c.data);
        for (const Index chunk : {1000, 10}) {  // a sequence is 18 numbers
            const Streamed streamed(c.data, chunk);
            const Matrix P = normal_matrix(18, 2, Stream(5));
            const Risk risk = empirical_risk(P, streamed.source());
            EXPECT_EQ(risk.risk, empirical_risk(P, memory).risk) << c.name;
            EXPECT_EQ(risk.exponent, empirical_risk(P, memory).exponent) << c.name;
            EXPECT_EQ(predict(P, streamed.source()), predict(P, memory)) << c.name;
            EXPECT_EQ(scaled_factor(streamed.source()).factor.R, scaled_factor(memory).factor.R)
                << c.name;
        }
    }
}

TEST(StreamedSolve, LeavesToTheMemoryWhatNeedsAllTokens) {
    const Streamed streamed(planted(LabelKind::per_sequence));
    EXPECT_EQ(fit_least_squares(streamed.source(), "grouped", {}).status, SolveStatus::refused);
}

}  // namespace
}  // namespace attest::test
