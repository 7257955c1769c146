#include "core/explain/relation_search.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"
#include "core/exact/annihilation.hpp"
#include "core/exact/modulus.hpp"
#include "core/exact/null_space.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace attest {

namespace {

constexpr Index kSketchRows = 4;

/// A combination of columns: some coefficients, the others 0.
using Candidate = std::vector<SparseEntry>;

/// Independent candidates. A null vector is known by its entries at the free columns.
class Collector {
public:
    Collector(const Modulus& p, ModularMatrix A)
        : p_(p),
          echelon_(reduced_row_echelon(p, std::move(A))),
          place_(static_cast<std::size_t>(echelon_.R.cols()), -1),
          free_(other_columns(echelon_.pivots, echelon_.R.cols())),
          independent_(p, std::ssize(free_)) {
        for (std::size_t k = 0; k < free_.size(); ++k) {
            place_[static_cast<std::size_t>(free_[k])] = static_cast<Index>(k);
        }
    }

    [[nodiscard]] const ModularMatrix& reduced() const { return echelon_.R; }

    [[nodiscard]] bool is_complete() const { return independent_.rank() == std::ssize(free_); }

    /// Keeps it if it vanishes modulo p, is new and has small coefficients.
    void offer(const Candidate& candidate) {
        if (is_complete() || !vanishes(candidate)) {
            return;
        }
        std::vector<Residue> residues(place_.size(), 0);
        Candidate restricted;
        for (const SparseEntry& entry : candidate) {
            residues[static_cast<std::size_t>(entry.column)] = entry.value;
            if (const Index at = place_[static_cast<std::size_t>(entry.column)]; at >= 0) {
                restricted.push_back({at, entry.value});
            }
        }
        const Index row = independent_.append_sparse(restricted);
        independent_.flush();
        if (independent_.status(row) != RowRelation::independent) {
            return;
        }
        if (std::optional<IntegerVector> v = reconstruct_primitive(combine({}, p_, residues))) {
            found_.push_back(primitive(std::move(*v)));
        }
    }

    [[nodiscard]] std::vector<IntegerVector> found() && { return std::move(found_); }

private:
    [[nodiscard]] bool vanishes(const Candidate& candidate) const {
        for (Index i = 0; i < reduced().rows(); ++i) {
            Residue sum = 0;
            for (const SparseEntry& entry : candidate) {
                sum = p_.add(sum, p_.multiply(entry.value, reduced()(i, entry.column)));
            }
            if (sum != 0) {
                return false;
            }
        }
        return true;
    }

    const Modulus& p_;
    Echelon echelon_;
    std::vector<Index> place_;
    std::vector<Index> free_;
    ModularRowBasis independent_;
    std::vector<IntegerVector> found_;
};

/// Columns of A that vanish or are multiples of others, modulo p.
struct ProportionalColumns {
    std::vector<Index> zeros;
    std::vector<Candidate> pairs;        ///< of a column and the first that it is a multiple of
    std::vector<Index> representatives;  ///< the first of every class
};

ProportionalColumns proportional_columns(const Modulus& p, const ModularMatrix& A) {
    struct First {
        Index column;
        Residue lead;
    };

    std::map<std::vector<Residue>, First> classes;
    ProportionalColumns found;
    for (Index j = 0; j < A.cols(); ++j) {
        std::vector<Residue> column;
        for (Index i = 0; i < A.rows(); ++i) {
            column.push_back(A(i, j));
        }
        const auto lead =
            std::find_if(column.begin(), column.end(), [](Residue x) { return x != 0; });
        if (lead == column.end()) {
            found.zeros.push_back(j);
            continue;
        }
        const Residue size = *lead;
        const Residue inverse = p.inverse(size);
        for (Residue& entry : column) {
            entry = p.multiply(entry, inverse);
        }
        const auto [at, is_new] = classes.try_emplace(std::move(column), First{j, size});
        if (is_new) {
            found.representatives.push_back(j);
        } else {
            const Residue ratio = p.multiply(size, p.inverse(at->second.lead));
            found.pairs.push_back({{at->second.column, p.negate(ratio)}, {j, 1}});
        }
    }
    return found;
}

/// Relations of one and two terms; returns one column for each class of proportional ones.
std::vector<Index> zeros_and_pairs(const Modulus& p, Collector& collector) {
    ProportionalColumns found = proportional_columns(p, collector.reduced());
    for (const Index j : found.zeros) {
        collector.offer({{j, 1}});
    }
    for (const Candidate& pair : found.pairs) {
        collector.offer(pair);
    }
    return std::move(found.representatives);
}

/// The weights of a few random combinations of all rows, of which `count` from `first` on are
/// shown: what vanishes in a matrix vanishes in its sketch, and hardly anything else.
ModularMatrix sketch_weights(const Modulus& p, Index first, Index count, Index all) {
    ModularMatrix weights(kSketchRows, count);
    for (Index k = 0; k < kSketchRows; ++k) {
        for (Index i = 0; i < count; ++i) {
            weights(k, i) =
                split_mix(static_cast<std::uint64_t>(k * all + first + i) + 1) % p.prime();
        }
    }
    return weights;
}

/// Of the given columns.
ModularMatrix sketch(const Modulus& p, const ModularMatrix& R, const std::vector<Index>& columns) {
    return multiply(p, sketch_weights(p, 0, R.rows(), R.rows()), select_columns(R, columns));
}

/// Of all columns, block by block.
ModularMatrix sketch(const Modulus& p, const IntegerRows& rows) {
    ModularMatrix sum(kSketchRows, rows.num_columns());
    for (Index b = 0; b < rows.num_blocks(); ++b) {
        throw_if_stopped("relations");
        note_progress("relations", rows.first_row(b), rows.num_rows());
        const ModularMatrix block = rows.block(p, b);
        ModularMatrix weights = sketch_weights(p, rows.first_row(b), block.rows(), rows.num_rows());
        for (Index k = 0; k < weights.rows(); ++k) {
            for (Index i = 0; i < weights.cols(); ++i) {
                weights(k, i) = p.negate(weights(k, i));
            }
        }
        sum = subtract_product(p, std::move(sum), weights, block);
    }
    return sum;
}

/// c_j − α c_i and c_k − β c_i are proportional: found by hashing, for every i.
void triples(const Modulus& p, const std::vector<Index>& columns, Collector& collector) {
    struct Rest {
        Index column;
        Residue alpha;
        Residue lead;
    };

    const ModularMatrix C = sketch(p, collector.reduced(), columns);
    const auto column = [&](Index i) { return columns[static_cast<std::size_t>(i)]; };
    for (Index i = 0; i < C.cols() && !collector.is_complete(); ++i) {
        if (C(0, i) == 0) {
            continue;  // one chance in p
        }
        const Residue inverse = p.inverse(C(0, i));
        std::map<std::pair<Residue, Residue>, Rest> seen;
        for (Index j = i + 1; j < C.cols(); ++j) {
            const Residue alpha = p.multiply(C(0, j), inverse);
            const auto rest = [&](Index k) {
                return p.subtract(C(k, j), p.multiply(alpha, C(k, i)));
            };
            const Residue lead = rest(1);
            if (lead == 0) {
                continue;
            }
            const Residue scale = p.inverse(lead);
            const auto [at, is_new] = seen.try_emplace(
                {p.multiply(rest(2), scale), p.multiply(rest(3), scale)}, Rest{j, alpha, lead});
            if (!is_new) {
                const Residue gamma = p.multiply(lead, p.inverse(at->second.lead));
                const Residue first = p.subtract(p.multiply(gamma, at->second.alpha), alpha);
                collector.offer({{column(i), first},
                                 {column(at->second.column), p.negate(gamma)},
                                 {column(j), 1}});
            }
        }
    }
}

/// ±c_i ± c_j, of the two signs that the sketch can tell.
struct SignedPair {
    std::pair<Residue, Residue> key;
    Index i;
    Index j;
    Residue sign_i;
    Residue sign_j;
};

/// All of them, by key: those that agree up to sign have the same one.
std::vector<SignedPair> signed_pairs(const Modulus& p, const ModularMatrix& C) {
    const Residue minus = p.negate(1);
    std::vector<SignedPair> pairs;
    for (Index i = 0; i < C.cols(); ++i) {
        for (Index j = i + 1; j < C.cols(); ++j) {
            for (const Residue sign : {Residue{1}, minus}) {
                const auto sum = [&](Index k) { return p.add(C(k, i), p.multiply(sign, C(k, j))); };
                const Residue unit = p.balanced(sum(0)) < 0 ? minus : 1;
                pairs.push_back({{p.multiply(unit, sum(0)), p.multiply(unit, sum(1))},
                                 i,
                                 j,
                                 unit,
                                 p.multiply(unit, sign)});
            }
        }
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const SignedPair& a, const SignedPair& b) {
        return a.key < b.key;
    });
    return pairs;
}

/// Two sums or differences of columns that agree up to sign.
void quadruples(const Modulus& p, const std::vector<Index>& columns, Collector& collector) {
    const std::vector<SignedPair> pairs = signed_pairs(p, sketch(p, collector.reduced(), columns));
    const auto column = [&](Index at) { return columns[static_cast<std::size_t>(at)]; };
    std::size_t first = 0;
    for (std::size_t k = 1; k < pairs.size() && !collector.is_complete(); ++k) {
        const SignedPair& a = pairs[first];
        const SignedPair& b = pairs[k];
        if (a.key != b.key) {
            first = k;
        } else if (a.i != b.i && a.i != b.j && a.j != b.i && a.j != b.j) {
            collector.offer({{column(a.i), a.sign_i},
                             {column(a.j), a.sign_j},
                             {column(b.i), p.negate(b.sign_i)},
                             {column(b.j), p.negate(b.sign_j)}});
        }
    }
}

/// Those of the vectors that annihilate every row over Z, in their order.
std::vector<IntegerVector> proved(const IntegerRows& rows, std::vector<IntegerVector> vectors) {
    const std::vector<bool> holds = annihilates_all(rows, vectors);
    std::vector<IntegerVector> kept;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
        if (holds[k]) {
            kept.push_back(std::move(vectors[k]));
        }
    }
    return kept;
}

/// The free columns whose null vectors, with the given ones, are independent: those at which a
/// reduced basis of the given ones has no pivot.
std::vector<Index> still_free(const Modulus& p,
                              const std::vector<IntegerVector>& vectors,
                              const std::vector<Index>& free) {
    ModularRowBasis basis(p, std::ssize(free));
    for (const IntegerVector& v : vectors) {
        std::vector<SparseEntry> row;
        for (std::size_t k = 0; k < free.size(); ++k) {
            if (const Residue value = p.reduce(v(free[k])); value != 0) {
                row.push_back({static_cast<Index>(k), value});
            }
        }
        basis.append_sparse(row);
    }
    basis.flush();
    std::vector<Index> taken = basis.pivots();
    std::sort(taken.begin(), taken.end());
    std::vector<Index> left;
    for (const Index k : other_columns(taken, std::ssize(free))) {
        left.push_back(free[static_cast<std::size_t>(k)]);
    }
    return left;
}

/// 20 pseudorandom bits.
std::int64_t fold_weight(Index k) {
    return static_cast<std::int64_t>(split_mix(static_cast<std::uint64_t>(k) + 1) >> 44U) + 1;
}

}  // namespace

std::vector<IntegerVector> search_relations(const Modulus& p, ModularMatrix A) {
    Collector collector(p, std::move(A));
    const std::vector<Index> columns = zeros_and_pairs(p, collector);
    if (!collector.is_complete() && std::ssize(columns) <= kMostColumnsSearched) {
        triples(p, columns, collector);
        if (!collector.is_complete()) {
            quadruples(p, columns, collector);
        }
    }
    return std::move(collector).found();
}

std::vector<IntegerVector> two_term_relations(const Modulus& p, const IntegerRows& rows) {
    const ProportionalColumns found = proportional_columns(p, sketch(p, rows));
    std::vector<IntegerVector> vectors;
    const auto keep = [&](const Candidate& candidate) {
        std::vector<Residue> residues;
        for (const SparseEntry& entry : candidate) {
            residues.push_back(entry.value);
        }
        if (const auto values = reconstruct_primitive(combine({}, p, residues))) {
            IntegerVector v = IntegerVector::Zero(rows.num_columns());
            for (std::size_t k = 0; k < candidate.size(); ++k) {
                v(candidate[k].column) = (*values)(static_cast<Index>(k));
            }
            vectors.push_back(primitive(std::move(v)));
        }
    };
    std::for_each(found.zeros.begin(), found.zeros.end(), [&](Index j) { keep({{j, 1}}); });
    std::for_each(found.pairs.begin(), found.pairs.end(), keep);
    return proved(rows, std::move(vectors));
}

Index support(const IntegerVector& v) {
    return std::count_if(v.begin(), v.end(), [](const Integer& entry) { return entry != 0; });
}

ShortRelations short_relations(const Modulus& p, const IntegerRows& rows, LongRelations wanted) {
    const RankProfile profile = rank_profile(p, rows);
    ShortRelations found;
    found.num_columns = rows.num_columns();
    found.pivot_columns = profile.pivot_columns;
    std::sort(found.pivot_columns.begin(), found.pivot_columns.end());
    if (found.missing() == 0) {
        return found;
    }
    const std::vector<Index> free = other_columns(found.pivot_columns, found.num_columns);
    found.vectors =
        found.num_columns > kMostColumnsSearched
            ? two_term_relations(p, rows)
            : proved(rows, search_relations(p, select_rows(p, rows, profile.pivot_rows)));
    if (found.missing() > 0 && wanted == LongRelations::lift) {
        IntegerNullSpace lifted =
            lift_null_space(rows, profile, still_free(p, found.vectors, free));
        found.vectors.insert(found.vectors.end(), lifted.vectors.begin(), lifted.vectors.end());
    }
    std::stable_sort(
        found.vectors.begin(),
        found.vectors.end(),
        [](const IntegerVector& a, const IntegerVector& b) { return support(a) < support(b); });
    return found;
}

std::vector<std::vector<IntegerEntry>> BlockFeatures::folded_states() const {
    std::vector<std::vector<IntegerEntry>> columns(static_cast<std::size_t>(states()));
    for (Index k = 0; k < states(); ++k) {
        for (Index l = 0; l < queries(); ++l) {
            columns[static_cast<std::size_t>(k)].push_back({feature(k, l), fold_weight(l)});
        }
    }
    return columns;
}

std::vector<std::vector<IntegerEntry>> BlockFeatures::folded_queries() const {
    std::vector<std::vector<IntegerEntry>> columns(static_cast<std::size_t>(queries()));
    for (Index l = 0; l < queries(); ++l) {
        for (Index k = 0; k < states(); ++k) {
            columns[static_cast<std::size_t>(l)].push_back({feature(k, l), fold_weight(k)});
        }
    }
    return columns;
}

}  // namespace attest
