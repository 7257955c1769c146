#include "core/base/text.hpp"
#include "core/certify/least_risk.hpp"
#include "core/certify/probe_design.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/smith_form.hpp"
#include "proofs_check/claims/certificates/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <numeric>

namespace attest::certificates {

namespace {

constexpr Index kLargest = 1000000;

/// The questions of `attest probe`, the last ones replaced by the first again.
Dataset questions(Index d, Index replaced) {
    const Dataset all = teaching_queries(d);
    std::vector<Index> asked(static_cast<std::size_t>(all.num_sequences()));
    std::iota(asked.begin(), asked.end(), Index{0});
    for (Index k = 0; k < replaced; ++k) {
        asked[asked.size() - 1 - static_cast<std::size_t>(k)] = k;
    }
    return select_sequences(all, asked);
}

/// The box: integer coefficients P, one output.
Dataset answered(Dataset data, const RationalMatrix& P) {
    const RationalMatrix y = feature_rows(exact_sequences(data)) * P;
    data.labels = LabelKind::per_sequence;
    data.y = y.transpose().unaryExpr([](const Rational& x) { return x.convert_to<double>(); });
    return data;
}

/// Accepted: the coefficients of a random integer layer come back from its answers, every one, and
/// the features of the questions have elementary divisors 1: integer answers, integer coefficients.
Answer recovers(Index d, Index replaced, const Stream& stream) {
    const Dataset asked = questions(d, replaced);
    const RationalMatrix P =
        random_integers(asked.layout().psi(), 1, kLargest, stream.child("P").child(d));
    const LeastRisk found = least_risk(answered(asked, P));
    const Index right = (found.P.array() == P.array()).count();
    const std::vector<Integer> divisors = elementary_divisors(integer_features(asked));
    Index ones = 0;
    for (const Integer& divisor : divisors) {
        ones += divisor == 1 ? 1 : 0;
    }
    return {found.risk == 0 && right == P.size() && ones == P.rows(),
            formatted("d = {}, {} questions: {} of {} coefficients up to {} are those of the box, "
                      "{} of {} elementary divisors are 1",
                      d,
                      asked.num_sequences(),
                      right,
                      P.size(),
                      kLargest,
                      ones,
                      P.rows())};
}

Evidence test_probing(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest test(evidence, recovers, kSampled);
    for (Index d = 1; d <= context.pick(5, 8); ++d) {
        test.check(Form::tested, d, Index{0}, context.stream);
    }
    test.control(Index{2}, Index{1}, context.stream);
    test.control(Index{3}, Index{4}, context.stream);
    return evidence;
}

}  // namespace

Claim probing() {
    return {
        .id = "certificates/probing",
        .paper = "docs/probe.md",
        .place = "The questions, and why they suffice",
        .tested =
            "from the answers of an integer layer to the psi questions of attest probe its "
            "coefficients come back exactly, for every d up to 8 (the quick profile goes to d = "
            "5); the features of the questions are a unimodular matrix",
        .depends_on = "yau2024/teaching_set",
        .method = Method::sampled,
        .explain =
            "The answers are computed over Q from the definition, the coefficients by attest's "
            "exact least squares, the divisors from the Smith form. With a question asked twice in "
            "the place of another one, coefficients are missed and a divisor is lost.",
        .run = test_probing,
    };
}

}  // namespace attest::certificates
