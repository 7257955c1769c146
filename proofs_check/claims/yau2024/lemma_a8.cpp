#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/claims/yau2024/teaching_set.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <functional>
#include <numeric>

namespace attest::yau2024 {

namespace {

/// Sizes of the blocks of rows; in each token one entry of every block is 1.
using Blocks = std::vector<Index>;

Index rows_of(const Blocks& blocks) {
    return std::accumulate(blocks.begin(), blocks.end(), Index{0});
}

/// The token whose symbols are the digits of `number`.
RationalVector one_hot_token(const Blocks& blocks, Index number) {
    RationalVector token = RationalVector::Zero(rows_of(blocks));
    Index start = 0;
    for (const Index size : blocks) {
        token(start + number % size) = 1;
        number /= size;
        start += size;
    }
    return token;
}

Index num_tokens(const Blocks& blocks) {
    return std::accumulate(blocks.begin(), blocks.end(), Index{1}, std::multiplies<>());
}

/// Every sequence of n one-hot tokens.
std::vector<RationalMatrix> all_sequences(const Blocks& blocks, Index n) {
    const Index symbols = num_tokens(blocks);
    Index count = 1;
    for (Index t = 0; t < n; ++t) {
        count *= symbols;
    }
    std::vector<RationalMatrix> list;
    for (Index number = 0; number < count; ++number) {
        RationalMatrix Z(rows_of(blocks), n);
        Index rest = number;
        for (Index t = 0; t < n; ++t) {
            Z.col(t) = one_hot_token(blocks, rest % symbols);
            rest /= symbols;
        }
        list.push_back(Z);
    }
    return list;
}

Index vanishing_pairs(const Blocks& blocks) {
    Index pairs = 0;
    for (const Index size : blocks) {
        pairs += size * (size - 1) / 2;
    }
    return pairs;
}

/// Accepted: Λ over these sequences is regular.
Answer certified(const std::vector<RationalMatrix>& Z, const std::string& what) {
    const RationalMatrix H = feature_rows(Z);
    Index vanishing = 0;
    for (Index j = 0; j < H.cols(); ++j) {
        vanishing += H.col(j).isZero(Rational(0)) ? 1 : 0;
    }
    const RationalMatrix G = H.transpose() * H;
    const Index rank = rational_rank(G);
    return {rank == H.cols(),
            formatted("{}, d = {}, psi = {}: over all {} of them together the rank is {}, {} "
                      "features vanish identically",
                      what,
                      Z.front().rows(),
                      H.cols(),
                      H.rows(),
                      rank,
                      vanishing)};
}

std::vector<RationalMatrix> histories(const Blocks& blocks, Index longest) {
    std::vector<RationalMatrix> all;
    for (Index n = 1; n <= longest; ++n) {
        const std::vector<RationalMatrix> more = all_sequences(blocks, n);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

void check_hypothesis(Evidence& evidence, const ClaimContext& context) {
    const SharedTest regular(evidence, certified);
    regular.check(Form::hypothesis,
                  histories({2, 2}, 3),
                  "one-hot sequences of 1 to 3 tokens, blocks of 2 and 2 symbols");
    regular.check(Form::hypothesis,
                  histories({2, 3}, context.pick(2, 3)),
                  "one-hot sequences, blocks of 2 and 3 symbols");
    std::vector<RationalMatrix> taught;
    for (const TeachingQuery& query : teaching_set(4)) {
        taught.emplace_back(to_columns(query.tokens, 4).cast<Rational>());
    }
    regular.accepts(taught, "the teaching set, which is no set of histories");
    for (const Blocks& blocks : {Blocks{2, 2}, Blocks{2, 3}}) {
        const Index d = rows_of(blocks);
        const RationalMatrix H = feature_rows(histories(blocks, 2));
        Index vanishing = 0;
        for (Index j = 0; j < H.cols(); ++j) {
            vanishing += H.col(j).isZero(Rational(0)) ? 1 : 0;
        }
        evidence.check(Form::tested,
                       vanishing >= d * vanishing_pairs(blocks),
                       formatted("d = {}: at least d sum_blocks C(s,2) = {} features vanish",
                                 d,
                                 d * vanishing_pairs(blocks)));
    }
}

/// H(Z) in the span: all minimisers agree at Z. Outside: two that differ by ‖(I−Π)H‖².
void check_span(Evidence& evidence, const ClaimContext& context) {
    const Blocks blocks{2, 2};
    const std::vector<RationalMatrix> train = all_sequences(blocks, 2);
    const RationalParameters truth = random_heads(4, 4, 2, 2, context.stream.child("truth"));
    const ExactProblem data = realisable_problem(train, truth);
    const RationalMatrix null_space = rational_null_space(data.H);
    const RationalMatrix basis = null_space.transpose() * null_space;
    const RationalMatrix best = least_squares(data);
    Index inside = 0;
    Index outside = 0;
    bool as_said = true;
    std::vector<RationalMatrix> queries = all_sequences(blocks, 3);
    queries.emplace_back(RationalMatrix::Identity(4, 2));
    for (const RationalMatrix& Z : queries) {
        const RationalVector h = cubic_features<Rational>(Z);
        const RationalVector off = null_space.transpose() * h;
        const RationalVector residual = null_space * rational_inverse(basis) * off;
        const bool in_span = residual.isZero(Rational(0));
        (in_span ? inside : outside) += 1;
        RationalMatrix other = best;
        other.col(0) += residual;
        const Rational difference = residual.dot(h);
        as_said = as_said && risk(data, other) == 0 && difference == squared_norm(residual) &&
                  (!in_span || best.transpose() * h == output(truth, Z));
    }
    evidence.check(
        Form::tested,
        as_said && inside > 0 && outside > 0,
        formatted("trained on all 16 one-hot pairs, the span certificate decides: for {} of {} "
                  "queries H(Z) is in the span and every minimiser gives the truth's output; for "
                  "the others a second minimiser differs by ||(I - Pi) H||^2 > 0",
                  inside,
                  queries.size()),
        kSampled);
}

Evidence test_lemma_a8(const ClaimContext& context) {
    Evidence evidence;
    check_hypothesis(evidence, context);
    check_span(evidence, context);
    return evidence;
}

}  // namespace

Claim lemma_a8() {
    return {
        .id = "yau2024/lemma_a8",
        .place = "Lemma 3.1, Lemma A.8, read for computation histories",
        .printed =
            "if lambda_min(Lambda) > eta > 0 on a data set of computation histories labelled by "
            "the layer of Lemma B.1, the learned layer simulates every machine and word",
        .tested =
            "span certificate: all minimisers agree at Z if H(Z) is in the span of the training "
            "features; with enough heads, only then",
        .deviation =
            "no set of one-hot histories satisfies the hypothesis; the span certificate "
            "replaces it",
        .depends_on = "yau2024/lemma_2_3 yau2024/lemma_a6 yau2024/lemma_a8_literal",
        .method = Method::exact,
        .documented = Outcome::vacuous,
        .severity = Severity::convention,
        .explain =
            "In a one-hot block the products of two different rows vanish in every token, so "
            "S_jk = 0 and d features a pair are identically zero, whatever the histories. "
            "With inputs that are no histories the lemma is true: lemma_a8_literal. "
            "Null directions of Lambda that no history sees do no harm, which the span "
            "certificate says and lambda_min cannot.",
        .machine_checked = {"certificate.v: determined, undetermined", "layers with enough heads"},
        .run = test_lemma_a8,
    };
}

}  // namespace attest::yau2024
