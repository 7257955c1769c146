#include "core/questions/plan.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/coverage/coverage.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/questions/evidence.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attest {

namespace {

constexpr Index kOrders = 20;
constexpr Index kHalves = 8;
constexpr Index kMostDraws = Index{1} << 50;
constexpr double kDelta = 0.05;
constexpr Index kFewestDraws = 8;
// Two fits that are farther apart say only that the rates have not settled.
constexpr double kMostBetweenFits = 10.0;
constexpr std::string_view kRecordMore = "record as many draws again";

/// Roundings of what led to the number add no draw.
Index rounded_up(double draws) {
    constexpr double kRoundings = 1e-12;
    return draws < static_cast<double>(kMostDraws)
               ? static_cast<Index>(std::ceil(draws * (1.0 - kRoundings)))
               : kMostDraws;
}

/// The share of draws first … last − 1 that those before them leave undetermined.
double share_outside(const std::vector<double>& outside, Index first, Index last) {
    return (outside[static_cast<std::size_t>(last)] - outside[static_cast<std::size_t>(first)]) /
           static_cast<double>(last - first);
}

/// How the share of undetermined draws falls from the second quarter of the pilot to its second
/// half.
struct Decline {
    double at = 0.0;     ///< draws in the middle of the later part
    double share = 0.0;  ///< there
    double ratio = 1.0;  ///< to that at half as many draws

    [[nodiscard]] bool is_seen() const { return ratio < 0.9; }

    [[nodiscard]] double rate() const { return -std::log(ratio) / (at / 2.0); }

    [[nodiscard]] double power() const { return -std::log2(ratio); }
};

Decline decline_of(const std::vector<double>& outside) {
    const Index N = std::ssize(outside) - 1;
    const double early = share_outside(outside, N / 4, N / 2);
    const double late = share_outside(outside, N / 2, N);
    return {0.75 * static_cast<double>(N), late, early > 0.0 ? late / early : 1.0};
}

Plan plan_of(const Dataset& pilot, const std::vector<RankGrowth>& growths) {
    Plan plan;
    plan.pilot = pilot.num_sequences();
    plan.psi = pilot.layout().psi();
    plan.rank = growths.front().rank();
    plan.assumes = "independent draws of the pilot's law";
    return plan;
}

/// Fewer draws show no rates.
bool is_short(const Plan& plan) {
    return plan.pilot < kFewestDraws;
}

std::string why_short(const Plan& plan) {
    return formatted(
        "it has {}, expected at least {}", plural(plan.pilot, "sequence"), kFewestDraws);
}

/// The highest rank that sequences of the pilot's lengths can have, where that is known.
Index highest_rank(const Dataset& pilot, const Plan& plan) {
    if (plan.rank == plan.psi) {
        return plan.psi;
    }
    const std::optional<StructuralRank> seen = audit_structure(pilot).seen;
    return seen && seen->is_exact ? seen->rank : plan.psi;
}

/// Draws after which the rank no longer grows, in each order, ascending.
std::vector<Index> draws_to_the_rank(const std::vector<RankGrowth>& growths) {
    std::vector<Index> reached;
    reached.reserve(growths.size());
    for (const RankGrowth& growth : growths) {
        reached.push_back(growth.reached_at());
    }
    std::sort(reached.begin(), reached.end());
    return reached;
}

Plan by_orders(Plan plan, const std::vector<Index>& reached) {
    plan.at_least = reached.front();
    plan.draws = reached[reached.size() / 2];
    plan.at_most = reached.back() + reached.back() - reached.front();
    plan.method = formatted(
        "where the rank {} was reached in {} random orders of the pilot; at most: "
        "the latest plus their spread",
        plan.rank,
        kOrders);
    return plan;
}

/// Where the pilot shows all directions that its rate of new ones leaves to be seen.
Plan shown_plan(Plan plan, const std::vector<Index>& reached) {
    plan = by_orders(std::move(plan), reached);
    plan.assumes += "; no direction so rare that the pilot does not show it";
    return plan;
}

/// Where no draw can raise the pilot's rank.
Plan complete_plan(Plan plan, const std::vector<Index>& reached) {
    plan = by_orders(std::move(plan), reached);
    plan.is_complete = true;
    plan.at_most = std::min(*plan.at_most, plan.pilot);
    plan.method += ", or the pilot itself";
    if (plan.rank < plan.psi) {
        plan.assumes += "; sequences of the pilot's lengths, which can have no higher rank";
    }
    return plan;
}

std::string no_more_needed(const Plan& plan) {
    return formatted("; the pilot already has {}, no more examples are needed",
                     plan.rank < plan.psi ? "all rank that its lengths allow" : "full rank");
}

bool has_settled(Index pilot, const std::vector<Index>& reached) {
    const auto N = static_cast<double>(pilot);
    const Index spread = reached.back() - reached.front();
    return static_cast<double>(reached.back()) <= 0.5 * N ||
           static_cast<double>(reached.back() + 3 * spread) <= 0.95 * N;
}

/// Draws after which half a direction is left, by two laws of the rate of new directions.
struct Extrapolation {
    double exponential = 0.0;  ///< optimistic: a mixture of exponentials falls ever more slowly
    double power_law = std::numeric_limits<double>::infinity();  ///< infinite: never

    [[nodiscard]] bool are_within(Index pilot) const {
        return std::max(exponential, power_law) <= static_cast<double>(pilot);
    }
};

Extrapolation extrapolated(const Decline& decline) {
    // Σ over later draws of the share outside.
    const double left = 0.5;
    const double rate = decline.rate();
    Extrapolation found;
    found.exponential = decline.at + std::log(decline.share / (left * rate)) / rate;
    if (const double power = decline.power(); power > 1.0) {
        const double scale = decline.share * decline.at / ((power - 1.0) * left);
        found.power_law = decline.at * std::pow(scale, 1.0 / (power - 1.0));
    }
    return found;
}

Plan undecided_plan(Plan plan, std::string why) {
    plan.at_least = plan.pilot + 1;
    plan.too_small = std::move(why);
    return plan;
}

Plan still_rising(const Plan& plan, const Decline& decline, Index highest) {
    return undecided_plan(
        plan,
        formatted("the later half of its {} draws brings new directions as often as the earlier "
                  "one ({} of 100); full rank would take {} more directions; {}",
                  plan.pilot,
                  std::lround(100.0 * decline.share),
                  highest - plan.rank,
                  kRecordMore));
}

Plan extrapolated_plan(Plan plan, const Extrapolation& fits) {
    if (!std::isfinite(fits.power_law)) {
        return undecided_plan(
            std::move(plan),
            formatted("its rate of new directions falls too slowly to extrapolate; {}",
                      kRecordMore));
    }
    if (fits.power_law > kMostBetweenFits * fits.exponential) {
        return undecided_plan(
            std::move(plan),
            formatted("its rate of new directions has not settled: if it falls exponentially {} "
                      "draws do, if by a power law more than {} times as many; {}",
                      rounded_up(fits.exponential),
                      kMostBetweenFits,
                      kRecordMore));
    }
    plan.at_least = rounded_up(std::min(fits.exponential, fits.power_law));
    plan.at_most = rounded_up(std::max(fits.exponential, fits.power_law));
    plan.draws = rounded_up(std::sqrt(static_cast<double>(plan.at_least)) *
                            std::sqrt(static_cast<double>(*plan.at_most)));
    plan.method = "rate of new directions extrapolated, exponentially and by a power law";
    return plan;
}

/// Mean leverage of what half of the pilot leaves out, over the rank; 1 + c/k for k draws.
double held_out_ratio(const Dataset& pilot, Index rank, const Stream& stream) {
    const Index half = pilot.num_sequences() / 2;
    const std::vector<Index> order = random_permutation(pilot.num_sequences(), stream);
    const std::span<const Index> all(order);
    const Dataset one = select_sequences(pilot, all.first(static_cast<std::size_t>(half)));
    const Dataset other = select_sequences(pilot, all.subspan(static_cast<std::size_t>(half)));
    const ScaledFactor factored = scaled_factor(one);
    const auto others = scaled_source(other, factored.scale);
    return NumericalLeverage(factored.factor).mean(*others) / static_cast<double>(rank);
}

/// The larger root of N² = a·N + a·c.
double solve_for_draws(double a, double c) {
    return 0.5 * (a + std::sqrt(a * a + 4.0 * a * c));
}

/// The number behind "coverage=" or "error=", where the target begins so.
std::optional<double> number_after(const std::string& target, std::string_view word) {
    return target.starts_with(word) ? parse_number<double>(target.substr(word.size()))
                                    : std::optional<double>();
}

constexpr std::string_view kCoverage = "coverage=";
constexpr std::string_view kError = "error=";

}  // namespace

Plan plan_rank(const Dataset& pilot, const Stream& stream) {
    const std::vector<RankGrowth> growths = rank_growth(pilot, kOrders, stream);
    Plan plan = plan_of(pilot, growths);
    const std::vector<Index> reached = draws_to_the_rank(growths);
    const Index highest = highest_rank(pilot, plan);
    if (plan.rank == highest) {
        return complete_plan(std::move(plan), reached);
    }
    if (is_short(plan)) {
        return undecided_plan(plan, why_short(plan));
    }
    if (has_settled(plan.pilot, reached)) {
        return shown_plan(std::move(plan), reached);
    }
    const Decline decline = decline_of(mean_outside(growths));
    if (!decline.is_seen()) {
        return still_rising(plan, decline, highest);
    }
    const Extrapolation fits = extrapolated(decline);
    return fits.are_within(plan.pilot) ? shown_plan(std::move(plan), reached)
                                       : extrapolated_plan(std::move(plan), fits);
}

Plan plan_coverage(const Dataset& pilot, double share, const Stream& stream) {
    require(share > 0.0 && share < 1.0,
            "plan: got the coverage {}, expected a number between 0 and 1",
            round_trip(share));
    const std::vector<RankGrowth> growths = rank_growth(pilot, kOrders, stream);
    Plan plan = plan_of(pilot, growths);
    const std::vector<double> outside = mean_outside(growths);
    const double open = 1.0 - share;
    plan.at_most = draws_for_coverage(plan.psi, open, 1.0 - kDelta);
    if (is_short(plan)) {
        return undecided_plan(plan, why_short(plan));
    }
    // The share is taken over a window before k, where it is larger in the mean.
    for (Index k = 2; k <= plan.pilot; ++k) {
        if (share_outside(outside, k - (k + 3) / 4, k) <= open) {
            plan.at_least = k - (k + 3) / 4;
            plan.draws = k;
            plan.method =
                "the share of draws that those before them leave open, in random orders of "
                "the pilot; at most: proved for every law, with confidence 0.95";
            return plan;
        }
    }
    plan.at_least = plan.pilot + 1;
    const Decline decline = decline_of(outside);
    if (!decline.is_seen()) {
        plan.too_small = formatted(
            "the later half of its {} draws is as often outside the span of those before "
            "as the earlier one; {} suffice whatever the law, with confidence 0.95",
            plan.pilot,
            *plan.at_most);
        return plan;
    }
    const double needed = decline.at * std::pow(decline.share / open, 1.0 / decline.power());
    plan.draws = std::clamp(rounded_up(needed), plan.at_least, *plan.at_most);
    plan.method =
        "the share of draws that those before them leave open, extrapolated by a power law; "
        "at most: proved for every law, with confidence 0.95";
    return plan;
}

Plan plan_error(const Dataset& pilot, double error, double noise, const Stream& stream) {
    require(error > 0.0 && std::isfinite(error),
            "plan: got the error {}, expected a positive number",
            round_trip(error));
    require_noise(noise);
    Plan plan = plan_of(pilot, rank_growth(pilot, 1, stream));
    const auto outputs = static_cast<double>(std::max<Index>(pilot.o(), 1));
    const double degrees = outputs * static_cast<double>(plan.rank);
    // Draws are whole sequences; where prefixes have labels, one says more than once.
    const double each = static_cast<double>(pilot.num_examples()) / static_cast<double>(plan.pilot);
    const double unit = noise * noise / (error * each);
    plan.at_least =
        std::max(rounded_up(static_cast<double>(plan.rank) / each), rounded_up(unit * degrees));
    if (is_short(plan)) {
        plan.too_small = why_short(plan);
        return plan;
    }
    const Index draws_of_half = plan.pilot / 2;
    const auto half = static_cast<double>(draws_of_half);
    std::vector<double> excess;
    for (Index k = 0; k < kHalves; ++k) {
        const double ratio = held_out_ratio(pilot, plan.rank, stream.child("half").child(k));
        excess.push_back(std::max(0.0, half * (ratio - 1.0)));
    }
    const double largest = *std::max_element(excess.begin(), excess.end());
    // c/N beyond 1 is no correction any more.
    if (!(largest <= half)) {
        plan.too_small = formatted(
            "examples held out of halves of its {} draws are more than twice as "
            "far off as those within (rank {})",
            plan.pilot,
            plan.rank);
        return plan;
    }
    const double mean =
        std::accumulate(excess.begin(), excess.end(), 0.0) / static_cast<double>(kHalves);
    const NoiseExcess law{degrees, std::sqrt(2.0 * degrees), 1.0};  // N/σ² times that of N draws
    const Index least = plan.pilot / 2;
    plan.draws = std::max(least, rounded_up(solve_for_draws(unit * degrees, mean)));
    plan.at_most =
        std::max(least, rounded_up(solve_for_draws(unit * law.upper(-std::log(kDelta)), largest)));
    plan.method = formatted(
        "s^2 o r/{} (1 + c/N), c = {} from examples held out of halves of the pilot; "
        "at most: with probability 0.95 over the noise; not below half the pilot",
        each > 1.0 ? formatted("({} N)", six_digits(each)) : "N",
        six_digits(mean));
    plan.assumes += "; the layer is the truth, label noise of that size in each output";
    return plan;
}

PlanRequest plan_request(const std::string& target, std::optional<double> noise) {
    if (target == "rank") {
        return {};
    }
    if (const auto share = number_after(target, kCoverage); share && *share > 0.0 && *share < 1.0) {
        return {PlanGoal::coverage, *share, 0.0};
    }
    const auto error = number_after(target, kError);
    if (!error || !(*error > 0.0) || !std::isfinite(*error)) {
        throw UnknownName(formatted(
            "target: got {}, expected rank, coverage=C with 0 < C < 1, or error=E with E > 0",
            in_quotes(target)));
    }
    if (!noise) {
        throw UnknownName("target error=E: got no noise, expected its standard deviation");
    }
    return {PlanGoal::error, *error, *noise};
}

std::string to_string(const PlanRequest& request) {
    switch (request.goal) {
        case PlanGoal::rank:
            return "rank";
        case PlanGoal::coverage:
            return formatted("{}{}", kCoverage, round_trip(request.value));
        case PlanGoal::error:
            return formatted("{}{}", kError, round_trip(request.value));
    }
    return "";
}

double plan_seconds(const Dataset& pilot, const PlanRequest& request) {
    constexpr double kProducts = 1e8;  // a second, row by row
    const auto N = static_cast<double>(pilot.num_examples());
    const auto psi = static_cast<double>(pilot.layout().psi());
    const Index orders = request.goal == PlanGoal::error ? 1 : kOrders;
    return static_cast<double>(orders) * N * psi * std::min(N, psi) / kProducts;
}

Plan plan(const Dataset& pilot, const PlanRequest& request, const Stream& stream) {
    switch (request.goal) {
        case PlanGoal::coverage:
            return plan_coverage(pilot, request.value, stream);
        case PlanGoal::error:
            return plan_error(pilot, request.value, request.noise, stream);
        case PlanGoal::rank:
            break;
    }
    return plan_rank(pilot, stream);
}

Decision decision(const Plan& plan) {
    return plan.draws ? Decision::yes : Decision::undecided;
}

Output describe(const PlanRequest& asked, const Layer& layer, const Plan& plan) {
    Output output;
    output.add("target", to_string(asked));
    output.add("layer", to_string(layer));
    output.add("pilot", plan.pilot, formatted("{} examples or runs", plan.pilot));
    output.add("rank", plan.rank, formatted("{} of {}, of the pilot", plan.rank, plan.psi));
    output.add_json("psi", plan.psi);
    const nlohmann::ordered_json draws =
        plan.draws ? nlohmann::ordered_json(*plan.draws) : nlohmann::ordered_json(nullptr);
    output.add("verdict", plan.draws ? "planned" : "too_small");
    if (plan.draws) {
        const std::string range =
            formatted("about {}, between {} and {}", *plan.draws, plan.at_least, *plan.at_most);
        output.add("examples", draws, plan.is_complete ? range + no_more_needed(plan) : range);
        output.add("method", plan.method);
    } else {
        output.add("examples",
                   draws,
                   formatted("{} is too small to say: {}", asked.pilot_name, plan.too_small));
        output.add_json("reason", plan.too_small);
    }
    output.add_json("at_least", plan.at_least);
    output.add_json(
        "at_most",
        plan.at_most ? nlohmann::ordered_json(*plan.at_most) : nlohmann::ordered_json(nullptr));
    output.add("assumes", plan.assumes);
    return output;
}

}  // namespace attest
