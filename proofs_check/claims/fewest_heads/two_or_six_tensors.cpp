#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/head_starts.hpp"
#include "core/heads/iterations.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <vector>

namespace attest::fewest_heads {

namespace {

/// Whether det Σ_b x_b A_b, a binary quadratic form over Q, has two distinct real roots: its
/// discriminant is positive. Column h of A_b is given by `column`.
template <class Column>
bool real_roots(const Column& column) {
    // det A(x) = det[column(0, x) | column(1, x)] at e_1, e_2 and e_1 + e_2.
    const auto determinant = [&](Index x0, Index x1) {
        const RationalVector a = Rational(x0) * column(0, 0) + Rational(x1) * column(0, 1);
        const RationalVector b = Rational(x0) * column(1, 0) + Rational(x1) * column(1, 1);
        return Rational(a(0) * b(1) - a(1) * b(0));
    };
    const Rational first = determinant(1, 0);
    const Rational last = determinant(0, 1);
    const Rational middle = determinant(1, 1) - first - last;
    return middle * middle - 4 * first * last > 0;
}

/// Which of det A and det B have real roots.
struct RealRoots {
    bool left;
    bool right;

    /// Six if both, else two: a tensor is a choice of two of the four roots of det M = det A det B
    /// that is closed under conjugation.
    [[nodiscard]] Index predicted() const { return left && right ? 6 : 2; }
};

RealRoots roots_of(const RationalParameters& theta) {
    const auto head = [&](Index h) -> const HeadOf<Rational>& {
        return theta.heads[static_cast<std::size_t>(h)];
    };
    return {
        real_roots([&](Index h, Index b) { return RationalVector(head(h).V.col(b)); }),
        real_roots([&](Index h, Index c) { return RationalVector(head(h).Q.row(c).transpose()); })};
}

/// How long a search goes on.
struct Search {
    Index patience;  ///< starts in a row that reach no new tensor
    Index expected;  ///< tensors, while fewer are known …
    Index most;      ///< … up to so many starts
};

/// Distinct tensors that exact fits from random starts reach.
std::vector<Matrix> found_tensors(const FitTarget& target,
                                  const Search& search,
                                  const Stream& stream) {
    std::vector<Matrix> tensors;
    Index last = 0;
    const auto missing = [&] { return static_cast<Index>(tensors.size()) < search.expected; };
    for (Index s = 0; s < last + search.patience || (missing() && s < search.most); ++s) {
        const HeadFit fit = variable_projection(
            target, start_queries(target, 2, StartKind::random, stream.child(s)), FitControl{});
        const Matrix W = fit.factors.V * fit.factors.Q;
        bool known = fit.end != FitEnd::target;
        for (const Matrix& other : tensors) {
            // Fits are exact to 1e-14; solutions that differ, differ by far more than this.
            known = known || (W - other).norm() < 1e-4 * other.norm();
        }
        if (!known) {
            tensors.push_back(W);
            last = s + 1;
        }
    }
    return tensors;
}

/// Accepted: so many tensors were found as predicted.
Answer is_as_predicted(Index instance, const std::string& by, Index predicted, Index found) {
    return {found == predicted,
            formatted("instance {}: {} predict {} real W, random starts reached {}",
                      instance,
                      by,
                      predicted,
                      found)};
}

Evidence test_two_or_six_tensors(const ClaimContext& context) {
    Evidence evidence;
    const Index instances = context.pick(12, 30);
    const Index patience = context.pick(200, 1000);
    Index six = 0;
    Index two = 0;
    const SharedTest counted(evidence, is_as_predicted, "double");
    for (Index i = 0; i < instances; ++i) {
        const Stream stream = context.stream.child("instance").child(i);
        const RationalParameters theta = random_heads(2, 2, 2, 9, stream.child("heads"));
        const RealRoots roots = roots_of(theta);
        const Index expected = roots.predicted();
        (expected == 6 ? six : two) += 1;
        const Matrix P = coefficients(theta).cast<double>();
        const Search search{patience, expected, 50 * patience};
        const auto found = static_cast<Index>(
            found_tensors(frobenius_target(P, 2), search, stream.child("starts")).size());
        const std::string both = "the roots of det A and det B";
        if (found < expected) {  // more refute the prediction, fewer may have escaped the search
            evidence.undecided(
                Form::tested, is_as_predicted(i, both, expected, found).text, "double");
        } else {
            counted.check(Form::tested, i, both, expected, found);
        }
        if (roots.left != roots.right) {
            counted.control(i, "real roots of det A or of det B alone", 6, found);
        }
    }
    evidence.check(Form::hypothesis,
                   six > 0 && two > 0,
                   formatted("{} instances with six and {} with two occurred", six, two));
    return evidence;
}

}  // namespace

Claim two_or_six_tensors() {
    return {
        .id = "fewest_heads/two_or_six_tensors",
        .paper = "docs/heads.md",
        .place = "section 5",
        .tested =
            "for d = o = 2 a generic function of two heads has six tensors W of rank 2 over the "
            "complex numbers; six of them are real if all roots of det M are, else two",
        .depends_on = "fewest_heads/identifiable",
        .method = Method::property,
        .explain =
            "det M = det A det B is a binary quartic, and the two roots that belong to det A "
            "determine A up to GL(2): a tensor is a choice of two roots of four. It is real iff "
            "the choice is closed under conjugation. The prediction is exact, the search that "
            "counts is variable projection from random starts.",
        .run = test_two_or_six_tensors,
    };
}

}  // namespace attest::fewest_heads
