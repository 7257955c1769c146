#include "core/base/text.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "tasks/softmax_attention.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest::chen_li2024 {

namespace {

std::vector<std::vector<Index>> sets_of_two(Index d) {
    std::vector<std::vector<Index>> sets;
    for (Index v = 1; v < d; ++v) {
        for (Index w = v + 1; w < d; ++w) {
            sets.push_back({v, w});
        }
    }
    return sets;
}

/// All Boolean sequences of two tokens with x_11 = 1 and x_21 = −1.
std::vector<Matrix> inputs(Index d) {
    std::vector<Matrix> all;
    for (Index i = 0; i < (Index{1} << (2 * (d - 1))); ++i) {
        Matrix X(d, 2);
        X(0, 0) = 1.0;
        X(0, 1) = -1.0;
        for (Index e = 0; e < 2 * (d - 1); ++e) {
            X(1 + e % (d - 1), e / (d - 1)) = (i >> e) % 2 == 0 ? 1.0 : -1.0;
        }
        all.push_back(X);
    }
    return all;
}

constexpr double kBeta = 40.0;

/// Accepted: the first `used` of a layer's four heads reach the limit on every input, for every
/// set.
Answer reaches_the_limit(Index d, Index used) {
    const std::vector<Matrix> all = inputs(d);
    double error = 0.0;
    for (const std::vector<Index>& set : sets_of_two(d)) {
        SoftmaxHeads heads = parity_heads(d, set, kBeta);
        heads.resize(static_cast<std::size_t>(used));
        for (const Matrix& X : all) {
            const Matrix off = softmax_attention(heads, X, 2) - parity_target(X, set);
            error = std::max(error, off.cwiseAbs().maxCoeff());
        }
    }
    // Of parity_target; the four heads' sums are rounded a few dozen times at size 1.
    const double bound = 4.0 * std::exp(-kBeta / 2.0) + 0x1p-45;
    return {
        error < bound,
        formatted(
            "{} of 4 heads, d = {}, beta = {}, all signs with x_11 = 1 and x_21 = -1: largest |F - "
            "limit| {}",
            used,
            d,
            kBeta,
            error)};
}

void check_orthogonal(Evidence& evidence, Index d) {
    const std::vector<Matrix> all = inputs(d);
    const std::vector<std::vector<Index>> sets = sets_of_two(d);
    MatrixOf<Index> parts(std::ssize(sets), std::ssize(all));  // a set a row, an input a column
    for (Index s = 0; s < parts.rows(); ++s) {
        for (Index i = 0; i < parts.cols(); ++i) {
            const Matrix target =
                parity_target(all[static_cast<std::size_t>(i)], sets[static_cast<std::size_t>(s)]);
            parts(s, i) = static_cast<Index>(std::lround(target(0, 0))) - 1;
        }
    }
    const MatrixOf<Index> products = parts * parts.transpose();
    Index orthogonal = 0;
    Index pairs = 0;
    for (Index s = 0; s < parts.rows(); ++s) {
        pairs += s;
        orthogonal += (products.row(s).head(s).array() == 0).count();
    }
    evidence.check(Form::tested,
                   orthogonal == pairs && (products.diagonal().array() == parts.cols()).all(),
                   formatted("limits of {} layers, all signs with x_11 = 1 and x_21 = -1: {} of {} "
                             "pairs of set-dependent parts are orthogonal, each of mean square 1",
                             parts.rows(),
                             orthogonal,
                             pairs));
}

Evidence test_exponential_dependence(const ClaimContext& context) {
    Evidence evidence;
    const Index d = context.pick(5, 6);
    const SharedTest limit(evidence, reaches_the_limit, "double");
    limit.check(Form::tested, d, 4);
    check_orthogonal(evidence, d);
    limit.control(d, 3);
    return evidence;
}

}  // namespace

Claim exponential_dependence() {
    return {
        .id = "chen_li2024/exponential_dependence",
        .paper = "arXiv 2402.04084",
        .place = "Lower bound",
        .printed = kNotAtHand,
        .tested =
            "m = 4: given x_11 = 1 and x_21 = -1, C(d-1, 2) layers of 4 heads have pairwise "
            "orthogonal parts of mean square 1 over uniform signs, so that many queries' worth of "
            "statistical accuracy are needed to tell them apart",
        .deviation =
            "the construction is ours, made to be executed for one m; the paper's was not seen. "
            "For "
            "m = 2n the same heads give C(d-1, n) layers, exponentially many in m, by the argument "
            "alone. Their W_i sum to 0, so they lie outside the non-degenerate class of the upper "
            "bound. Cryptographic hardness cannot be shown by experiment",
        .method = Method::exact,
        .explain =
            "2n heads whose logits step through the values of a sum of n signs, with "
            "alternating values, compute its parity. The limit's parts are +1 or -1; their "
            "products are summed in integers over all inputs of that kind. Where the two signs "
            "agree "
            "the part is 0, so that over all signs its mean square is 1/2.",
        .run = test_exponential_dependence,
    };
}

}  // namespace attest::chen_li2024
