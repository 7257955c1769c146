#include "core/certify/local_determination.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"
#include "core/certify/changing_direction.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace attest {

namespace {

Matrix next_rows(const std::vector<double>& from, std::size_t& at, Index rows, Index cols) {
    Matrix A(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            A(i, j) = from[at++];
        }
    }
    return A;
}

bool all_zero(const Residue* values, Index count) {
    return std::all_of(values, values + count, [](Residue value) { return value == 0; });
}

constexpr Index kRandomPoints = 2;
/// Numbers of data and model may make a rank too low modulo a prime, hardly modulo two.
constexpr Index kPrimes = 2;
/// Null vectors that a dependent row is tried on: modulo 61 bits it passes wrongly once in 2¹²².
constexpr Index kScreens = 2;

/// The features of row i of a table, as the Jacobian reads them.
using FeatureTable = std::function<const Residue*(Index)>;

/// A family of layers: heads of full size, or products of smaller matrices.
class Family {
public:
    Family(const HeadJacobian& jacobian, HeadSizes sizes) : jacobian_(jacobian) {
        if (!sizes.is_full()) {
            products_.emplace(jacobian.products(sizes));
        }
    }

    [[nodiscard]] Index num_parameters() const {
        return products_ ? products_->num_factors() : jacobian_.num_parameters();
    }

    /// Rank modulo p of the derivatives at these parameters on `count` rows of features.
    [[nodiscard]] Index rank_on(const Modulus& p,
                                const std::vector<Residue>& parameters,
                                Index count,
                                const FeatureTable& features) const {
        const std::vector<Residue> entries =
            products_ ? products_->product(p, parameters) : parameters;
        ModularRowBasis basis(p, num_parameters(), {.screens = kScreens});
        for (Index i = 0; i < count; ++i) {
            throw_if_stopped("few heads");
            note_progress("derivatives", i, count);
            const ModularMatrix rows = jacobian_.rows(p, entries, features(i));
            basis.append(products_ ? products_->by_factors(p, rows, parameters) : rows,
                         ModularMatrix(jacobian_.outputs(), 0));
        }
        basis.flush();
        return basis.rank();
    }

    /// Rank of the derivative of the function: on every unit vector of features, put into the span
    /// of the features of inputs.
    [[nodiscard]] Index rank_of_function(const Modulus& p,
                                         const std::vector<Residue>& parameters,
                                         const IntegerNullSpace& identities,
                                         Index psi) const {
        std::vector<Residue> unit(static_cast<std::size_t>(psi), 0);
        return rank_on(p, parameters, psi, [&](Index i) {
            std::fill(unit.begin(), unit.end(), Residue{0});
            unit[static_cast<std::size_t>(i)] = 1;
            put_into_span(p, identities, unit);
            return unit.data();
        });
    }

private:
    const HeadJacobian& jacobian_;
    std::optional<HeadProducts> products_;
};

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

LocalVerdict decide(const LocalDetermination& found,
                    const ExactRank& rank,
                    Index elsewhere,
                    bool identities_known) {
    if (found.rank == found.dimension || rank.verdict == RankVerdict::full_rank) {
        return LocalVerdict::determined;
    }
    if (!rank.rank_is_exact() || !identities_known) {
        return LocalVerdict::undecided;
    }
    return found.at_model < found.dimension || found.rank < elsewhere
               ? LocalVerdict::singular
               : LocalVerdict::not_determined;
}

}  // namespace

HeadJacobian::HeadJacobian(const Layer& layer,
                           const LayerInput& input,
                           Index o,
                           std::vector<Index> kernels)
    : shape_(sum_shape(layer, input)),
      m_(layout_of(layer, input).m()),
      o_(o),
      sum_size_(summand_size(layer, input)),
      kernels_(std::move(kernels)) {
    if (layer.affine) {
        direct_features_ = layout_of(layer, input).psi() - m_;
    }
}

Index HeadJacobian::head_size() const {
    return o_ * shape_.rows + shape_.columns * m_;
}

HeadProducts HeadJacobian::products(HeadSizes sizes) const {
    return {heads(),
            o_,
            shape_.rows,
            shape_.columns,
            m_,
            num_parameters() - heads() * head_size(),
            sizes};
}

Index HeadJacobian::num_parameters() const {
    return heads() * head_size() + (direct_features_ < 0 ? 0 : o_ * m_);
}

std::vector<double> HeadJacobian::flatten(const LayerHeads& heads) const {
    std::vector<double> parameters;
    for (const LayerHead& head : heads.heads) {
        append_rows(parameters, head.V);
        append_rows(parameters, head.Q);
    }
    if (heads.direct.size() > 0) {
        append_rows(parameters, heads.direct);
    }
    parameters.resize(static_cast<std::size_t>(num_parameters()), 0.0);
    return parameters;
}

LayerHeads HeadJacobian::unflatten(const std::vector<double>& parameters) const {
    LayerHeads heads;
    std::size_t at = 0;
    for (const Index kernel : kernels_) {
        Matrix V = next_rows(parameters, at, o_, shape_.rows);
        Matrix Q = next_rows(parameters, at, shape_.columns, m_);
        heads.heads.push_back({std::move(V), std::move(Q), kernel});
    }
    if (direct_features_ >= 0) {
        heads.direct = next_rows(parameters, at, o_, m_);
    }
    return heads;
}

void HeadJacobian::add_entry(const Modulus& p,
                             const std::vector<Residue>& parameters,
                             const Residue* asked,
                             Index head,
                             Index j,
                             Index k,
                             ModularMatrix& J) const {
    const Index D = shape_.rows;
    const Index at_V = head * head_size();
    const Index at_Q = at_V + o_ * D;
    const Residue* const V = parameters.data() + at_V;
    const Residue* const Q = parameters.data() + at_Q;
    const auto add = [&](Index a, Index column, Residue value) {
        J(a, column) = p.add(J(a, column), value);
    };
    const Residue by_V = p.dot(Q + k * m_, asked, m_);
    for (Index a = 0; a < o_; ++a) {
        add(a, at_V + a * D + j, by_V);
        for (Index l = 0; l < m_; ++l) {
            add(a, at_Q + k * m_ + l, p.multiply(V[a * D + j], asked[l]));
        }
    }
}

ModularMatrix HeadJacobian::rows(const Modulus& p,
                                 const std::vector<Residue>& parameters,
                                 const Residue* features) const {
    ModularMatrix J(o_, num_parameters());
    for (Index h = 0; h < heads(); ++h) {
        const Index first = kernels_[static_cast<std::size_t>(h)] * sum_size_;
        for (Index j = 0; j < shape_.rows; ++j) {
            for (Index k = 0; k < shape_.columns; ++k) {
                const Residue* const asked = features + (first + entry_of_sum(shape_, j, k)) * m_;
                if (!all_zero(asked, m_)) {
                    add_entry(p, parameters, asked, h, j, k, J);
                }
            }
        }
    }
    if (direct_features_ >= 0) {
        for (Index a = 0; a < o_; ++a) {
            std::copy_n(features + direct_features_, m_, J.row(a) + heads() * head_size() + a * m_);
        }
    }
    return J;
}

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

std::string family_in_words(const LocalDetermination& found) {
    const std::string heads = plural(found.heads, "head");
    return found.sizes
               ? formatted("{} of sizes {} and {}", heads, found.sizes->key, found.sizes->value)
               : heads;
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

namespace {

HeadJacobian jacobian_of(const Model& model, const LayerHeads& heads) {
    std::vector<Index> kernels;
    for (const LayerHead& head : heads.heads) {
        kernels.push_back(head.kernel);
    }
    return {model.layer,
            model.layer.is_linear() ? LayerInput{.d = model.d} : model.input,
            model.o,
            std::move(kernels)};
}

/// Sizes of the model's heads, where some are below full.
std::optional<HeadSizes> ranks_below_full(const HeadJacobian& jacobian, const LayerHeads& heads) {
    const HeadSizes full = jacobian.products({}).sizes();
    const HeadSizes found = numerical_sizes(heads);
    return found.key < full.key || found.value < full.value ? std::optional(found) : std::nullopt;
}

/// What the answer says of sizes; the factors of the heads where these are products, else nothing.
std::vector<double> note_sizes(LocalDetermination& found,
                               const HeadJacobian& jacobian,
                               const LayerHeads& heads,
                               HeadSizes sizes) {
    if (sizes.is_full()) {
        found.ranks = ranks_below_full(jacobian, heads);
        return {};
    }
    const HeadProducts products = jacobian.products(sizes);
    FactoredHeads factored = products.factored(heads);
    found.sizes = products.sizes();
    found.rounded_by = factored.rounded_by;
    return std::move(factored.factors);
}

std::vector<Residue> residues_of(const Modulus& p, const std::vector<double>& values) {
    std::vector<Residue> found;
    found.reserve(values.size());
    for (const double value : values) {
        found.push_back(p.reduce(value));
    }
    return found;
}

}  // namespace

std::optional<HeadSizes> sizes_below_full(const Model& model) {
    const LayerHeads heads = heads_of(model);
    return ranks_below_full(jacobian_of(model, heads), heads);
}

Index family_parameters(const Model& model, HeadSizes sizes) {
    const HeadJacobian jacobian = jacobian_of(model, heads_of(model));
    return sizes.is_full() ? jacobian.num_parameters() : jacobian.products(sizes).num_factors();
}

LocalDetermination local_determination(const Dataset& data,
                                       const ExactRank& rank,
                                       const Model& model,
                                       HeadSizes sizes) {
    const LayerHeads heads = heads_of(model);
    check_model(data, model, heads);
    const HeadJacobian jacobian = jacobian_of(model, heads);
    const Family family(jacobian, sizes);
    const Index psi = rank.psi;
    const Index independent = rank.profile.rank();
    const auto columns =
        static_cast<double>(std::max(jacobian.num_parameters(), family.num_parameters()));
    require_memory(8.0 * (static_cast<double>(independent) * static_cast<double>(psi) +
                          columns * columns * (3.0 + static_cast<double>(model.o))),
                   "the derivatives of the heads",
                   "ask about fewer heads");
    const FeatureRows features(data);
    const IntegerParameters parameters = integer_parameters(jacobian, heads);
    const std::optional<IntegerNullSpace> known = identities_of(data);
    const IntegerNullSpace identities = known.value_or(IntegerNullSpace{});

    LocalDetermination found;
    found.heads = jacobian.heads();
    const std::vector<double> factors = note_sizes(found, jacobian, heads, sizes);
    found.parameters = family.num_parameters();
    Index elsewhere = 0;
    // Large primes: the profile's may be small, and then random points be special ones.
    Modulus p = features.usable_modulus();
    for (Index primes = 0; primes < kPrimes;
         p = features.usable_modulus(previous_prime(p.prime()))) {
        const ModularMatrix H = select_rows(p, features, rank.profile.pivot_rows);
        if (attest::rank(p, H) < independent) {
            continue;  // modulo this prime the data say less
        }
        const FeatureTable on_data = [&H](Index i) { return H.row(i); };
        const std::vector<Residue> at_model =
            sizes.is_full() ? residues(p, parameters) : residues_of(p, factors);
        found.at_model =
            std::max(found.at_model, family.rank_of_function(p, at_model, identities, psi));
        found.rank = std::max(found.rank, family.rank_on(p, at_model, independent, on_data));
        found.dimension = std::max(found.dimension, found.at_model);
        elsewhere = std::max(elsewhere, found.rank);
        for (Index draw = 0; draw < kRandomPoints && primes == 0; ++draw) {
            const std::vector<Residue> at = random_residues(p, found.parameters, draw);
            found.dimension =
                std::max(found.dimension, family.rank_of_function(p, at, identities, psi));
            elsewhere = std::max(elsewhere, family.rank_on(p, at, independent, on_data));
        }
        ++primes;
        if (found.rank == found.dimension) {
            break;
        }
    }
    found.examples = (found.dimension + model.o - 1) / model.o;
    found.verdict = decide(found, rank, elsewhere, known.has_value());
    if (found.verdict == LocalVerdict::not_determined && sizes.is_full()) {
        found.direction =
            changing_direction(jacobian, parameters, features, identities, rank.profile.pivot_rows);
    }
    return found;
}

}  // namespace attest
