#include "core/certify/probe_design.hpp"

#include "core/certify/integer_features.hpp"
#include "core/certify/probe_inputs.hpp"
#include "core/certify/structural_rank.hpp"
#include "core/data/input_list.hpp"
#include "core/exact/smith_form.hpp"
#include "core/features/cubic.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <limits>
#include <utility>

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

ProbeDesign probe_design(const Layer& layer, Index d, Index width) {
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
        design.divisors = divisors_of(design.queries, design.psi);
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
    design.divisors = divisors_of(design.queries, design.psi);
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

}  // namespace attest
