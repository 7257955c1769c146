#include "core/solve/costs.hpp"

#include "core/solve/kronecker.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Features that count the outputs they were asked for, one way or the other.
class CountedFeatures final : public FeatureMap {
public:
    explicit CountedFeatures(const FeatureMap& features) : features_(features) {}

    [[nodiscard]] SourceShape shape() const override { return features_.shape(); }

    [[nodiscard]] Index first_example() const override { return features_.first_example(); }

    [[nodiscard]] Matrix apply(const Matrix& P) const override {
        outputs_ += P.cols();
        return features_.apply(P);
    }

    [[nodiscard]] Matrix apply_transposed(const Matrix& r) const override {
        outputs_ += r.rows();
        return features_.apply_transposed(r);
    }

    [[nodiscard]] Matrix labels() const override { return features_.labels(); }

    [[nodiscard]] Vector square_sums(const Matrix& values) const override {
        return features_.square_sums(values);
    }

    [[nodiscard]] double squared_norm(const Matrix& values) const override {
        return features_.squared_norm(values);
    }

    [[nodiscard]] double longest_feature() const override { return features_.longest_feature(); }

    /// 2Nψ for each output.
    [[nodiscard]] double flops() const {
        const SourceShape all = shape();
        return 2.0 * static_cast<double>(all.num_examples) * static_cast<double>(all.psi()) *
               static_cast<double>(outputs_);
    }

private:
    const FeatureMap& features_;
    mutable Index outputs_ = 0;
};

TEST(Costs, TheKroneckerSolverTakesAboutTheProductsItForesees) {
    for (const Index o : {1, 8}) {
        const Stream stream = Stream(12).child(o);
        const Index d = 8;
        const Dataset data =
            test::planted_dataset(test::normal_parameters(d, o, 2, stream.child("theta")),
                                  4 * feature_dim(d),
                                  2 * d,
                                  stream.child("data"));
        const DatasetSource source(data);
        const SolveCoordinates coordinates = solve_coordinates(source, {});
        const FeatureOperator features(*coordinates.source);
        const CountedFeatures counted(features);
        const KroneckerFactors factors = kronecker_factors(*coordinates.source);
        const LeastSquaresFit fit =
            fit_iteratively("kron",
                            counted,
                            coordinates,
                            {},
                            kronecker_preconditioner(factors, data.num_examples()),
                            {2000, 40});

        ASSERT_EQ(fit.status, SolveStatus::unique) << fit.note;
        const double foreseen = kronecker_cost(source.shape()).flops.product;
        EXPECT_GT(foreseen, 0.5 * counted.flops()) << "o = " << o;
        EXPECT_LT(foreseen, 2.0 * counted.flops()) << "o = " << o;
    }
}

}  // namespace
}  // namespace attest
