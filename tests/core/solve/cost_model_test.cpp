#include "core/solve/cost_model.hpp"

#include "core/base/files.hpp"
#include "core/solve/preconditioned.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

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

const WorkByKind kRates{1e9, 2e9, 3e9, 4e9, 5e9, 6e9, 0.1};

TEST(Rates, PredictsSecondsByHand) {
    SolveCost cost;
    cost.flops.gram64 = 2e9;       // 2 s
    cost.flops.orthogonal = 24e9;  // 4 s
    EXPECT_EQ(predicted_seconds(cost, {kRates, ""}, 1), 6.0);
    EXPECT_EQ(predicted_seconds(cost, {kRates, ""}, 2), 3.0);
    EXPECT_EQ(total(cost.flops), 26e9);
}

TEST(Rates, ReadBackWhatTheyWrote) {
    const WorkByKind back = rates_from_text(to_text(kRates), "file");
    EXPECT_EQ(to_text(back), to_text(kRates));
    EXPECT_EQ(back.multiprecision, 0.1);
    EXPECT_EQ(back.cholesky32, 5e9);
}

TEST(Rates, RefuseAFileThatIsNone) {
    const auto message = [](const std::string& text) {
        return test::invalid_input_message([&] { (void)rates_from_text(text, "rates.txt"); });
    };
    EXPECT_SAYS(message("gram64 fast\n"), "rates.txt: got 'gram64 fast'");
    EXPECT_EQ(message("gram99 1e9\n").substr(0, 27), "rates.txt: got 'gram99 1e9'");
    EXPECT_EQ(message("gram64 -1\n").substr(0, 26), "rates.txt: got 'gram64 -1'");
    EXPECT_SAYS(message("gram64 1e9\n"), "rates.txt: no rate for gram32");
}

TEST(Rates, ComeFromTheFileTheEnvironmentNames) {
    const test::TemporaryFolder folder;
    write_file_atomically(folder.file("mine.txt"), to_text(kRates));
    {
        const test::EnvironmentVariable chosen("ATTEST_RATES", folder.file("mine.txt"));
        EXPECT_EQ(current_rates().per_second.product, 3e9);
        EXPECT_EQ(current_rates().origin, folder.file("mine.txt"));
    }
    const test::EnvironmentVariable absent("ATTEST_RATES", folder.file("absent.txt"));
    EXPECT_EQ(test::invalid_input_message([] { (void)current_rates(); }),
              "ATTEST_RATES: " + folder.file("absent.txt") + " cannot be read");
}

TEST(Rates, AreBuiltInWhereTheCacheHoldsNone) {
    const test::TemporaryFolder folder;
    const test::EnvironmentVariable cache("XDG_CACHE_HOME", folder.file("cache"));
    EXPECT_EQ(rates_path(), folder.file("cache") + "/attest/rates.txt");
    EXPECT_EQ(current_rates().origin, "built in");
}

TEST(MeasuredRates, ArePositiveAndReadable) {
    const WorkByKind measured = measure_rates();
    EXPECT_EQ(to_text(rates_from_text(to_text(measured), "measured")), to_text(measured));
}

}  // namespace

}  // namespace attest
