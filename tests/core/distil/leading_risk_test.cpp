#include "core/distil/leading_risk.hpp"

#include "core/base/error.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"
#include "tests/core/distil/softmax_problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::random_softmax;
using test::softmax_data;

struct LeadingCase {
    const char* family;
    int power;
};

double least_risk_at(SoftmaxLayer layer, double tau, const Dataset& data) {
    layer.tau *= tau;
    const Dataset scaled = labelled_by(layer, data);
    const DatasetSource source(scaled);
    return empirical_risk(fit_least_squares(source, "svd", {}).P, source).risk;
}

TEST(LeadingRisk, IsMetByEveryFamilyWithinTheNextTerm) {
    for (const auto& [family, power] : {LeadingCase{"linear", 0},
                                        LeadingCase{"affine", 2},
                                        LeadingCase{"degree=0..1", 2},
                                        LeadingCase{"degree=0..2", 2}}) {
        for (Index heads = 1; heads <= 2; ++heads) {
            const SoftmaxLayer layer = random_softmax(2, 2, heads, heads);
            const Dataset data = softmax_data(layer, family, 5, 150, heads);
            const LeadingRisk leading = leading_risk(layer, data);
            EXPECT_EQ(leading.power, power) << family;
            const int order = power / 2;
            const double root = std::sqrt(leading.constant);
            for (const double tau : {0.5, 0.125, 0.03125, 0x1p-10}) {
                const double measured = std::sqrt(least_risk_at(layer, tau, data));
                EXPECT_LE(std::abs(measured - root * std::pow(tau, order)),
                          leading.next * std::pow(tau, order + 1))
                    << family << " at tau " << tau;
            }
            // At the last τ the tolerance is less than a tenth of the term: it tells the exponent
            // and the constant.
            EXPECT_LT(leading.next * 0x1p-10, 0.1 * root) << family;
        }
    }
}

TEST(LeadingRisk, OfLayersWithAConstantFallsAndOfTheOthersDoesNot) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 4);
    for (const char* family : {"linear", "degree=1", "decay=1,1/2"}) {
        EXPECT_EQ(leading_risk(layer, softmax_data(layer, family, 4, 150, 4)).power, 0) << family;
    }
    // Lengths differ: the mean is no sum.
    IidEntriesOptions options;
    options.d = 2;
    options.n = {3, 5};
    Dataset data = labelled_by(layer, materialise(*iid_entries(options, Stream(1)), 0, 150, 1));
    data.layer = layer_named("degree=0..1");
    EXPECT_EQ(leading_risk(layer, data).power, 0);
}

TEST(LeadingRisk, IsRefusedWhereNothingIsLeft) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 4);
    // One token: softmax is V z, which degree=0 has.
    EXPECT_THROW((void)leading_risk(layer, softmax_data(layer, "degree=0", 1, 20, 4)),
                 InvalidInput);
    EXPECT_THROW((void)normalised_leading_risk(random_softmax(2, 2, 2, 0),
                                               softmax_data(layer, "affine", 3, 20, 4)),
                 InvalidInput);
}

}  // namespace
}  // namespace attest
