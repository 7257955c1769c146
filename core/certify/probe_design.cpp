#include "core/certify/probe_design.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/certify/rank/structural_rank.hpp"
#include "core/data/input_list.hpp"
#include "core/exact/smith_form.hpp"
#include "core/features/cubic.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace attest {

namespace {

constexpr Index kMostFeatures = 600;
/// Rectangular Smith forms take long beyond; so do those of entries of more bits, but for few rows.
constexpr Index kMostRectangular = 120;
constexpr Index kLongestEntry = 32;
constexpr Index kFewRows = 8;

/// Why the inputs of a layer are not for us to choose; nothing where they are.
const char* obstacle(const Layer& layer) {
    if (layer.gates != GateForm::none) {
        return "the gates of a black box are its own: record them on inputs of yours, and certify";
    }
    switch (layer.form) {
        case TokenForm::mapped:
            return "phi is a function of the token that only you know: choose tokens, and certify";
        case TokenForm::delta:
            return "keys and strengths of a black box are its own: record them, and certify";
        case TokenForm::supplied:
            return "s and u are your own: choose inputs, and certify";
        case TokenForm::square:
        case TokenForm::degree:
            break;
    }
    return nullptr;
}

/// The rank of the features of all inputs: of every length where a theorem says which suffice, else
/// of the lengths of the candidates.
Index structural_rank_of(const Dataset& candidates) {
    std::vector<InputKind> kinds = input_kinds(candidates);
    if (auto every = all_kinds(candidates.layer)) {
        kinds.insert(kinds.end(), every->begin(), every->end());
        std::sort(kinds.begin(), kinds.end());
        kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    }
    const std::optional<StructuralRank> found =
        structural_rank(candidates.layer, candidates.layer_input(), kinds);
    if (!found || !found->is_exact) {
        throw NotAvailable(formatted("probe: the structural rank of {} takes too long to find",
                                     to_string(candidates.layer)));
    }
    return found->rank;
}

std::vector<Integer> divisors_of(const Dataset& queries, Index psi) {
    const Index count = queries.num_sequences();
    const bool is_small = count <= kFewRows || FeatureRows(queries).entry_bits() <= kLongestEntry;
    return is_small && (count == psi || count <= kMostRectangular)
               ? elementary_divisors(integer_features(queries))
               : std::vector<Integer>{};
}

/// Gains below this share of the trace are rounding.
constexpr double kLeastGain = 1e-9;
/// A query whose leverage is nearer to 1 must stay: the others are deficient, or nearly so.
constexpr double kLeastRoom = 1e-6;
/// Rank squared times candidates.
constexpr double kMostWork = 5e8;

Matrix features_of(const Dataset& data) {
    return feature_columns<double>(sequence_moments<double>(data, 0, data.num_sequences()),
                                   data.layout());
}

/// The features of `all`, a column each, in an orthonormal basis of the span of the first `rank`:
/// norms are as before, and the rank is that of all rows.
Matrix in_span_of_first(const Dataset& all, Index rank) {
    const Matrix features = features_of(all);
    const Eigen::HouseholderQR<Matrix> factored(features.leftCols(rank));
    const Matrix basis = factored.householderQ() * Matrix::Identity(features.rows(), rank);
    return basis.transpose() * features;
}

/// Some of the columns h of a pool as a design, with M h for all of them, M = (Σ h hᵀ)⁻¹ over the
/// design.
class Design {
public:
    Design(const Matrix& pool, std::vector<Index> chosen)
        : pool_(pool), chosen_(std::move(chosen)) {
        const Matrix H = pool_(Eigen::all, chosen_);
        const Eigen::LLT<Matrix> gram(H * H.transpose());
        images_ = gram.solve(pool_);
        trace_ = gram.solve(Matrix::Identity(H.rows(), H.rows())).trace();
    }

    [[nodiscard]] double trace() const { return trace_; }

    [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }

    /// Adds the column that lowers the trace most.
    void grow() {
        Vector changes(pool_.cols());
        for (Index k = 0; k < changes.size(); ++k) {
            changes(k) = change(k, 1.0);
        }
        Index best = 0;
        (void)changes.minCoeff(&best);
        update(best, 1.0);
        chosen_.push_back(best);
    }

    /// Drops the one whose leaving raises it least.
    void shrink() {
        const auto least = std::min_element(chosen_.begin(), chosen_.end(), [&](Index a, Index b) {
            return change(a, -1.0) < change(b, -1.0);
        });
        update(*least, -1.0);
        chosen_.erase(least);
    }

private:
    /// How the trace changes when column k comes (sign 1) or goes (−1), by Sherman and Morrison.
    [[nodiscard]] double change(Index k, double sign) const {
        const double room = 1.0 + sign * pool_.col(k).dot(images_.col(k));
        return room > kLeastRoom ? -sign * images_.col(k).squaredNorm() / room : HUGE_VAL;
    }

    void update(Index k, double sign) {
        trace_ += change(k, sign);
        const Vector image = images_.col(k);
        const double room = 1.0 + sign * pool_.col(k).dot(image);
        const Vector products = pool_.transpose() * image;
        images_.noalias() -= (sign / room) * image * products.transpose();
    }

    const Matrix& pool_;
    std::vector<Index> chosen_;
    Matrix images_;
    double trace_ = 0.0;
};

Design after_excursion(const Matrix& pool, const std::vector<Index>& chosen, Index length) {
    Design design(pool, chosen);
    for (Index k = 0; k < length; ++k) {
        throw_if_stopped("probe");
        design.grow();
    }
    for (Index k = 0; k < length; ++k) {
        throw_if_stopped("probe");
        design.shrink();
    }
    return design;
}

constexpr double kMostCandidates = 100000.0;

/// e_j, then ±e_j ± e_k up to sign.
std::vector<Vector> short_vectors(Index d) {
    std::vector<Vector> found;
    for (Index j = 0; j < d; ++j) {
        found.emplace_back(Vector::Unit(d, j));
    }
    for (Index j = 0; j < d; ++j) {
        for (Index k = j + 1; k < d; ++k) {
            found.emplace_back(Vector::Unit(d, j) + Vector::Unit(d, k));
            found.emplace_back(Vector::Unit(d, j) - Vector::Unit(d, k));
        }
    }
    return found;
}

/// Those, −e_j, 2e_j and e_i + e_j + e_k: polynomials of degree 3 in d unknowns are told apart by
/// their values there.
std::vector<Vector> longer_vectors(Index d) {
    std::vector<Vector> found = short_vectors(d);
    for (Index j = 0; j < d; ++j) {
        found.emplace_back(-Vector::Unit(d, j));
        found.emplace_back(2.0 * Vector::Unit(d, j));
        for (Index k = j + 1; k < d; ++k) {
            for (Index i = k + 1; i < d; ++i) {
                found.emplace_back(Vector::Unit(d, i) + Vector::Unit(d, j) + Vector::Unit(d, k));
            }
        }
    }
    return found;
}

/// Distances from the last token beyond which nothing is new: as in all_kinds.
Index distances(const Layer& layer) {
    Index enough = num_sums(layer) + 2;
    for (const Kernel& kernel : layer.kernels) {
        enough =
            std::max<Index>(enough, num_sums(layer) + kernel.width + std::ssize(kernel.values) + 2);
    }
    return enough;
}

}  // namespace

Dataset teaching_queries(Index d) {
    InputList inputs(d);
    const Vector zero = Vector::Zero(d);
    for (Index l = 0; l < d; ++l) {
        const Vector asking = Vector::Unit(d, l);
        inputs.add({zero, asking});
        for (Index j = 0; j < d; ++j) {
            if (j != l) {
                inputs.add({Vector::Unit(d, j), asking});
            }
            for (Index k = j + 1; k < d; ++k) {
                inputs.add({Vector::Unit(d, j) + Vector::Unit(d, k), asking});
            }
        }
    }
    return inputs.finish();
}

ProbeDesign probe_design(const Layer& layer, Index d, Index width, DivisorsOfDesign divisors) {
    if (const char* const why = obstacle(layer)) {
        throw NotAvailable(
            formatted("probe: no inputs for the layer {}: {}", to_string(layer), why));
    }
    ProbeDesign design;
    if (layer.is_linear()) {
        design.queries = teaching_queries(d);
        design.psi = design.queries.layout().psi();
        design.rank = rank_profile(Modulus(), FeatureRows(design.queries)).rank();
        ensure(design.rank == design.psi, "probe: the teaching set is deficient");
        if (divisors == DivisorsOfDesign::find) {
            design.divisors = divisors_of(design.queries, design.psi);
        }
        return design;
    }
    const Dataset candidates = probe_candidates(layer, d, width);
    design.psi = candidates.layout().psi();
    require(design.psi <= kMostFeatures,
            "probe: the layer {} has {} features at d = {}, more than {}",
            to_string(layer),
            design.psi,
            d,
            kMostFeatures);
    RankProfile profile = rank_profile(Modulus(), FeatureRows(candidates));
    design.rank = structural_rank_of(candidates);
    if (profile.rank() < design.rank) {
        throw NotAvailable(formatted(
            "probe: {} inputs with entries from -1 to 2 reach the rank {} of {} for the layer {}; "
            "draw inputs, and certify",
            candidates.num_sequences(),
            profile.rank(),
            design.rank,
            to_string(layer)));
    }
    std::sort(profile.pivot_rows.begin(), profile.pivot_rows.end());
    design.queries = select_sequences(candidates, profile.pivot_rows);
    if (divisors == DivisorsOfDesign::find) {
        design.divisors = divisors_of(design.queries, design.psi);
    }
    return design;
}

double noise_factor(const Dataset& queries, Index rank) {
    const MomentBatch batch = sequence_moments<double>(queries, 0, queries.num_sequences());
    const Matrix H = feature_columns<double>(batch, queries.layout());
    require(H.cols() <= rank || rank == H.rows(),
            "noise_factor: got {} queries, expected as many as their rank {}",
            H.cols(),
            rank);
    if (H.cols() < rank) {
        return std::numeric_limits<double>::infinity();
    }
    // The smaller of the two Gram matrices is regular, and has the nonzero eigenvalues of both.
    const Matrix G = rank < H.rows() ? Matrix(H.transpose() * H) : Matrix(H * H.transpose());
    const Eigen::LLT<Matrix> gram(G);
    if (gram.info() != Eigen::Success) {
        return std::numeric_limits<double>::infinity();
    }
    return gram.solve(Matrix::Identity(G.rows(), G.rows())).trace();
}

QuieterQueries quieter_queries(const Dataset& start, const Dataset& candidates) {
    const Index rank = start.num_sequences();
    const Dataset all = concatenate(start, candidates);
    const auto r = static_cast<double>(rank);
    if (r * r * static_cast<double>(all.num_sequences()) > kMostWork) {
        throw NotAvailable(
            formatted("probe: --noise: {} candidates for {} queries of the layer {} take too long; "
                      "take a smaller d",
                      candidates.num_sequences(),
                      rank,
                      to_string(start.layer)));
    }
    const double before = noise_factor(start, rank);
    require(std::isfinite(before), "quieter_queries: the queries are not independent");
    const Matrix pool = in_span_of_first(all, rank);
    std::vector<Index> chosen(static_cast<std::size_t>(rank));
    std::iota(chosen.begin(), chosen.end(), Index{0});
    double trace = before;
    for (Index length = pool.rows(); length > 0; length /= 2) {
        for (;;) {
            const Design next = after_excursion(pool, chosen, length);
            if (!(next.trace() < (1.0 - kLeastGain) * trace)) {
                break;
            }
            trace = next.trace();
            chosen = next.chosen();
        }
    }
    std::sort(chosen.begin(), chosen.end());
    Dataset queries = select_sequences(all, chosen);
    const double after = noise_factor(queries, rank);
    const auto exchanged = std::count_if(
        chosen.begin(), chosen.end(), [&](Index k) { return k >= start.num_sequences(); });
    return after < before ? QuieterQueries{std::move(queries), before, after, exchanged}
                          : QuieterQueries{start, before, before, 0};
}

namespace {

/// `token`, then zeros: `distance` + 1 tokens, of which the last is `u` where the layer's own
/// tokens ask.
std::vector<Vector> input_asked_by(const Vector& u,
                                   const Vector& token,
                                   Index distance,
                                   const Layer& layer) {
    std::vector<Vector> Z(static_cast<std::size_t>(distance) + 1, Vector::Zero(token.size()));
    Z.front() = token;
    if (!layer.cross) {
        Z.back() = u;
    }
    return Z;
}

}  // namespace

Dataset probe_candidates(const Layer& layer, Index d, Index width) {
    const Index reach = distances(layer);
    const std::vector<Vector> tokens = longer_vectors(d);
    std::vector<Vector> asking = layer.cross ? longer_vectors(width) : tokens;
    asking.insert(asking.begin(), Vector::Zero(layer.cross ? width : d));
    const double count = static_cast<double>(reach) * static_cast<double>(tokens.size() + 1) *
                         static_cast<double>(asking.size());
    require(count <= kMostCandidates,
            "probe: {} candidate inputs are too many; take a smaller d or shorter kernels",
            count);
    InputList inputs(d, layer.cross ? width : 0);
    const Vector zero = Vector::Zero(d);
    for (Index distance = 0; distance < reach; ++distance) {
        for (const Vector& u : asking) {
            inputs.add(input_asked_by(u, zero, distance, layer), layer.cross ? u : Vector());
            if (distance == 0 && !layer.cross) {
                continue;  // one token only: the one that asks
            }
            for (const Vector& token : tokens) {
                inputs.add(input_asked_by(u, token, distance, layer), layer.cross ? u : Vector());
            }
        }
    }
    return inputs.finish(layer);
}

Dataset two_token_candidates(Index d) {
    std::vector<Vector> tokens = short_vectors(d);
    InputList inputs(d);
    for (const Vector& asking : tokens) {
        inputs.add({Vector::Zero(d), asking});
        for (const Vector& token : tokens) {
            inputs.add({token, asking});
        }
    }
    return inputs.finish();
}

}  // namespace attest
