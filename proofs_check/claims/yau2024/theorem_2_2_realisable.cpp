#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/rare_example.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <algorithm>
#include <bit>

namespace attest::yau2024 {

namespace {

/// Finitely many feature vectors with their probabilities.
struct FiniteLaw {
    std::string name;
    RationalMatrix H;  ///< a row each
    std::vector<Rational> weight;

    [[nodiscard]] Index size() const { return H.rows(); }
};

/// Uniform one-hot sequences of n tokens, d = 2: the features see the number of tokens of each kind
/// and the last one.
FiniteLaw one_hot_law(Index n) {
    FiniteLaw law{formatted("one-hot sequences of {} tokens, d = 2", n), {}, {}};
    std::vector<RationalVector> rows;
    for (Index code = 0; code < (Index{1} << n); ++code) {
        RationalMatrix Z = RationalMatrix::Zero(2, n);
        for (Index t = 0; t < n; ++t) {
            Z(code >> t & 1, t) = 1;
        }
        const RationalVector h = cubic_features<Rational>(Z);
        const auto same = std::find(rows.begin(), rows.end(), h);
        const Rational share(1, Index{1} << n);
        if (same == rows.end()) {
            rows.push_back(h);
            law.weight.push_back(share);
        } else {
            law.weight[static_cast<std::size_t>(same - rows.begin())] += share;
        }
    }
    law.H.resize(static_cast<Index>(rows.size()), feature_dim(2));
    for (Index i = 0; i < law.size(); ++i) {
        law.H.row(i) = rows[static_cast<std::size_t>(i)].transpose();
    }
    return law;
}

/// Every set of inputs that N examples may show, by its bits: the probability that they show no
/// input outside it, and that a fresh input is not determined by it.
struct Seen {
    std::vector<Rational> share;         ///< total weight of the set
    std::vector<Rational> undetermined;  ///< weight of the inputs outside its span
    Index rank = 0;
};

Seen all_sets(const FiniteLaw& law) {
    Seen seen;
    seen.rank = rational_rank(law.H);
    const Index sets = Index{1} << law.size();
    for (Index set = 0; set < sets; ++set) {
        RationalMatrix rows(std::popcount(static_cast<std::uint64_t>(set)), law.H.cols());
        Rational share = 0;
        Index at = 0;
        for (Index i = 0; i < law.size(); ++i) {
            if ((set >> i & 1) != 0) {
                rows.row(at++) = law.H.row(i);
                share += law.weight[static_cast<std::size_t>(i)];
            }
        }
        const Index rank = at == 0 ? 0 : rational_rank(rows);
        Rational outside = 0;
        for (Index i = 0; i < law.size(); ++i) {
            RationalMatrix more(at + 1, law.H.cols());
            more.topRows(at) = rows;
            more.row(at) = law.H.row(i);
            outside +=
                rational_rank(more) > rank ? law.weight[static_cast<std::size_t>(i)] : Rational(0);
        }
        seen.share.push_back(share);
        seen.undetermined.push_back(outside);
    }
    return seen;
}

/// The probability that N examples show exactly these sets, by inclusion and exclusion.
std::vector<Rational> shown(const Seen& seen, Index N) {
    std::vector<Rational> chance;
    for (const Rational& share : seen.share) {
        chance.push_back(power(share, N));
    }
    for (std::size_t bit = 1; bit < chance.size(); bit *= 2) {
        for (std::size_t set = 0; set < chance.size(); ++set) {
            if ((set & bit) != 0) {
                chance[set] -= chance[set ^ bit];
            }
        }
    }
    return chance;
}

/// Accepted: a fresh input is undetermined by N others with probability at most rank/(scale (N+1)),
/// and its undetermined share exceeds 1/4 with probability at most sum_k C(N,k) (1 − eps)^(N−k),
/// which is a theorem for eps = 1/4.
Answer coverage(const FiniteLaw& law, Index scale, const Rational& eps) {
    const Seen seen = all_sets(law);
    const Rational share(1, 4);
    bool within = true;
    bool below = true;
    std::string text;
    for (const Index N : {5, 20, 80, 120}) {
        const std::vector<Rational> chance = shown(seen, N);
        Rational mean = 0;
        Rational tail = 0;
        for (std::size_t set = 0; set < chance.size(); ++set) {
            mean += chance[set] * seen.undetermined[set];
            tail += seen.undetermined[set] > share ? chance[set] : Rational(0);
        }
        Rational compression = 0;
        Rational ways = 1;
        for (Index k = 0; k <= std::min(seen.rank, N); ++k) {
            compression += ways * power(1 - eps, N - k);
            ways = ways * Rational(N - k) / Rational(k + 1);
        }
        const Rational bound(seen.rank, scale * (N + 1));
        within = within && mean <= bound;
        below = below && tail <= compression;
        text += formatted("{}{} <= {} (N = {}; tail {}, sum {})",
                          text.empty() ? "" : ", ",
                          six_digits(mean.convert_to<double>()),
                          six_digits(bound.convert_to<double>()),
                          N,
                          six_digits(tail.convert_to<double>()),
                          six_digits(compression.convert_to<double>()));
    }
    return {
        within && below,
        formatted("{}, rank {}: a fresh input is undetermined with probability {}; more than "
                  "1/4 of them are with the probability tail, {} the sum of C(N,k) {}^(N-k) over "
                  "k <= rank at every N, which says something where it is below 1",
                  law.name,
                  seen.rank,
                  text,
                  below ? "below" : "not below",
                  Rational(1 - eps).str())};
}

/// A row of random data lies outside the span of the others iff its leverage is N; at most rank
/// rows do, and as many runs of two rows as well.
Answer leave_one_out(const Stream& stream, Index sets, const Rational& least) {
    Index agree = 0;
    Index few = 0;
    for (Index i = 0; i < sets; ++i) {
        const Index N = 4 + i % 4;
        const RationalMatrix H = feature_rows(random_sequences(N, 2, 2, 1, stream.child(i)));
        const Index rank = rational_rank(H);
        const RationalMatrix Lambda = second_moment(H);
        Index outside = 0;
        bool same = true;
        for (Index row = 0; row < N; ++row) {
            RationalMatrix others(N - 1, H.cols());
            others << H.topRows(row), H.bottomRows(N - 1 - row);
            const bool alone = rational_rank(others) < rank;
            const RationalVector h = H.row(row).transpose();
            const bool full = !h.isZero(Rational(0)) && leverage(Lambda, h) >= least * N;
            same = same && alone == full;
            outside += alone ? 1 : 0;
        }
        Index runs = 0;
        for (Index run = 0; 2 * run + 1 < N; ++run) {
            RationalMatrix others(N - 2, H.cols());
            others << H.topRows(2 * run), H.bottomRows(N - 2 - 2 * run);
            runs += rational_rank(others) < rank ? 1 : 0;
        }
        agree += same ? 1 : 0;
        few += outside <= rank && runs <= rank ? 1 : 0;
    }
    return {agree == sets && few == sets,
            formatted("a row lies outside the span of the others iff its leverage is at least {} "
                      "N, on {} of {} random sets of 4 to 7 rows; at most rank rows, and at most "
                      "rank runs of two rows, do on {}",
                      least,
                      agree,
                      sets,
                      few)};
}

Evidence test_theorem_2_2_realisable(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest covered(evidence, coverage);
    for (Index n = 2; n <= context.pick(3, 4); ++n) {
        covered.check(Form::tested, one_hot_law(n), Index{1}, Rational(1, 4));
    }
    covered.control(one_hot_law(2), Index{4}, Rational(1, 4));
    covered.control(one_hot_law(2), Index{1}, Rational(3, 4));
    const SharedTest alone(evidence, leave_one_out, kSampled);
    const Index sets = context.pick(20, 200);
    alone.check(Form::tested, context.stream, sets, Rational(1));
    alone.control(context.stream, sets, Rational(1, 2));
    return evidence;
}

}  // namespace

Claim theorem_2_2_realisable() {
    return {
        .id = "yau2024/theorem_2_2_realisable",
        .place = "Theorem 2.2, corrected: any distribution, realisable labels",
        .tested =
            "under any distribution the output on a fresh input, or on a whole fresh run, is left "
            "open by N others with probability at most rank/(N+1) <= psi/(N+1); so N = "
            "psi/(eps delta) examples determine all but a share eps with probability 1 - delta, "
            "and with that probability the share left open is at most eps once sum_(k <= psi) "
            "C(N,k) (1 - eps)^(N-k) <= delta",
        .deviation =
            "what equation 6 becomes for labels that a layer fits, without any assumption on the "
            "inputs: wrong outputs are counted in place of squared errors",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "Among N + 1 rows at most rank lie outside the span of the others, and the fresh one "
            "is as likely as any to be among them. Rows of a run count together. A training row "
            "does so iff its leverage is N, so the training set itself gives an unbiased estimate "
            "of what N - 1 examples leave open. For the second bound fix the at most psi rows "
            "that span the others: the rest is drawn independently of them, and falls into their "
            "span with probability (1 - eps)^(N-k) if more than eps lies outside.",
        .run = test_theorem_2_2_realisable,
    };
}

}  // namespace attest::yau2024
