#include "core/algebra/residual_ratio.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/solve/preconditioned.hpp"
#include "distributed/distributed_fit.hpp"
#include "tests/distributed/drawn_data.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using Serial = LeastSquaresFit (*)(const MomentSource&, const SolveOptions&);

struct Pair {
    std::string_view name;
    Serial serial;
};

constexpr std::array kPairs{
    Pair{"kron", fit_kronecker}, Pair{"gram64", fit_gram64}, Pair{"gram32", fit_gram32}};

TEST(DistributedFit, AgreesWithOneProcessWithinBothErrorBounds) {
    const Communicator ranks;
    for (const auto& [d, N] : {std::pair<Index, Index>{2, 50}, {5, 400}, {8, 1500}}) {
        const Dataset data = test::drawn_dataset(d, 3, N);
        const ShardedData shared = test::share_of(ranks, data, 64);
        for (const double ridge : {0.0, 0.01}) {
            const SolveOptions options{ridge, Norm::sym, 1};
            for (const Pair& pair : kPairs) {
                const LeastSquaresFit serial = pair.serial(DatasetSource(data), options);
                const LeastSquaresFit fit = fit_distributed(ranks, shared, {pair.name}, options);
                ASSERT_EQ(fit.status, serial.status) << pair.name << fit.note << serial.note;
                ASSERT_EQ(fit.status, SolveStatus::unique);
                // Each bound is a share of the exact answer, which is at most so far away.
                const double bound = fit.error_bound / (1.0 - fit.error_bound) +
                                     serial.error_bound / (1.0 - serial.error_bound);
                EXPECT_LE((fit.P - serial.P).norm(), bound * serial.P.norm())
                    << pair.name << " d = " << d << " ridge " << ridge;
                EXPECT_LT(fit.error_bound, 2.0 * serial.error_bound);
                const Risk risk = distributed_risk(ranks, shared, fit.P);
                const Risk other = empirical_risk(fit.P, DatasetSource(data));
                EXPECT_GT(other.relative, 0.0);
                // Residuals cancel down to their share of the labels' size.
                EXPECT_NEAR(risk.relative / other.relative,
                            1.0,
                            kRatioBound * gamma_bound(N) / std::sqrt(other.relative));
            }
        }
    }
}

TEST(DistributedFit, EveryLayerAgreesWithOneProcess) {
    const Communicator ranks;
    Index unique = 0;
    for (const std::string& text : test::layer_texts()) {
        for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
            test::LayerCase wanted{text, 2, {2, 5}, labels};
            wanted.levels = 0;
            const FeatureLayout layout = test::layer_data(wanted).layout();
            if (!layout.is_full()) {
                continue;  // attest learn's alone
            }
            wanted.count = 4 * layout.psi();
            const Dataset data = test::layer_data(wanted);
            const ShardedData shared = test::share_of(ranks, data, wanted.count / 9 + 1);
            for (const Pair& pair : kPairs) {
                const LeastSquaresFit serial = pair.serial(DatasetSource(data), {});
                const LeastSquaresFit fit = fit_distributed(ranks, shared, {pair.name}, {});
                ASSERT_EQ(fit.status, serial.status) << text << ' ' << pair.name << fit.note;
                if (fit.status == SolveStatus::unique) {
                    ++unique;
                    EXPECT_LE((fit.P - serial.P).norm(),
                              (fit.error_bound + serial.error_bound) * 2.0 * serial.P.norm())
                        << text << ' ' << pair.name;
                    EXPECT_LT(fit.error_bound, 2.0 * serial.error_bound + gamma_bound(100));
                }
            }
        }
    }
    EXPECT_GE(unique, 60);
}

TEST(DistributedFit, RefusesWhatOneProcessRefuses) {
    const Communicator ranks;
    const Dataset few = test::drawn_dataset(3, 1, 10);
    Dataset twice = test::drawn_dataset(3, 1, 60);
    twice.tokens.own().row(2) = twice.tokens.view().row(1);
    for (const Pair& pair : kPairs) {
        const LeastSquaresFit fit =
            fit_distributed(ranks, test::share_of(ranks, few, 4), {pair.name}, {});
        EXPECT_EQ(fit.status, SolveStatus::refused);
        EXPECT_EQ(fit.note, "N = 10 < psi = 18: no unique solution");
        EXPECT_EQ(fit_distributed(ranks, test::share_of(ranks, twice, 8), {pair.name}, {}).status,
                  SolveStatus::refused)
            << pair.name;
    }
    Dataset huge = test::drawn_dataset(2, 1, 20);
    huge.tokens.own() *= 0x1p60;
    EXPECT_THROW((void)fit_distributed(ranks, test::share_of(ranks, huge, 4), {"kron"}, {}),
                 AgreedFailure);
}

TEST(DistributedFit, LambdaMinIsThatOfOneProcess) {
    const Communicator ranks;
    const Dataset data = test::drawn_dataset(6, 1, 700);
    const EigenvalueEstimate serial = minimum_eigenvalue(DatasetSource(data), 1);
    const EigenvalueEstimate found =
        distributed_minimum_eigenvalue(ranks, test::share_of(ranks, data, 30), 1);
    ASSERT_TRUE(serial.converged && found.converged);
    const NumericalSpectrum spectrum = numerical_spectrum(scaled_factor(data));
    // Cholesky of either moves eigenvalues by psi·u·lambda_max, up to a small factor.
    const double rounding = 126.0 * 0x1p-52 * spectrum.lambda_max;
    EXPECT_NEAR(found.value, serial.value, found.error + serial.error + rounding);
    EXPECT_NEAR(found.value, spectrum.lambda_min, found.error + rounding);
    Dataset deficient = data;
    deficient.tokens.own().row(5) = deficient.tokens.view().row(4);
    const EigenvalueEstimate none =
        distributed_minimum_eigenvalue(ranks, test::share_of(ranks, deficient, 30), 1);
    EXPECT_FALSE(none.converged);
    EXPECT_EQ(none.value, 0.0);
}

}  // namespace
}  // namespace attest
