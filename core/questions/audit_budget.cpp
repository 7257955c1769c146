#include "core/questions/audit_budget.hpp"

#include "core/base/choice.hpp"
#include "core/base/text.hpp"
#include "core/certify/changing_direction.hpp"
#include "core/explain/relation_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {

namespace {

constexpr Choices<AuditPart, 7> kPartNames{{{AuditPart::rank, "rank"},
                                            {AuditPart::singular_values, "singular_values"},
                                            {AuditPart::held_out, "held_out"},
                                            {AuditPart::reasons, "reasons"},
                                            {AuditPart::coverage, "coverage"},
                                            {AuditPart::few_heads, "few_heads"},
                                            {AuditPart::fewest_heads, "fewest_heads"}}};

// A second of one core of a server with AVX-512, measured with 3000 examples of 8704 features:
// products modulo a prime of 22 bits in blocks, modulo one of 61 bits, of the first primes of null
// vectors, and flops of singular values (these with 2176 features too: 44 s and 7 s of a core 1.25
// times as fast, where the formula says 55 and 8).
constexpr double kBlockProducts = 9e9;
constexpr double kProducts = 1.9e9;
constexpr double kLiftProducts = 3e8;
constexpr double kFlops = 32e9;
// Derivatives by entries of heads, formed and screened, of three points each: 20 s with 1024
// entries and 29 s with 2048, of 16 outputs and 2176 features.
constexpr double kDerivatives = 3.5e6;
// Bits of a derivative of doubles of one size: two entries of a token, of a query and of a head.
constexpr Index kDerivativeBits = 4 * 53;
// Features formed modulo a prime of 61 bits, and searched or multiplied with sparse vectors: 16 s
// for the sixteenfold passes of a coordinate that is 0, 0.6 s for the one where nothing holds.
constexpr double kEntries = 6.5e7;
// Passes of a search that finds relations of queries, states and products: to find them, to select
// rows, and to prove them modulo the six primes or so that activations in doubles need.
constexpr double kPasses = 40.0;
// Numbers that join a state in a pass over the tokens, as residues modulo a prime of 61 bits and in
// doubles: 0.4 s and 0.06 s a pass for 400 sequences of 4096 tokens of 8 entries.
constexpr double kExactSteps = 1.5e8;
constexpr double kSteps = 1e9;
// Passes of the other parts: to find the scale, to form the features and, of null vectors, for each
// prime.
constexpr double kRankPasses = 3.0;
constexpr double kFewPasses = 2.0;
constexpr double kFactorPasses = 4.0;
// What null vectors may cost that prove nothing more (core/certify/rank).
constexpr double kMostLiftProducts = 1e9;
constexpr double kLiftPrimes = 4.0;

/// Of the budget: what the search for the fewest heads, which may end at any time, takes at most.
constexpr double kShareOfHeads = 1.0 / 3.0;

struct Sizes {
    double N;
    double psi;
    double states;
    double rank;  ///< at most
    double held_out;
    double outputs;
    double entries;
    double steps;  ///< T q
};

/// The features are formed again and again; relations of states ask for an elimination of theirs,
/// and those of products for two, but where so many can only be zeros and multiples.
double seconds_of_reasons(const Sizes& s) {
    const double states = s.N * s.states * std::min(s.N, s.states);
    const bool eliminates = s.psi <= std::max(s.N, static_cast<double>(kMostColumnsSearched));
    const double products = eliminates ? 2.0 * s.N * s.psi * s.rank : 0.0;
    return kPasses * (s.N * s.psi / kEntries + s.steps / kExactSteps) +
           (states + products) / kProducts;
}

/// Fewer outputs than entries leave some change of the heads open, and it is lifted to integers.
double seconds_of_direction(const Sizes& s) {
    const double outputs = s.rank * s.outputs;
    if (outputs >= s.entries) {
        return 0.0;
    }
    const auto rows = static_cast<Index>(outputs);
    const LiftSize size{rows, static_cast<Index>(s.entries), kDerivativeBits};
    return std::min(kDirectionSeconds, lift_cost(size, rows, 1).seconds);
}

/// On the machine that the rates were measured on.
double seconds_there(AuditPart part, const AuditSize& size) {
    const auto real = [](Index n) { return static_cast<double>(n); };
    const Sizes s{real(size.num_examples),
                  real(size.psi),
                  real(size.states),
                  real(std::min(size.num_examples, size.psi)),
                  real(size.held_out),
                  real(size.outputs),
                  real(size.head_entries),
                  real(size.num_examples) * size.length * real(size.all_states)};
    const double products = s.N * s.psi * s.rank;
    const double elimination = products / kProducts;
    const double lift = s.rank * s.rank * (s.psi - s.rank);
    const double pass = s.steps / kExactSteps;
    switch (part) {
        case AuditPart::rank:
            return products / kBlockProducts + kRankPasses * pass +
                   (lift <= kMostLiftProducts ? kLiftPrimes * (lift / kLiftProducts + pass) : 0.0);
        case AuditPart::singular_values:
            // The factor, and three decompositions of it.
            return (4.0 * s.N * s.psi * s.rank + 3.0 * 8.0 * s.psi * s.rank * s.rank) / kFlops +
                   kFactorPasses * s.steps / kSteps;
        case AuditPart::held_out:
            return s.held_out > 0.0 ? elimination + s.held_out * s.psi * s.rank / kProducts +
                                          kFewPasses * pass * (1.0 + s.held_out / s.N)
                                    : 0.0;
        case AuditPart::reasons:
            return seconds_of_reasons(s);
        case AuditPart::coverage:
            return 3.0 * s.N * s.rank * s.rank / kProducts + kFewPasses * pass;
        case AuditPart::few_heads:
            return (s.psi + s.rank) * s.outputs * s.entries / kDerivatives +
                   2.0 * s.entries * s.entries * s.entries / kProducts + seconds_of_direction(s);
        case AuditPart::fewest_heads:
            // Seconds of the search itself, whatever the machine.
            return size.head_seconds * size.machine_speed;
    }
    return 0.0;
}

bool is_part_asked(AuditPart part, const AuditSize& size) {
    switch (part) {
        case AuditPart::held_out:
            return size.held_out > 0;
        case AuditPart::few_heads:
            return size.head_entries > 0;
        case AuditPart::fewest_heads:
            return size.head_seconds > 0.0;
        default:
            return true;
    }
}

bool needs_rank(AuditPart part) {
    return part != AuditPart::rank && part != AuditPart::singular_values &&
           part != AuditPart::fewest_heads;
}

/// Of the part and those that it needs.
double most_bytes(AuditPart part, const AuditSize& size) {
    const bool rank = part == AuditPart::rank || needs_rank(part);
    const bool factor = part == AuditPart::singular_values || part == AuditPart::few_heads;
    return std::max(rank ? size.rank_bytes : 0.0, factor ? size.factor_bytes : 0.0);
}

}  // namespace

std::string_view to_string(AuditPart part) {
    return name_of(kPartNames, part);
}

std::string_view words(AuditPart part) {
    switch (part) {
        case AuditPart::rank:
            return "what the data determine: rank, proved, and all that follows from it";
        case AuditPart::singular_values:
            return "what double precision sees: the best layer, leverage, condition, label noise";
        case AuditPart::held_out:
            return "whether the output on each held-out input is determined";
        case AuditPart::reasons:
            return "why something is open: the relations that hold in every example";
        case AuditPart::coverage:
            return "how likely a fresh input is left open";
        case AuditPart::few_heads:
            return "whether it is unique among layers of as many heads";
        case AuditPart::fewest_heads:
            return "the heads needed and the error of fewer";
    }
    return "";
}

bool AuditPlan::has(AuditPart part) const {
    return std::any_of(parts.begin(), parts.end(), [&](const PlannedPart& one) {
        return one.part == part && one.included;
    });
}

double AuditPlan::seconds() const {
    return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const auto& one) {
        return sum + (one.included ? one.seconds : 0.0);
    });
}

double AuditPlan::seconds_of(AuditPart part) const {
    const auto found = std::find_if(
        parts.begin(), parts.end(), [&](const PlannedPart& one) { return one.part == part; });
    return found == parts.end() ? 0.0 : found->seconds;
}

double AuditPlan::budget_for(AuditPart part) const {
    double before = 0.0;
    for (const PlannedPart& one : parts) {
        if (one.part == part) {
            break;
        }
        before += one.fits_memory ? one.seconds : 0.0;
    }
    // The search for heads fits itself into its share; all before it has the rest.
    const double each = part == AuditPart::fewest_heads ? before / (1.0 - kShareOfHeads)
                                                        : before + seconds_of(part);
    return std::max(1.0, std::ceil(each * static_cast<double>(layers)));
}

AuditSize audit_size(const SequenceShape& data) {
    const FeatureLayout layout = data.layout();
    AuditSize size;
    size.num_examples = data.num_examples();
    size.psi = layout.psi();
    size.states = most_states(layout);
    size.all_states = layout.q();
    size.length = static_cast<double>(data.num_tokens()) / static_cast<double>(size.num_examples);
    return size;
}

Index most_states(const FeatureLayout& layout) {
    const std::vector<FeatureBlock>& blocks = layout.blocks();
    return std::max_element(
               blocks.begin(),
               blocks.end(),
               [](const FeatureBlock& a, const FeatureBlock& b) { return a.states < b.states; })
        ->states;
}

double estimated_seconds(AuditPart part, const AuditSize& size) {
    return seconds_there(part, size) / size.machine_speed;
}

AuditPlan audit_plan(const AuditSize& size, double budget) {
    AuditPlan plan;
    plan.size = size;
    plan.layers = size.layers;
    plan.budget = budget / static_cast<double>(size.layers);
    for (const auto& [part, name] : kPartNames) {
        if (!is_part_asked(part, size)) {
            continue;
        }
        double seconds = estimated_seconds(part, size);
        if (part == AuditPart::fewest_heads && plan.budget > 0.0) {
            seconds = std::min(seconds, kShareOfHeads * plan.budget);
        }
        const bool possible =
            (!needs_rank(part) || plan.has(AuditPart::rank)) &&
            (part != AuditPart::few_heads || plan.has(AuditPart::singular_values));
        const double bytes = most_bytes(part, size);
        const bool fits_memory = bytes <= size.memory;
        plan.parts.push_back({part,
                              seconds,
                              possible && fits_memory && plan.seconds() + seconds <= plan.budget,
                              bytes,
                              fits_memory});
    }
    return plan;
}

std::string in_words(const AuditPlan& plan) {
    std::string parts;
    for (const PlannedPart& one : plan.parts) {
        if (one.included && one.seconds >= 0.5) {
            std::string name(to_string(one.part));
            std::replace(name.begin(), name.end(), '_', ' ');
            parts += formatted(
                "{}{} {}", parts.empty() ? ": " : ", ", name, format_seconds(one.seconds));
        }
    }
    return formatted("at most about {}{}", format_seconds(plan.seconds()), parts);
}

}  // namespace attest
