#include "core/base/text.hpp"
#include "core/certify/coverage/coverage.hpp"
#include "proofs_check/claims/certificates/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

#include <algorithm>
#include <cstdint>

namespace attest::certificates {

namespace {

/// An ordered list of draws, each one of the nine sequences of one token with entries −1, 0, 1.
using List = std::vector<Index>;

constexpr Index kDrawsOfLaw = 9;

Matrix token(Index draw) {
    const Index first = draw % 3 - 1;
    const Index second = draw / 3 - 1;
    return Matrix{{static_cast<double>(first)}, {static_cast<double>(second)}};
}

/// Features of the draws, a row each.
RationalMatrix features(const List& list) {
    std::vector<RationalMatrix> Z;
    Z.reserve(list.size());
    for (const Index draw : list) {
        Z.emplace_back(token(draw).cast<Rational>());
    }
    return feature_rows(Z);
}

/// Whether the features of draw i leave the span of the others'.
bool is_outside(const List& list, std::size_t i) {
    List others = list;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    return others.empty() ? rational_rank(features(list)) > 0
                          : rational_rank(features(list)) > rational_rank(features(others));
}

Index count_outside(const List& list) {
    Index outside = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        outside += is_outside(list, i) ? 1 : 0;
    }
    return outside;
}

/// What `attest certify --coverage` counts.
Index counted(const List& list) {
    std::vector<Matrix> Z;
    Z.reserve(list.size());
    for (const Index draw : list) {
        Z.push_back(token(draw));
    }
    const Dataset data = sequences(Z);
    return coverage(data, certify_rank(data), 0.9).outside.value();
}

/// The next list of the same length in ascending order of draws; none after the last.
bool next_sorted(List& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
        if (list[i] + 1 < kDrawsOfLaw) {
            std::fill(list.begin() + static_cast<std::ptrdiff_t>(i), list.end(), list[i] + 1);
            return true;
        }
    }
    return false;
}

/// Accepted: of every data set of at most `largest` draws at most rank − less lie outside the span
/// of the others, and attest counts as many.
Answer all_data_sets(Index largest, Index less) {
    Index sets = 0;
    Index within = 0;
    Index equal = 0;
    Index agree = 0;
    for (Index size = 1; size <= largest; ++size) {
        List list(static_cast<std::size_t>(size), 0);
        do {
            const Index outside = count_outside(list);
            const Index rank = rational_rank(features(list));
            ++sets;
            within += outside <= rank - less ? 1 : 0;
            equal += outside == rank ? 1 : 0;
            agree += counted(list) == outside ? 1 : 0;
        } while (next_sorted(list));
    }
    return {within == sets && agree == sets,
            formatted("all {} data sets of up to {} tokens with entries -1, 0, 1: at most rank{} "
                      "outside in {}, rank many in {}; attest counts the same in {}",
                      sets,
                      largest,
                      less == 0 ? "" : formatted(" - {}", less),
                      within,
                      equal,
                      agree)};
}

/// How N + 1 draws come about.
enum class Law : std::uint8_t {
    independent,  ///< uniform on the nine
    shuffled,     ///< four fixed draws in random order: exchangeable, not independent
    last_apart,   ///< the last one is always another than the others: not exchangeable
};

/// Every list that the law can make, all equally likely.
std::vector<List> outcomes(Law law) {
    if (law == Law::last_apart) {
        return {{4, 4, 4, 8}};
    }
    std::vector<List> lists;
    if (law == Law::shuffled) {
        List order{4, 4, 5, 7};
        do {
            lists.push_back(order);
        } while (std::next_permutation(order.begin(), order.end()));
        return lists;
    }
    for (Index number = 0; number < kDrawsOfLaw * kDrawsOfLaw * kDrawsOfLaw; ++number) {
        lists.push_back({number % 9, number / 9 % 9, number / 81});
    }
    return lists;
}

/// Accepted: P[the last draw is outside the span of the others] is at most E[rank]/(N + 1).
Answer in_the_mean(Law law) {
    const std::vector<List> lists = outcomes(law);
    const Rational weight(1, std::ssize(lists));
    Rational outside = 0;
    Rational bound = 0;
    for (const List& list : lists) {
        outside += is_outside(list, list.size() - 1) ? weight : Rational(0);
        bound += weight * Rational(rational_rank(features(list)), std::ssize(list));
    }
    return {outside <= bound,
            formatted("{}: P[outside] = {}, E[rank]/(N+1) = {}",
                      law == Law::independent ? "3 independent draws, uniform on nine tokens"
                      : law == Law::shuffled  ? "(0,0), (0,0), (1,0), (0,1) in random order"
                                              : "(0,0) three times, then always (1,1)",
                      outside.str(),
                      bound.str())};
}

Evidence test_few_outside(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest count(evidence, all_data_sets);
    count.check(Form::tested, context.pick(4, 5), Index{0});
    count.control(Index{2}, Index{1});
    const SharedTest mean(evidence, in_the_mean);
    mean.check(Form::tested, Law::independent);
    mean.check(Form::tested, Law::shuffled);
    mean.control(Law::last_apart);
    return evidence;
}

}  // namespace

Claim few_outside() {
    return {
        .id = "certificates/few_outside",
        .paper = "docs/certificates.md",
        .place = "How much of the future is determined?",
        .tested =
            "of any N + 1 examples at most rank many have features outside the span of the "
            "others', "
            "and the bound is reached; so if they are exchangeable, a fresh one is not determined "
            "by N with probability at most E[rank]/(N + 1)",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "In a linear relation between rows, every row with a nonzero coefficient is a "
            "combination of the others. So the rows outside are independent: at most rank many. "
            "Exchangeable draws are outside with the same probability each, so N + 1 times that of "
            "the last is the mean of their number. Equality: independent rows beside zeros.",
        .machine_checked = {"exchangeability.v: few_outside; exchangeable_draws.v: "
                            "exchangeable_outside, independent_outside",
                            "laws of finitely many outcomes"},
        .run = test_few_outside,
    };
}

}  // namespace attest::certificates
