#include "core/base/text.hpp"
#include "core/explain/explanation.hpp"
#include "proofs_check/claims/certificates/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

#include <functional>
#include <string_view>

namespace attest::certificates {

namespace {

/// One token from a stream of draws.
using Token = std::function<Vector(Draws&)>;

Vector small_entries(Draws& draws) {
    Vector z(3);
    for (Index j = 0; j < 3; ++j) {
        z(j) = static_cast<double>(draws.below(7)) - 3.0;
    }
    return z;
}

Vector one_hot(Draws& draws) {
    return Vector::Unit(3, static_cast<Index>(draws.below(3)));
}

Vector signs(Draws& draws) {
    Vector z(3);
    for (Index j = 0; j < 3; ++j) {
        z(j) = draws.below(2) == 0 ? -1.0 : 1.0;
    }
    return z;
}

Vector collinear(Draws& draws) {
    Vector z = small_entries(draws);
    z(2) = z(0) - 2.0 * z(1);
    return z;
}

Vector without_the_third(Draws& draws) {
    Vector z = small_entries(draws);
    z(2) = 0.0;
    return z;
}

/// Eighty sequences of n tokens; or of one token n times.
Dataset drawn(const Token& token, Index n, const Stream& stream, bool repeated = false) {
    Draws draws(stream);
    std::vector<Matrix> examples;
    for (Index i = 0; i < 80; ++i) {
        Matrix Z(3, n);
        for (Index t = 0; t < n; ++t) {
            Z.col(t) = repeated && t > 0 ? Vector(Z.col(0)) : token(draws);
        }
        examples.push_back(Z);
    }
    return sequences(examples);
}

/// One sequence more, of no special kind.
Dataset with_a_generic_one(const Dataset& data) {
    return concatenate(data, sequences({Matrix{{3, 1, 2}, {1, -2, 5}, {2, 4, -1}}}));
}

/// Accepted: what explains `seen` names this cause (or nothing, for data of full rank), each of its
/// relations holds in every example of `asked`, and they span all that hold on `seen`.
Answer explains(const Dataset& seen, const Dataset& asked, std::string_view cause) {
    const Explanation found = explain(seen, certify_rank(seen), std::nullopt);
    const RationalMatrix H = feature_rows(exact_sequences(seen));
    const RationalMatrix elsewhere = feature_rows(exact_sequences(asked));
    bool named = cause == "nothing" && found.classes.empty();
    RationalMatrix vectors(H.cols(), 0);
    for (const RelationClass& one : found.classes) {
        named = named || to_string(one.cause.kind) == cause;
        for (const IntegerVector& v : one.vectors) {
            vectors.conservativeResize(Eigen::NoChange, vectors.cols() + 1);
            vectors.rightCols(1) = v.cast<Rational>();
        }
    }
    const Index nullity = H.cols() - rational_rank(H);
    const bool complete =
        vectors.cols() == nullity && (nullity == 0 || rational_rank(vectors) == nullity);
    const RationalMatrix values = elsewhere * vectors;
    Index broken = 0;
    for (Index j = 0; j < values.cols(); ++j) {
        broken += values.col(j).isZero(Rational(0)) ? 0 : 1;
    }
    return {named && complete && broken == 0,
            formatted("{}: {} of {} null vectors in {} classes, {} of them broken by one of {} "
                      "examples; the cause is {}named",
                      cause,
                      vectors.cols(),
                      nullity,
                      found.classes.size(),
                      broken,
                      asked.num_sequences(),
                      named ? "" : "not ")};
}

Evidence test_explained(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest test(evidence, explains, kSampled);
    const Stream stream = context.stream.child("tokens");
    const Dataset generic = drawn(small_entries, 3, stream);
    test.check(Form::tested, generic, generic, "nothing");
    const auto check = [&](std::string_view cause, const Dataset& data) {
        test.check(Form::tested, data, data, cause);
        test.control(data, with_a_generic_one(data), cause);
    };
    const Dataset kinds = drawn(one_hot, 4, stream);
    check("one_hot", kinds);
    // Two kinds at once, asked by the third: S_12 z_3 is broken, S_13 z_2 is not.
    const Dataset two_at_once = sequences({Matrix{{1, 0}, {1, 0}, {0, 1}}});
    test.control(kinds, concatenate(kinds, two_at_once), "one_hot");
    check("signs", drawn(signs, 3, stream));
    check("collinear", drawn(collinear, 3, stream));
    check("zero_coordinate", drawn(without_the_third, 3, stream));
    check("one_token", drawn(small_entries, 1, stream));
    check("repeated_tokens", drawn(small_entries, 3, stream, true));
    test.control(generic, generic, "one_hot");
    return evidence;
}

}  // namespace

Claim explained() {
    return {
        .id = "certificates/explained",
        .paper = "docs/certificates.md",
        .place = "Why is something open?",
        .tested =
            "the relations that explain a deficiency hold in every example, are independent and "
            "span all null vectors; one-hot tokens, signs, collinear and zero coordinates, single "
            "and repeated tokens are named as their causes; of data of full rank nothing is said",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::sampled,
        .explain =
            "Relations are attest's, features and ranks by elimination over Q. With an example of "
            "no special kind added, some relation is broken; a cause that is not there is not "
            "named.",
        .run = test_explained,
    };
}

}  // namespace attest::certificates
