#include "core/certify/rank/exact_rank.hpp"

#include "core/base/choice.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/float_product.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Choices<RankVerdict, 3> kRankVerdictNames{{{RankVerdict::full_rank, "full_rank"},
                                                     {RankVerdict::deficient, "deficient"},
                                                     {RankVerdict::undecided, "undecided"}}};

std::vector<Index> wanted_columns(const RankProfile& profile, Index psi, NullVectors wanted) {
    std::vector<Index> free = other_columns(profile.pivot_columns, psi);
    if (wanted == NullVectors::none) {
        free.clear();
    } else if (wanted == NullVectors::one) {
        free.resize(std::min<std::size_t>(free.size(), 1));
    }
    return free;
}

/// When the examples are independent, N is the rank and null vectors prove nothing more.
bool proves_nothing_more(const ExactRank& found, const ExactRankOptions& options) {
    return found.rank_lower == found.num_examples && options.null_vectors == NullVectors::as_needed;
}

/// Products modulo a prime that null vectors may take which prove nothing more: some seconds.
constexpr double kCheapProducts = 1e9;

/// Those that prove nothing more are sought with the few primes that are always tried, and not at
/// all where these take more than seconds.
IntegerNullSpace null_space(const FeatureRows& rows,
                            const ExactRank& found,
                            const ExactRankOptions& options) {
    const std::vector<Index> columns =
        wanted_columns(found.profile, found.psi, options.null_vectors);
    if (!proves_nothing_more(found, options)) {
        return lift_null_space(rows, found.profile, columns, options.lift);
    }
    const auto rank = static_cast<double>(found.rank_lower);
    if (rank * rank * static_cast<double>(columns.size()) > kCheapProducts) {
        IntegerNullSpace none;
        none.note =
            formatted("{} null vectors not sought: they would prove nothing more", columns.size());
        return none;
    }
    return lift_null_space(rows, found.profile, columns, LiftOptions{0.0});
}

std::string reason_for(const ExactRank& found) {
    const std::string lower =
        formatted("rank >= {} by pivots modulo {}", found.rank_lower, found.profile.prime);
    if (found.verdict == RankVerdict::full_rank) {
        return formatted(
            "a {}x{} minor is nonzero modulo {}", found.psi, found.psi, found.profile.prime);
    }
    const std::string upper = found.num_examples < found.psi
                                  ? formatted("N = {} < psi = {}", found.num_examples, found.psi)
                                  : formatted("{} independent integer null vectors verified",
                                              found.null_space.vectors.size());
    const std::string missing = found.null_space.note.empty() ? "" : "; " + found.null_space.note;
    return found.verdict == RankVerdict::deficient ? formatted("{}; {}{}", upper, lower, missing)
                                                   : formatted("{}{}", lower, missing);
}

}  // namespace

std::string_view to_string(RankVerdict verdict) {
    return name_of(kRankVerdictNames, verdict);
}

double exact_rank_bytes(Index psi) {
    // Numbers of 8 bytes: FloatEchelon holds at most ψ². ModularRowBasis, after it, holds ψ²/4, and
    // an update four copies of that for a moment. Beside them blocks of rows.
    const auto n = static_cast<double>(psi);
    return 8.0 * n * n + 8.0 * 1024.0 * n;
}

ExactRank rank_by_counting(const SequenceShape& data, std::string_view left_out) {
    ExactRank found;
    found.num_examples = data.num_examples();
    found.psi = data.layout().psi();
    found.rank_upper = std::min(found.num_examples, found.psi);
    const bool too_few = found.num_examples < found.psi;
    found.verdict = too_few ? RankVerdict::deficient : RankVerdict::undecided;
    const std::string proof =
        too_few ? formatted("N = {} < psi = {}; ", found.num_examples, found.psi) : "";
    found.reason = formatted("{}the rank itself {}", proof, left_out);
    return found;
}

ExactRank certify_rank(const SequenceSource& data, const ExactRankOptions& options) {
    ExactRank found;
    found.num_examples = data.shape().num_examples();
    found.psi = data.shape().layout().psi();
    require_memory(exact_rank_bytes(found.psi),
                   formatted("exact elimination with psi = {}", found.psi),
                   "use the numerical level");

    const FeatureRows rows(data);
    // A fast prime first, and no other where the rank cannot be higher.
    found.profile = higher_rank_profile(rows,
                                        rows.usable_modulus(kFloatPrime),
                                        rows.usable_modulus(),
                                        std::min(found.num_examples, found.psi));
    found.rank_lower = found.profile.rank();
    if (found.rank_lower < found.psi) {
        found.null_space = null_space(rows, found, options);
    }
    const auto nullity = static_cast<Index>(found.null_space.vectors.size());
    found.rank_upper = std::min(found.num_examples, found.psi - nullity);
    ensure(found.rank_lower <= found.rank_upper,
           "certify_rank: the proved bounds on the rank cross");
    if (found.rank_lower == found.psi) {
        found.verdict = RankVerdict::full_rank;
    } else if (found.rank_upper < found.psi) {
        found.verdict = RankVerdict::deficient;
    }
    found.reason = reason_for(found);
    return found;
}

}  // namespace attest
