#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

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

void check_hypothesis(Evidence& evidence, const Blocks& blocks, Index longest) {
    const Index d = rows_of(blocks);
    std::vector<RationalMatrix> all;
    for (Index n = 1; n <= longest; ++n) {
        const std::vector<RationalMatrix> more = all_sequences(blocks, n);
        all.insert(all.end(), more.begin(), more.end());
    }
    const RationalMatrix H = feature_rows(all);
    Index vanishing = 0;
    for (Index j = 0; j < H.cols(); ++j) {
        vanishing += H.col(j).isZero(Rational(0)) ? 1 : 0;
    }
    const RationalMatrix G = H.transpose() * H;
    const Index rank = rational_rank(G);
    evidence.check(Form::hypothesis,
                   rank == H.cols(),
                   formatted("blocks of {} and {} symbols (d = {}, psi = {}): over all {} one-hot "
                             "sequences of 1 to {} tokens together the rank is {}, {} features "
                             "vanish identically: lambda_min = 0 for every set of them",
                             blocks.front(),
                             blocks.back(),
                             d,
                             H.cols(),
                             H.rows(),
                             longest,
                             rank,
                             vanishing));
    evidence.check(Form::tested,
                   vanishing >= d * vanishing_pairs(blocks),
                   formatted("at least d sum_blocks C(s,2) = {} features vanish",
                             d * vanishing_pairs(blocks)));
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
    queries.push_back(RationalMatrix::Identity(4, 2));
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
                  queries.size()));
}

void check_control(Evidence& evidence) {
    std::vector<RationalMatrix> dense = all_sequences({2, 2}, 2);
    RationalMatrix H = feature_rows(dense);
    const Index before = rational_rank(H);
    dense.push_back(RationalMatrix::Ones(4, 2));
    H = feature_rows(dense);
    evidence.check(Form::control,
                   rational_rank(H) == before + 1,
                   "a token with two ones in a block raises the rank: the deficiency is the "
                   "one-hot form's");
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    check_hypothesis(evidence, {2, 2}, 3);
    check_hypothesis(evidence, {2, 3}, context.pick(2, 3));
    check_span(evidence, context);
    check_control(evidence);
    return evidence;
}

}  // namespace

Claim lemma_a8() {
    return {
        .id = "yau2024/lemma_a8",
        .paper = "arXiv 2410.10101",
        .place = "Lemma 3.1, Lemma A.8",
        .printed =
            "if lambda_min(Lambda) > eta > 0 on a set of computation histories, the learned "
            "model simulates every machine and word",
        .tested =
            "span certificate: all minimisers agree at Z if H(Z) is in the span of the training "
            "features; with enough heads, only then",
        .deviation =
            "no set of one-hot histories satisfies the hypothesis; the span certificate "
            "replaces it",
        .depends_on = "yau2024/lemma_2_3 yau2024/lemma_a6",
        .method = Method::exact,
        .documented = Outcome::vacuous,
        .explain =
            "In a one-hot block the products of two different rows vanish in every token, so "
            "S_jk = 0 and d features a pair are identically zero, whatever the histories. "
            "Null directions of Lambda that no history sees do no harm, which the span "
            "certificate says and lambda_min cannot.",
        .run = run,
    };
}

}  // namespace attest::yau2024
