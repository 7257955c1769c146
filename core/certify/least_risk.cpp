#include "core/certify/least_risk.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/certify/proof.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/annihilation.hpp"
#include "core/exact/dyadic.hpp"
#include "core/exact/joined_sets.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace attest {

namespace {

/// A rank modulo the prime below the one over Q: about one data set in 2⁶¹ for each column.
constexpr const char* kUnlucky = "the prime divides a minor of these data";

/// Examples that share no nonzero feature with others, and [H | y] of them times a unit of all
/// parts, in integers: unlike a rank, a risk needs rows of one scale. The best coefficients of
/// every part are its own.
struct Part {
    std::vector<Index> examples;
    std::vector<Index> features;  ///< ascending; the others are zero on every example of the part
    MatrixOf<Integer> rows;
};

struct Parts {
    std::vector<Part> list;
    Rational unit = 1;
};

Integer times_unit(const Rational& value, const Rational& unit) {
    const Rational scaled = value * unit;
    ensure(denominator(scaled) == 1, "least_risk: a row's scale does not divide the common one");
    return Integer(numerator(scaled));
}

/// Any layer: one part with all features.
Parts whole(const Dataset& data) {
    const FeatureRows scales(data, FeatureColumns::features_and_labels);
    Part all{std::vector<Index>(static_cast<std::size_t>(data.num_examples())),
             std::vector<Index>(static_cast<std::size_t>(data.layout().psi())),
             integer_features(data, FeatureColumns::features_and_labels)};
    std::iota(all.examples.begin(), all.examples.end(), Index{0});
    std::iota(all.features.begin(), all.features.end(), Index{0});
    int exponent = scales.row_exponent(0);
    Index odd_power = 0;
    for (Index i = 0; i < all.rows.rows(); ++i) {
        exponent = std::max(exponent, scales.row_exponent(i));
        odd_power = std::max(odd_power, scales.odd_power(i));
    }
    Rational unit = power_of_two(exponent);
    for (Index k = 0; k < odd_power; ++k) {
        unit *= Rational(scales.odd_base());
    }
    for (Index i = 0; i < all.rows.rows(); ++i) {
        all.rows.row(i) *= times_unit(1 / scales.row_factor(i), unit);
    }
    Parts parts{{}, unit};
    parts.list.push_back(std::move(all));
    return parts;
}

/// A number at a place: an entry of a token, of a moment or of a feature row.
struct Entry {
    Index at;
    Rational value;
};

using SparseRow = std::vector<Entry>;

SparseRow nonzeros(const Eigen::Ref<const Vector>& token) {
    SparseRow entries;
    for (Index j = 0; j < token.size(); ++j) {
        if (!is_zero(token(j))) {
            entries.push_back({j, to_rational(token(j))});
        }
    }
    return entries;
}

/// The nonzero entries of pack(S), by their places.
using SparseState = std::map<Index, Rational>;

/// S += z zᵀ.
void add_token(SparseState& s, const SparseRow& z, Index d) {
    for (std::size_t j = 0; j < z.size(); ++j) {
        for (std::size_t k = j; k < z.size(); ++k) {
            s[pack_index(d, z[j].at, z[k].at)] += z[j].value * z[k].value;
        }
    }
}

SparseRow features_of(const SparseState& s, const SparseRow& u, Index d) {
    SparseRow row;
    for (const auto& [pair, sum] : s) {
        for (const Entry& entry : u) {
            if (sum != 0) {
                row.push_back({pair * d + entry.at, Rational(sum * entry.value)});
            }
        }
    }
    return row;
}

/// The nonzero features of every example of the paper's layer: entry pair·d + l of pack(S) ⊗ u.
/// O(k²) numbers for each token of k nonzero entries, and as many as there are for each example.
std::vector<SparseRow> sparse_features(const Dataset& data) {
    const Index d = data.d();
    std::vector<SparseRow> rows;
    rows.reserve(static_cast<std::size_t>(data.num_examples()));
    for (Index i = 0; i < data.num_sequences(); ++i) {
        throw_if_stopped("least_risk");
        SparseState s;
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            const SparseRow z = nonzeros(data.tokens.col(t));
            add_token(s, z, d);
            if (data.labels == LabelKind::per_prefix) {
                rows.push_back(features_of(s, z, d));
            }
        }
        if (data.labels != LabelKind::per_prefix) {
            rows.push_back(features_of(s, nonzeros(data.tokens.col(data.query_token(i))), d));
        }
    }
    return rows;
}

/// The features that are ever nonzero, ascending.
std::vector<Index> features_that_occur(const std::vector<SparseRow>& rows) {
    std::vector<Index> features;
    for (const SparseRow& row : rows) {
        std::transform(row.begin(), row.end(), std::back_inserter(features), [](const Entry& e) {
            return e.at;
        });
    }
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    return features;
}

std::size_t place_of(const std::vector<Index>& features, Index feature) {
    return static_cast<std::size_t>(std::lower_bound(features.begin(), features.end(), feature) -
                                    features.begin());
}

/// A power of two by which every feature and label is an integer.
Rational common_unit(const std::vector<SparseRow>& rows, const Dataset& data) {
    Integer unit = 1;
    const auto include = [&](const Rational& value) {
        unit = lcm(unit, Integer(denominator(value)));
    };
    for (const SparseRow& row : rows) {
        std::for_each(row.begin(), row.end(), [&](const Entry& entry) { include(entry.value); });
    }
    for (Index k = 0; k < data.y.size(); ++k) {
        include(to_rational(data.y.data()[k]));
    }
    return unit;
}

/// Bytes of an entry with its place, three times: of all rows, of one part's, and of its integers.
constexpr double kBytesOfEntry = 3.0 * 96.0;

/// Entries that sparse_features would make, at most: for each example the pairs of places at which
/// some token has nonzeros, times those of its query.
double most_entries(const Dataset& data) {
    const auto nonzero = [&](Index t) {
        return static_cast<double>((data.tokens.col(t).array() != 0.0).count());
    };
    double entries = 0.0;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        double pairs = 0.0;
        const double all = 0.5 * static_cast<double>(data.d()) * static_cast<double>(data.d() + 1);
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            const double k = nonzero(t);
            pairs = std::min(all, pairs + 0.5 * k * (k + 1.0));
            if (data.labels == LabelKind::per_prefix) {
                entries += pairs * k;
            }
        }
        if (data.labels != LabelKind::per_prefix) {
            entries += pairs * nonzero(data.query_token(i));
        }
    }
    return entries;
}

Part integer_part(const Dataset& data,
                  const std::vector<SparseRow>& rows,
                  const Rational& unit,
                  std::vector<Index> examples) {
    Part part{std::move(examples), {}, {}};
    std::vector<SparseRow> own;
    for (const Index i : part.examples) {
        own.push_back(rows[static_cast<std::size_t>(i)]);
    }
    part.features = features_that_occur(own);
    const Index columns = std::ssize(part.features);
    require_memory(
        64.0 * static_cast<double>(std::ssize(own)) * static_cast<double>(columns + data.o()),
        formatted("the least error on {} inputs with {} features that are not all zero",
                  std::ssize(own),
                  columns),
        "take fewer or shorter inputs");
    part.rows = MatrixOf<Integer>::Zero(std::ssize(own), columns + data.o());
    for (Index i = 0; i < part.rows.rows(); ++i) {
        throw_if_stopped("least_risk");
        for (const Entry& entry : own[static_cast<std::size_t>(i)]) {
            const auto column = static_cast<Index>(place_of(part.features, entry.at));
            part.rows(i, column) = times_unit(entry.value, unit);
        }
        for (Index a = 0; a < data.o(); ++a) {
            const double label = data.y(a, part.examples[static_cast<std::size_t>(i)]);
            part.rows(i, columns + a) = times_unit(to_rational(label), unit);
        }
    }
    return part;
}

/// The paper's layer: tokens with zeros, one-hot ones above all, leave most features zero, and
/// those of different queries then have no example in common. Examples without features are a part.
Parts parts_of(const Dataset& data) {
    if (!data.layer.is_linear()) {
        return whole(data);
    }
    require_memory(kBytesOfEntry * most_entries(data),
                   formatted("the nonzero features of {} inputs", data.num_examples()),
                   "take fewer or shorter inputs");
    const std::vector<SparseRow> rows = sparse_features(data);
    const std::vector<Index> features = features_that_occur(rows);
    JoinedSets sets(features.size());
    for (const SparseRow& row : rows) {
        throw_if_stopped("least_risk");
        for (const Entry& entry : row) {
            sets.join(place_of(features, entry.at), place_of(features, row.front().at));
        }
    }
    std::map<std::size_t, std::vector<Index>> examples;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t set =
            rows[i].empty() ? features.size() : sets.root(place_of(features, rows[i].front().at));
        examples[set].push_back(static_cast<Index>(i));
    }
    Parts parts{{}, common_unit(rows, data)};
    for (auto& [set, of_set] : examples) {
        parts.list.push_back(integer_part(data, rows, parts.unit, std::move(of_set)));
    }
    return parts;
}

/// The normal equations [BᵀB | Bᵀy] of the columns `pivots` of H.
MatrixOf<Integer> normal_equations(const MatrixOf<Integer>& rows,
                                   const std::vector<Index>& pivots,
                                   Index psi) {
    std::vector<Index> columns = pivots;
    columns.resize(pivots.size() + static_cast<std::size_t>(rows.cols() - psi));
    std::iota(columns.begin() + std::ssize(pivots), columns.end(), psi);
    MatrixOf<Integer> sums = MatrixOf<Integer>::Zero(std::ssize(pivots), std::ssize(columns));
    for (Index i = 0; i < rows.rows(); ++i) {
        throw_if_stopped("least_risk");
        std::vector<Index> present;
        for (Index k = 0; k < std::ssize(columns); ++k) {
            if (rows(i, columns[static_cast<std::size_t>(k)]) != 0) {
                present.push_back(k);
            }
        }
        for (const Index j : present) {
            for (const Index k : present) {
                if (j < sums.rows()) {
                    sums(j, k) += rows(i, columns[static_cast<std::size_t>(j)]) *
                                  rows(i, columns[static_cast<std::size_t>(k)]);
                }
            }
        }
    }
    return sums;
}

/// The null vectors of [BᵀB | Bᵀy] that belong to the outputs.
IntegerNullSpace solve_normal_equations(const MatrixOf<Integer>& sums, const LiftOptions& options) {
    const Index r = sums.rows();
    std::vector<Index> outputs(static_cast<std::size_t>(sums.cols() - r));
    std::iota(outputs.begin(), outputs.end(), r);
    if (r == 0) {  // no feature is ever nonzero: the residuals are the labels
        IntegerNullSpace labels;
        for (const Index a : outputs) {
            labels.vectors.emplace_back(IntegerVector::Unit(sums.cols(), a));
            labels.free_columns.push_back(a);
        }
        return labels;
    }
    const RankProfile profile = rank_profile(Modulus(), MatrixRows(sums.leftCols(r)));
    if (profile.rank() < r) {
        IntegerNullSpace none;
        none.note = kUnlucky;
        return none;
    }
    return lift_null_space(MatrixRows(sums), profile, outputs, options);
}

/// v·y_a + B·w, an integer multiple of the residual of output a.
IntegerVector residual_of(const MatrixOf<Integer>& rows,
                          const std::vector<Index>& pivots,
                          const IntegerVector& solution,
                          Index label_column,
                          const Integer& weight) {
    IntegerVector residual = rows.col(label_column) * weight;
    for (std::size_t k = 0; k < pivots.size(); ++k) {
        throw_if_stopped("least_risk");
        const Integer& coefficient = solution(static_cast<Index>(k));
        if (coefficient != 0) {
            residual += rows.col(pivots[k]) * coefficient;
        }
    }
    return residual;
}

bool orthogonal_to_features(const MatrixOf<Integer>& rows, Index psi, const IntegerVector& v) {
    IntegerVector sums = IntegerVector::Zero(psi);
    for (Index i = 0; i < rows.rows(); ++i) {
        throw_if_stopped("least_risk");
        for (Index j = 0; v(i) != 0 && j < psi; ++j) {
            if (rows(i, j) != 0) {
                sums(j) += v(i) * rows(i, j);
            }
        }
    }
    return std::all_of(sums.data(), sums.data() + psi, [](const Integer& sum) { return sum == 0; });
}

Integer squared_norm(const IntegerVector& v) {
    Integer sum = 0;
    for (Index i = 0; i < v.size(); ++i) {
        sum += v(i) * v(i);
    }
    return sum;
}

/// What the best coefficients of one part leave of its labels: for each output, weight·residual.
struct PartResiduals {
    std::vector<IntegerVector> residuals;
    std::vector<Integer> weights;
};

/// ψ·o beyond which the coefficients are not kept, only verified: a quarter of a gigabyte.
constexpr Index kMostCoefficients = Index{1} << 22;

/// Independent columns of a part's features, as many as there are.
std::vector<Index> independent_columns(const Part& part) {
    const Index columns = std::ssize(part.features);
    return columns == 0
               ? std::vector<Index>()
               : rank_profile(Modulus(), MatrixRows(part.rows.leftCols(columns))).pivot_columns;
}

/// The best coefficients of a part, into P where that is kept; nothing and why in `note` where they
/// are not found.
struct PartFit {
    std::optional<PartResiduals> left;
    std::string note;
};

PartFit fit_part(const Part& part,
                 const std::vector<Index>& pivots,
                 const LiftOptions& options,
                 MatrixOf<Rational>& P) {
    const Index columns = std::ssize(part.features);
    const Index o = part.rows.cols() - columns;
    const Index rank = std::ssize(pivots);
    PartFit fit;
    const IntegerNullSpace relations =
        solve_normal_equations(normal_equations(part.rows, pivots, columns), options);
    if (std::ssize(relations.vectors) < o) {
        fit.note = relations.note;
        return fit;
    }
    PartResiduals left{std::vector<IntegerVector>(static_cast<std::size_t>(o)),
                       std::vector<Integer>(static_cast<std::size_t>(o))};
    for (std::size_t k = 0; k < relations.vectors.size(); ++k) {
        const Index a = relations.free_columns[k] - rank;
        const IntegerVector& solution = relations.vectors[k];
        const Integer& weight = solution(rank + a);
        IntegerVector residual = residual_of(part.rows, pivots, solution, columns + a, weight);
        if (!orthogonal_to_features(part.rows, columns, residual)) {
            fit.note = kUnlucky;  // the columns were too few
            return fit;
        }
        for (Index j = 0; j < rank && P.rows() > 0; ++j) {
            const Index feature =
                part.features[static_cast<std::size_t>(pivots[static_cast<std::size_t>(j)])];
            P(feature, a) = -Rational(solution(j)) / Rational(weight);
        }
        left.residuals[static_cast<std::size_t>(a)] = std::move(residual);
        left.weights[static_cast<std::size_t>(a)] = weight;
    }
    fit.left = std::move(left);
    return fit;
}

/// The residuals of output a of all parts as one integer vector λ, primitive.
IntegerVector joined_residual(const std::vector<Part>& parts,
                              const std::vector<PartResiduals>& left,
                              Index a,
                              Index num_examples) {
    const auto output = static_cast<std::size_t>(a);
    Integer common = 1;
    for (const PartResiduals& each : left) {
        common = lcm(common, each.weights[output]);
    }
    IntegerVector joined = IntegerVector::Zero(num_examples);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Integer factor = common / left[k].weights[output];
        for (Index i = 0; i < parts[k].rows.rows(); ++i) {
            joined(parts[k].examples[static_cast<std::size_t>(i)]) =
                left[k].residuals[output](i) * factor;
        }
    }
    return primitive(std::move(joined));
}

LeastRisk undecided(const LeastRisk& found, const std::string& reason) {
    LeastRisk nothing;
    nothing.power = found.power;
    nothing.rank = found.rank;
    nothing.reason = reason;
    return nothing;
}

Rational power_of(const Dataset& data) {
    Rational sum = 0;
    for (Index k = 0; k < data.y.size(); ++k) {
        const Rational label = to_rational(data.y.data()[k]);
        sum += label * label;
    }
    return sum / Rational(data.num_examples());
}

}  // namespace

LeastRisk least_risk(const Dataset& data, const LiftOptions& options) {
    require(data.labels != LabelKind::none, "least_risk: the data set has no labels");
    const Index psi = data.layout().psi();
    const Parts parts = parts_of(data);
    LeastRisk found;
    found.power = power_of(data);
    if (psi <= kMostCoefficients / data.o()) {
        found.P = MatrixOf<Rational>::Zero(psi, data.o());
    }
    std::vector<std::vector<Index>> pivots;
    for (const Part& part : parts.list) {
        throw_if_stopped("least_risk");
        pivots.push_back(independent_columns(part));
        found.rank += std::ssize(pivots.back());
    }
    std::vector<PartResiduals> left;
    for (std::size_t k = 0; k < parts.list.size(); ++k) {
        throw_if_stopped("least_risk");
        PartFit fit = fit_part(parts.list[k], pivots[k], options, found.P);
        if (!fit.left) {
            return undecided(found, fit.note);
        }
        for (std::size_t a = 0; a < fit.left->residuals.size(); ++a) {
            const Rational scale = Rational(fit.left->weights[a]) * parts.unit;
            found.risk += Rational(squared_norm(fit.left->residuals[a])) / (scale * scale);
        }
        left.push_back(std::move(*fit.left));
    }
    found.risk /= Rational(data.num_examples());
    for (Index a = 0; a < data.o(); ++a) {
        found.duals.push_back(joined_residual(parts.list, left, a, data.num_examples()));
    }
    const bool fits = found.risk == 0;
    found.verdict = fits ? LabelConsistency::consistent : LabelConsistency::inconsistent;
    found.reason = fits ? "a rational P was verified on every example"
                        : "the residuals of the best P are orthogonal to every feature, over Q";
    return found;
}

double least_risk_seconds(const Dataset& data, const LiftOptions& options) {
    double seconds = 0.0;
    for (const Part& part : parts_of(data).list) {
        Index bits = 0;
        for (Index k = 0; k < part.rows.size(); ++k) {
            bits = std::max(bits, bit_length(part.rows.data()[k]));
        }
        const Index columns = std::ssize(part.features);
        const Index rank = std::min(part.rows.rows(), columns);
        // Entries of the normal equations are sums of products.
        const LiftSize size{
            rank, rank + data.o(), 2 * bits + bit_length(Integer(part.rows.rows()))};
        seconds += std::min(lift_cost(size, rank, data.o()).seconds, options.budget_seconds);
    }
    return seconds;
}

std::optional<std::string> inexpressible_proof(const Dataset& data, const LeastRisk& found) {
    if (found.verdict != LabelConsistency::inconsistent) {
        return std::nullopt;
    }
    ProofText proof(data);
    proof.line(formatted("claim inexpressible {} {}",
                         Integer(numerator(found.risk)).str(),
                         Integer(denominator(found.risk)).str()));
    for (const IntegerVector& dual : found.duals) {
        proof.vector("relation", dual);
    }
    return proof.finish();
}

}  // namespace attest
