#include "core/rng/sample.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <cstdint>

namespace attest::readers {

namespace {

/// Sequences whose tokens are drawn from a list of types.
struct TypedText {
    std::string name;
    std::vector<RationalMatrix> types;      ///< the list, d×1 each
    std::vector<RationalMatrix> sequences;  ///< of them, d×n each
};

TypedText draw_text(const std::string& name,
                    const std::vector<RationalMatrix>& types,
                    Index n,
                    Index count,
                    const Stream& stream) {
    Draws draws(stream);
    TypedText text{name, types, {}};
    for (Index i = 0; i < count; ++i) {
        RationalMatrix Z(types.front().rows(), n);
        for (Index t = 0; t < n; ++t) {
            Z.col(t) = types[draws.below(types.size())];
        }
        text.sequences.push_back(Z);
    }
    return text;
}

std::vector<RationalMatrix> one_hot_types(Index d) {
    std::vector<RationalMatrix> types;
    for (Index j = 0; j < d; ++j) {
        types.emplace_back(RationalMatrix::Identity(d, d).col(j));
    }
    return types;
}

std::vector<RationalMatrix> sign_types(Index d) {
    std::vector<RationalMatrix> types;
    for (Index bits = 0; bits < Index{1} << d; ++bits) {
        RationalMatrix e(d, 1);
        for (Index j = 0; j < d; ++j) {
            e(j, 0) = (bits >> j) % 2 == 0 ? 1 : -1;
        }
        types.push_back(e);
    }
    return types;
}

Index rank_of_squares(const std::vector<RationalMatrix>& types) {
    const Index d = types.front().rows();
    RationalMatrix rows(std::ssize(types), d * d);
    for (Index i = 0; i < rows.rows(); ++i) {
        const RationalMatrix& e = types[static_cast<std::size_t>(i)];
        const RationalMatrix square = e * e.transpose();
        for (Index k = 0; k < d * d; ++k) {
            rows(i, k) = square(k / d, k % d);
        }
    }
    return rational_rank(rows);
}

Index rank_of_queries(const TypedText& text) {
    RationalMatrix rows(std::ssize(text.sequences), text.types.front().rows());
    for (Index i = 0; i < rows.rows(); ++i) {
        const RationalMatrix& Z = text.sequences[static_cast<std::size_t>(i)];
        rows.row(i) = Z.col(Z.cols() - 1).transpose();
    }
    return rational_rank(rows);
}

enum class Relation : std::uint8_t { at_most, equal };

/// Accepted: the rank of the features is the product of both ranks, or at most that.
Answer related(const TypedText& text, Relation relation) {
    const Index rank = rational_rank(feature_rows(text.sequences));
    const Index squares = rank_of_squares(text.types);
    const Index queries = rank_of_queries(text);
    return {relation == Relation::equal ? rank == squares * queries : rank <= squares * queries,
            formatted("{}: rank H = {}, rank of {} types' squares {} times rank of queries {} = {}",
                      text.name,
                      rank,
                      text.types.size(),
                      squares,
                      queries,
                      squares * queries)};
}

Evidence test_real_text_rank(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest test(evidence, related, kSampled);
    const auto draw = [&](const char* name, const std::vector<RationalMatrix>& types, Index n) {
        return draw_text(name, types, n, context.pick(60, 200), context.stream.child(name));
    };
    const TypedText one_hot = draw("one-hot types, d = 3, n = 3", one_hot_types(3), 3);
    const TypedText signs = draw("signs, d = 3, n = 4", sign_types(3), 4);
    const std::vector<RationalMatrix> vectors =
        random_sequences(9, 3, 1, 5, context.stream.child("types"));
    const TypedText few =
        draw("four random types, d = 3, n = 4", {vectors.begin(), vectors.begin() + 4}, 4);
    const TypedText many = draw("nine random types, d = 3, n = 4", vectors, 4);
    const TypedText single = draw("nine random types, sequences of one token", vectors, 1);
    for (const TypedText& text : {one_hot, signs, few, many}) {
        test.check(Form::tested, text, Relation::at_most);
        test.check(Form::tested, text, Relation::equal);
    }
    test.check(Form::tested, single, Relation::at_most);
    // The bound is no law: with one token S = zzᵀ and the query are bound to one another.
    test.control(single, Relation::equal);
    TypedText hidden = one_hot;
    hidden.name = "one-hot types, one of them not on the list";
    hidden.types.pop_back();
    test.control(hidden, Relation::at_most);
    return evidence;
}

}  // namespace

Claim real_text_rank() {
    return {
        .id = "readers/real_text_rank",
        .paper = "docs/text.md",
        .place = "Does real language satisfy the certificate?",
        .printed = "Does real language satisfy the identifiability condition?",
        .tested =
            "the features of sequences of tokens from a list of types have a rank of at most "
            "rank{e e' : e on the list} times rank{queries}, so that fewer than d(d+1)/2 types "
            "never certify; equal to it for four lists and random sequences, smaller for "
            "sequences of one token",
        .deviation = "a question; the answer for a text is text_identifiability's",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::sampled,
        .explain =
            "H(Z) = pack(Z Z') x z, a tensor product, and Z Z' is the sum of e e' over the tokens "
            "e. So every H(Z) lies in span{pack(e e')} x span{z}, whose dimension is the product "
            "of both dimensions. One-hot types: d squares of d(d+1)/2. Signs: all diagonal entries "
            "of e e' are 1. n types: at most n squares.",
        .run = test_real_text_rank,
    };
}

}  // namespace attest::readers
