#include "core/certify/local_determination.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/certify/changing_direction.hpp"
#include "core/certify/exact_features.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>
#include <functional>

namespace attest {

namespace {

constexpr Index kRandomPoints = 2;
/// Null vectors that a dependent row is tried on: modulo 61 bits it passes wrongly once in 2¹²².
constexpr Index kScreens = 2;

/// The features of row i of a table, as the Jacobian reads them.
using FeatureTable = std::function<const Residue*(Index)>;

/// Rank modulo p of the derivatives at these parameters on `count` rows of features.
Index rank_on(const HeadJacobian& jacobian,
              const Modulus& p,
              const std::vector<Residue>& parameters,
              Index count,
              const FeatureTable& features) {
    ModularRowBasis basis(p, jacobian.num_parameters(), {.screens = kScreens});
    for (Index i = 0; i < count; ++i) {
        basis.append(jacobian.rows(p, parameters, features(i)),
                     ModularMatrix(jacobian.outputs(), 0));
    }
    basis.flush();
    return basis.rank();
}

/// Rank of the derivative of all coefficients: on every unit vector of features.
Index rank_of_coefficients(const HeadJacobian& jacobian,
                           const Modulus& p,
                           const std::vector<Residue>& parameters,
                           Index psi) {
    std::vector<Residue> unit(static_cast<std::size_t>(psi), 0);
    return rank_on(jacobian, p, parameters, psi, [&unit](Index i) {
        std::fill(unit.begin(), unit.end(), Residue{0});
        unit[static_cast<std::size_t>(i)] = 1;
        return unit.data();
    });
}

/// Refuses a model that is not of the data's layer and sizes, or has no heads.
void check_model(const Dataset& data, const Model& model, const LayerHeads& heads) {
    require(
        data.layer == model.layer && data.layout() == model.layout() &&
            (data.o() == 0 || data.o() == model.o),
        "few heads: the model is of layer {}, d = {}, o = {}; the data are of layer {}, d = {}, "
        "o = {}",
        to_string(model.layer),
        model.d,
        model.o,
        to_string(data.layer),
        data.d(),
        data.o());
    require(!heads.heads.empty(),
            "few heads: the model has no heads; layer {} {}",
            to_string(model.layer),
            has_heads(model.layer) ? "has them: split its P first (attest heads)"
                                   : "has coefficients only");
}

LocalVerdict decide(const LocalDetermination& found, const ExactRank& rank, Index elsewhere) {
    if (found.rank == found.dimension || rank.verdict == RankVerdict::full_rank) {
        return LocalVerdict::determined;
    }
    if (!rank.rank_is_exact()) {
        return LocalVerdict::undecided;
    }
    return found.at_model < found.dimension || found.rank < elsewhere
               ? LocalVerdict::singular
               : LocalVerdict::not_determined;
}

}  // namespace

std::string_view to_string(LocalVerdict verdict) {
    switch (verdict) {
        case LocalVerdict::determined:
            return "locally_determined";
        case LocalVerdict::not_determined:
            return "not_locally_determined";
        case LocalVerdict::singular:
            return "singular_model";
        case LocalVerdict::undecided:
            return "undecided";
    }
    return "";
}

LayerHeads heads_of(const Model& model) {
    if (!model.layer.is_linear()) {
        return model.layer_heads;
    }
    LayerHeads heads;
    for (const Head& head : model.heads.heads) {
        heads.heads.push_back({head.V, head.Q, 0});
    }
    return heads;
}

LocalDetermination local_determination(const Dataset& data,
                                       const ExactRank& rank,
                                       const Model& model) {
    const LayerHeads heads = heads_of(model);
    check_model(data, model, heads);
    std::vector<Index> kernels;
    for (const LayerHead& head : heads.heads) {
        kernels.push_back(head.kernel);
    }
    const LayerInput input = model.layer.is_linear() ? LayerInput{.d = model.d} : model.input;
    const HeadJacobian jacobian(model.layer, input, model.o, kernels);
    const Index psi = rank.psi;
    const Index independent = rank.profile.rank();
    const auto columns = static_cast<double>(jacobian.num_parameters());
    require_memory(8.0 * (static_cast<double>(independent) * static_cast<double>(psi) +
                          columns * columns * (2.0 + static_cast<double>(model.o))),
                   "the derivatives of the heads",
                   "ask about fewer heads");
    const Modulus p(rank.profile.prime);
    const FeatureRows features(data);
    const ModularMatrix H = select_rows(p, features, rank.profile.pivot_rows);
    const FeatureTable on_data = [&H](Index i) { return H.row(i); };
    const IntegerParameters parameters = integer_parameters(jacobian, heads);
    const std::vector<Residue> at_model = residues(p, parameters);

    LocalDetermination found;
    found.heads = jacobian.heads();
    found.parameters = jacobian.num_parameters();
    found.at_model = rank_of_coefficients(jacobian, p, at_model, psi);
    found.rank = rank_on(jacobian, p, at_model, independent, on_data);
    found.dimension = found.at_model;
    Index elsewhere = found.rank;
    for (Index draw = 0; draw < kRandomPoints; ++draw) {
        const std::vector<Residue> at = random_residues(p, found.parameters, draw);
        found.dimension = std::max(found.dimension, rank_of_coefficients(jacobian, p, at, psi));
        elsewhere = std::max(elsewhere, rank_on(jacobian, p, at, independent, on_data));
    }
    found.examples = (found.dimension + model.o - 1) / model.o;
    found.verdict = decide(found, rank, elsewhere);
    if (found.verdict == LocalVerdict::not_determined) {
        found.direction =
            changing_direction(jacobian, parameters, features, rank.profile.pivot_rows);
    }
    return found;
}

}  // namespace attest
