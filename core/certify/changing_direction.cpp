#include "core/certify/changing_direction.hpp"

#include "core/certify/rank/structural_rank.hpp"
#include "core/exact/modulus.hpp"
#include "core/exact/null_space.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// The Jacobian at the model on independent examples, for lifting: o rows an example.
class JacobianRows final : public IntegerRows {
public:
    JacobianRows(const HeadJacobian& jacobian,
                 const IntegerParameters& parameters,
                 const FeatureRows& features,
                 std::vector<Index> examples)
        : jacobian_(jacobian),
          parameters_(parameters),
          features_(features),
          examples_(std::move(examples)) {
        std::sort(examples_.begin(), examples_.end());
    }

    [[nodiscard]] Index num_columns() const override { return jacobian_.num_parameters(); }

    [[nodiscard]] Index num_blocks() const override { return 1; }

    [[nodiscard]] Index first_row(Index b) const override {
        return b * jacobian_.outputs() * std::ssize(examples_);
    }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index /*b*/) const override {
        const ModularMatrix H = select_rows(p, features_, examples_);
        const std::vector<Residue> at = residues(p, parameters_);
        ModularMatrix J(first_row(1), num_columns());
        for (Index i = 0; i < H.rows(); ++i) {
            const ModularMatrix rows = jacobian_.rows(p, at, H.row(i));
            std::copy_n(rows.row(0), rows.rows() * rows.cols(), J.row(i * rows.rows()));
        }
        return J;
    }

    [[nodiscard]] Index entry_bits() const override {
        const auto terms = static_cast<double>(features_.num_columns());
        return features_.entry_bits() + parameters_.bits + static_cast<Index>(std::log2(terms)) + 1;
    }

private:
    const HeadJacobian& jacobian_;
    const IntegerParameters& parameters_;
    const FeatureRows& features_;
    std::vector<Index> examples_;
};

/// Σ_a c_a ∂(output a) at the model, on random features of inputs: it vanishes along every
/// direction that leaves the function as it is.
ModularMatrix random_change(const HeadJacobian& jacobian,
                            const Modulus& p,
                            const std::vector<Residue>& at_model,
                            const IntegerNullSpace& identities,
                            Index psi) {
    std::vector<Residue> features = random_residues(p, psi, 0);
    put_into_span(p, identities, features);
    const std::vector<Residue> weights = random_residues(p, jacobian.outputs(), 1);
    ModularMatrix weight(1, jacobian.outputs());
    std::copy(weights.begin(), weights.end(), weight.row(0));
    return transpose(multiply(p, weight, jacobian.rows(p, at_model, features.data())));
}

/// A null vector of the derivatives by integer parameters as one of those by the model's, its
/// largest entry 1 in size.
std::vector<double> direction_at_model(const IntegerVector& v, Index of_heads, int low) {
    std::vector<Rational> entries;
    Rational largest = 0;
    for (Index i = 0; i < v.size(); ++i) {
        entries.push_back(i < of_heads ? Rational(v(i) * power_of_two(-low)) : Rational(v(i)));
        largest = std::max<Rational>(largest, abs(entries.back()));
    }
    std::vector<double> values;
    values.reserve(entries.size());
    for (const Rational& entry : entries) {
        values.push_back(Rational(entry / largest).convert_to<double>());
    }
    return values;
}

}  // namespace

IntegerParameters integer_parameters(const HeadJacobian& jacobian, const LayerHeads& heads) {
    const std::vector<double> entries = jacobian.flatten(heads);
    DyadicRange range;
    for (const double entry : entries) {
        range.include(entry);
    }
    IntegerParameters found;
    found.low = range.is_zero() ? 0 : range.low;
    found.bits = range.bits();
    for (const double entry : entries) {
        Dyadic value = dyadic(entry);
        value.exponent -= value.mantissa == 0 ? 0 : found.low;
        found.values.push_back(value);
    }
    return found;
}

std::vector<Residue> residues(const Modulus& p, const IntegerParameters& parameters) {
    std::vector<Residue> values;
    values.reserve(parameters.values.size());
    for (const Dyadic& value : parameters.values) {
        values.push_back(p.reduce(value));
    }
    return values;
}

std::vector<Residue> random_residues(const Modulus& p, Index count, Index draw) {
    std::vector<Residue> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t number = (static_cast<std::uint64_t>(draw) << 32U) + i + 1;
        values[i] = split_mix(number) % p.prime();
    }
    return values;
}

std::optional<IntegerNullSpace> identities_of(const Dataset& data) {
    const Layer& layer = data.layer;
    const LayerInput input = data.layer_input();
    if (layer.is_linear()) {
        return IntegerNullSpace{};
    }
    std::optional<StructuralRank> found = structural_rank_of_all(layer, input, input_kinds(data));
    if (found && found->is_exact) {
        return std::move(found->identities);
    }
    // A combination that vanishes on every input vanishes on a few.
    found = structural_rank(layer, input, {{1, 0}, {2, 1}, {3, 2}, {4, 3}});
    return found && found->rank == found->psi ? std::optional(IntegerNullSpace{}) : std::nullopt;
}

void put_into_span(const Modulus& p,
                   const IntegerNullSpace& identities,
                   std::vector<Residue>& row) {
    for (std::size_t k = 0; k < identities.vectors.size(); ++k) {
        const IntegerVector& v = identities.vectors[k];
        const Index free = identities.free_columns[k];
        Residue sum = 0;
        for (Index j = 0; j < v.size(); ++j) {
            const Residue entry = row[static_cast<std::size_t>(j)];
            if (j != free && entry != 0) {
                sum = p.add(sum, p.multiply(p.reduce(v(j)), entry));
            }
        }
        row[static_cast<std::size_t>(free)] =
            p.multiply(p.negate(sum), p.inverse(p.reduce(v(free))));
    }
}

std::optional<LayerHeads> changing_direction(const HeadJacobian& jacobian,
                                             const IntegerParameters& model,
                                             const FeatureRows& features,
                                             const IntegerNullSpace& identities,
                                             const std::vector<Index>& examples) {
    const JacobianRows rows(jacobian, model, features, examples);
    const Modulus p;
    ModularRowBasis basis(p, rows.num_columns());
    const ModularMatrix block = rows.block(p, 0);
    basis.append(block, ModularMatrix(block.rows(), 0));
    basis.flush();
    const ModularMatrix changes = multiply(
        p,
        basis.null_basis(),
        random_change(jacobian, p, residues(p, model), identities, features.num_columns()));
    const RankProfile profile{p.prime(), basis.pivot_rows(), basis.pivots()};
    std::vector<Index> pivots = basis.pivots();
    std::sort(pivots.begin(), pivots.end());
    const std::vector<Index> free = other_columns(pivots, rows.num_columns());
    for (Index i = 0; i < changes.rows(); ++i) {
        if (changes(i, 0) == 0) {
            continue;
        }
        const IntegerNullSpace lifted = lift_null_space(
            rows, profile, {free[static_cast<std::size_t>(i)]}, {kDirectionSeconds});
        if (lifted.vectors.empty()) {
            return std::nullopt;
        }
        return jacobian.unflatten(direction_at_model(
            lifted.vectors.front(), jacobian.heads() * jacobian.head_size(), model.low));
    }
    return std::nullopt;
}

}  // namespace attest
