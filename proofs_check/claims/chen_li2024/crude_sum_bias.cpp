#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/value_sum.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "tasks/softmax_attention.hpp"

namespace attest::chen_li2024 {

namespace {

/// Halving Θ divides an error of first order by 2, one of second order by 4.
constexpr double kBetweenOrders = 3.0;

/// All sequences of k sign tokens: the expectation itself.
SoftmaxSource every_sequence(const SoftmaxHeads& heads, Index k) {
    const Index d = heads.front().W.rows();
    const Index count = Index{1} << (d * k);
    SoftmaxExamples all{k, Matrix(d, count * k), Matrix()};
    for (Index e = 0; e < d * k * count; ++e) {
        all.X(e) = ((e / (d * k)) >> (e % (d * k))) % 2 == 0 ? 1.0 : -1.0;
    }
    all.Y = softmax_attention(heads, all.X, k);
    return source_of(all);
}

/// Whether the first-order term is subtracted: without it the error is of first order.
enum class Bias : std::uint8_t { subtracted, left };

double error_of(SoftmaxHeads heads, double factor, Bias bias) {
    for (SoftmaxHead& head : heads) {
        head.Theta *= factor;
    }
    const Matrix W = crude_sum(every_sequence(heads, 2), CrudeEstimator::all_pairs);
    return bias == Bias::left ? sum_error(W, heads)
                              : sum_error(W - first_order_bias(heads, 2, -2.0), heads);
}

/// Accepted: the error is of second order in Θ.
Answer is_of_second_order(Index layer, const SoftmaxHeads& heads, Bias bias) {
    const double ratio = error_of(heads, 1.0, bias) / error_of(heads, 0.5, bias);
    return {ratio > kBetweenOrders,
            formatted("layer {}, the first-order term {}: halving Theta divides the error by {}",
                      layer,
                      bias == Bias::subtracted ? "subtracted" : "left",
                      ratio)};
}

Evidence test_crude_sum_bias(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest second_order(evidence, is_of_second_order, "double");
    for (Index i = 0; i < context.pick(3, 10); ++i) {
        SoftmaxTeacherOptions options;
        options.d = 4;
        options.norm = 0.02;
        const SoftmaxHeads heads = softmax_teacher(options, context.stream.child(i));
        second_order.check(Form::tested, i, heads, Bias::subtracted);
        second_order.control(i, heads, Bias::left);
    }
    return evidence;
}

}  // namespace

Claim crude_sum_bias() {
    return {
        .id = "chen_li2024/crude_sum_bias",
        .paper = "arXiv 2402.04084",
        .place = "First phase",
        .printed = kNotAtHand,
        .tested =
            "E[(1/k) X^T J Y] = sum_i (I + (1 - 1/k)(Theta_i + (kappa/k) diag Theta_i)) W_i + "
            "O(Theta^2) for independent entries of excess kurtosis kappa",
        .deviation =
            "the public summary says the moment is close to sum_i W_i; the first-order "
            "term is ours",
        .method = Method::property,
        .explain =
            "Over all sign inputs the moment is the expectation. A remainder of second order "
            "falls fourfold when Theta is halved, one of first order twofold.",
        .run = test_crude_sum_bias,
    };
}

}  // namespace attest::chen_li2024
