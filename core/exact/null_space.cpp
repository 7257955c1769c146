#include "core/exact/null_space.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"
#include "core/exact/annihilation.hpp"
#include "core/exact/dyadic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kMergeBits = 1000;  // short vectors of about 16 primes
constexpr Index kLuckyPrimes =
    4;  // tried in any case: the null vectors of structured data are short

/// Null vectors that are being lifted: their entries at the pivot columns, then the free one, which
/// is −1.
struct Lifting {
    std::vector<Index> free_columns;
    std::vector<ResidueVector> residues;
    std::vector<ResidueVector> recent;  ///< the latest primes, not yet merged into `residues`
    Integer denominator = 1;            ///< of the vector found last; the others mostly share it

    explicit Lifting(std::vector<Index> columns)
        : free_columns(std::move(columns)),
          residues(free_columns.size()),
          recent(free_columns.size()) {}
};

void merge_recent(Lifting& lifting) {
    for (std::size_t j = 0; j < lifting.recent.size(); ++j) {
        if (!lifting.recent[j].values.empty()) {
            lifting.residues[j] = merge(std::move(lifting.residues[j]), lifting.recent[j]);
            lifting.recent[j] = {};
        }
    }
}

/// One more prime. Returns false when the pivot submatrix is singular modulo p: the prime says
/// nothing.
bool add_prime(Lifting& lifting,
               const Modulus& p,
               const IntegerRows& rows,
               const RankProfile& profile) {
    const ModularMatrix A = select_rows(p, rows, profile.pivot_rows);
    const std::optional<ModularMatrix> X =
        solve(p, select_columns(A, profile.pivot_columns), select_columns(A, lifting.free_columns));
    if (!X) {
        return false;
    }
    for (Index j = 0; j < X->cols(); ++j) {
        std::vector<Residue> column;
        for (Index i = 0; i < X->rows(); ++i) {
            column.push_back((*X)(i, j));
        }
        column.push_back(p.negate(1));
        ResidueVector& known = lifting.recent[static_cast<std::size_t>(j)];
        known = combine(std::move(known), p, column);
    }
    if (!lifting.recent.empty() && bit_length(lifting.recent.front().modulus) > kMergeBits) {
        merge_recent(lifting);
    }
    return true;
}

/// The vector with its entries at their columns.
IntegerVector spread(const IntegerVector& entries,
                     const RankProfile& profile,
                     Index free_column,
                     Index n) {
    IntegerVector v = IntegerVector::Zero(n);
    for (Index r = 0; r < profile.rank(); ++r) {
        v(profile.pivot_columns[static_cast<std::size_t>(r)]) = entries(r);
    }
    v(free_column) = entries(profile.rank());
    return primitive(std::move(v));
}

/// Moves every vector that can be reconstructed and verified from `lifting` to `found`.
void harvest(Lifting& lifting,
             IntegerNullSpace& found,
             const IntegerRows& rows,
             const RankProfile& profile) {
    merge_recent(lifting);
    std::vector<IntegerVector> candidates;
    std::vector<std::size_t> origins;
    for (std::size_t j = 0; j < lifting.residues.size(); ++j) {
        const std::optional<IntegerVector> v =
            reconstruct_primitive(lifting.residues[j], lifting.denominator);
        if (v) {
            lifting.denominator = abs((*v)(profile.rank()));
            candidates.push_back(spread(*v, profile, lifting.free_columns[j], rows.num_columns()));
            origins.push_back(j);
        }
    }
    const std::vector<bool> verified = annihilates_all(rows, candidates);
    std::vector<bool> done(lifting.residues.size(), false);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        if (verified[c]) {
            done[origins[c]] = true;
            found.vectors.push_back(std::move(candidates[c]));
            found.free_columns.push_back(lifting.free_columns[origins[c]]);
        }
    }
    Lifting rest({});
    for (std::size_t j = 0; j < done.size(); ++j) {
        if (!done[j]) {
            rest.free_columns.push_back(lifting.free_columns[j]);
            rest.residues.push_back(std::move(lifting.residues[j]));
        }
    }
    rest.recent.resize(rest.residues.size());
    rest.denominator = lifting.denominator;
    lifting = std::move(rest);
}

std::string missing_note(const IntegerNullSpace& found, std::size_t missing, Index allowed) {
    const std::string count =
        formatted("{} null vectors not found with {} primes; ", missing, found.primes_used);
    const LiftCost& cost = found.cost;
    return allowed < cost.primes
               ? count + formatted("entries may have {} bits, which takes {} primes, about {}",
                                   std::llround(cost.entry_bits),
                                   cost.primes,
                                   format_seconds(cost.seconds))
               : count + "the rank over Q exceeds the rank modulo the prime of the profile";
}

void require_lift_memory(const IntegerRows& rows, Index rank, Index count, Index primes) {
    // Residues of all vectors twice over, each an integer of `primes` words; then the pivot rows
    // and their factors.
    const auto r = static_cast<double>(rank);
    const double vectors =
        2.0 * r * static_cast<double>(count) * (32.0 + 8.0 * static_cast<double>(primes));
    require_memory(vectors + 40.0 * r * static_cast<double>(rows.num_columns()),
                   formatted("lifting {} null vectors of {} entries", count, rank + 1),
                   "ask for fewer null vectors");
}

}  // namespace

LiftCost lift_cost(const IntegerRows& rows, Index rank, Index count) {
    return lift_cost(LiftSize{rows.num_rows(), rows.num_columns(), rows.entry_bits()}, rank, count);
}

LiftCost lift_cost(const LiftSize& size, Index rank, Index count) {
    const auto r = static_cast<double>(rank);
    const auto k = static_cast<double>(count);
    LiftCost cost;
    // Cramer: the entries are r×r minors of the pivot rows, at most Π ‖row‖ by Hadamard's
    // inequality.
    cost.entry_bits =
        r * (static_cast<double>(size.entry_bits) + 0.5 * std::log2(std::max(r, 1.0))) + 1.0;
    cost.primes =
        static_cast<Index>((2.0 * cost.entry_bits + 1.0) / static_cast<double>(kPrimeBits)) + 1;
    const auto primes = static_cast<double>(cost.primes);
    const auto n = static_cast<double>(size.num_columns);
    // Nominal rates, fitted to runs with r = 20 … 287 and k = 1 … 258 on one 2.6 GHz Zen 4 core.
    const double elimination = 1.2e-9 * r * r * (r / 3.0 + k) + 1e-8 * r * n + 1e-3;
    const double recombination = 3e-9 * r * k * primes;
    const double verification = (0.5e-8 + 0.35e-9 * k) * static_cast<double>(size.num_rows) * n;
    cost.seconds = primes * (elimination + recombination + verification);
    return cost;
}

IntegerNullSpace lift_null_space(const IntegerRows& rows,
                                 const RankProfile& profile,
                                 const std::vector<Index>& free_columns,
                                 const LiftOptions& options) {
    IntegerNullSpace found;
    found.cost = lift_cost(rows, profile.rank(), static_cast<Index>(free_columns.size()));
    const double share = std::min(1.0, options.budget_seconds / found.cost.seconds);
    const Index allowed =
        std::max(std::min(kLuckyPrimes, found.cost.primes),
                 static_cast<Index>(share * static_cast<double>(found.cost.primes)));
    require_lift_memory(rows, profile.rank(), static_cast<Index>(free_columns.size()), allowed);
    Lifting lifting(free_columns);
    std::uint64_t bound = kDefaultPrime + 1;
    Index next_harvest = 1;
    while (!lifting.free_columns.empty() && found.primes_used < allowed) {
        throw_if_stopped("null_space");
        note_progress("primes", found.primes_used, allowed);
        const Modulus p(previous_prime(bound));
        bound = p.prime();
        found.primes_used += add_prime(lifting, p, rows, profile) ? 1 : 0;
        if (found.primes_used >= next_harvest || found.primes_used == allowed) {
            harvest(lifting, found, rows, profile);
            next_harvest = found.primes_used + found.primes_used / 2 + 1;
        }
    }
    if (!lifting.free_columns.empty()) {
        found.note = missing_note(found, lifting.free_columns.size(), allowed);
    }
    return found;
}

}  // namespace attest
