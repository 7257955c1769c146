#include "core/model/autoregressive.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <numeric>

namespace attest::yau2024 {

namespace {

/// Every entry to the nearest whole number, halves up.
RationalVector nearest_whole(const RationalVector& v) {
    return v.unaryExpr([](const Rational& entry) -> Rational {
        const Rational shifted = entry + Rational(1, 2);
        Integer whole =
            boost::multiprecision::numerator(shifted) / boost::multiprecision::denominator(shifted);
        if (Rational(whole) > shifted) {
            whole -= 1;
        }
        return whole;
    });
}

enum class Scheme : std::uint8_t { largest_entry, nearest };

/// The tokens of these blocks, by number. A block holds one symbol, or none at all (None).
RationalVector numbered_token(const std::vector<Index>& blocks, bool with_none, Index number) {
    RationalVector token =
        RationalVector::Zero(std::accumulate(blocks.begin(), blocks.end(), Index{0}));
    Index start = 0;
    for (const Index size : blocks) {
        const Index choices = size + (with_none ? 1 : 0);
        if (number % choices < size) {
            token(start + number % choices) = 1;
        }
        number /= choices;
        start += size;
    }
    return token;
}

/// Accepted: every token of these blocks is its own rounding, and so is what lies `distance` off in
/// one entry.
Answer keeps_tokens(const std::vector<Index>& blocks,
                    bool with_none,
                    Scheme scheme,
                    const Rational& distance) {
    Index count = 1;
    for (const Index size : blocks) {
        count *= size + (with_none ? 1 : 0);
    }
    Index kept = 0;
    for (Index number = 0; number < count; ++number) {
        const RationalVector token = numbered_token(blocks, with_none, number);
        RationalVector off = token;
        off(number % token.size()) += number % 2 == 0 ? distance : Rational(-distance);
        const auto rounded = [&](const RationalVector& v) {
            return scheme == Scheme::nearest ? nearest_whole(v) : round_one_hot<Rational>(v);
        };
        kept += rounded(token) == token && rounded(off) == token ? 1 : 0;
    }
    return {kept == count,
            formatted("{} attributes of {} symbols{}, rounded {}: {} of {} tokens are kept, also "
                      "with {} added to or taken from one entry",
                      blocks.size(),
                      blocks.front(),
                      with_none ? ", or none" : "",
                      scheme == Scheme::nearest ? "entry by entry" : "to the largest entry",
                      kept,
                      count,
                      distance.str())};
}

Evidence test_definition_g2(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest keeps(evidence, keeps_tokens);
    const Rational below_half(2, 5);
    keeps.check(Form::printed, std::vector<Index>{2, 2}, false, Scheme::largest_entry, below_half);
    keeps.check(Form::printed, std::vector<Index>{2}, true, Scheme::largest_entry, below_half);
    keeps.check(Form::tested, std::vector<Index>{3}, false, Scheme::largest_entry, below_half);
    keeps.check(Form::tested, std::vector<Index>{2, 2, 3}, true, Scheme::nearest, below_half);
    keeps.control(std::vector<Index>{2, 2, 3}, true, Scheme::nearest, Rational(3, 5));
    return evidence;
}

}  // namespace

Claim definition_g2() {
    return {
        .id = "yau2024/definition_g2",
        .place = "Definition G.2",
        .printed =
            "Round(v) = e_j, j the largest entry of v: turns outputs into the tokens of a program",
        .tested =
            "it does for tokens of one attribute that is always there; tokens of several "
            "attributes, and absent ones (None), need every entry rounded to the nearest whole "
            "number",
        .deviation = "one e_j is no token of two attributes, and never None",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::convention,
        .explain =
            "The tokens of Algorithms 3 to 7 hold a letter, a state, a position and more, each in "
            "rows of its own, and may lack any of them. Every token of the sizes in the evidence "
            "is tried.",
        .run = test_definition_g2,
    };
}

}  // namespace attest::yau2024
