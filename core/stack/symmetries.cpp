#include "core/stack/symmetries.hpp"

#include "core/base/bitwise.hpp"
#include "core/stack/forward.hpp"
#include "core/stack/residue_matrix.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace attest {

namespace {

struct KindWords {
    SymmetryKind kind;
    std::string_view name;
    std::string_view words;
};

constexpr std::array<KindWords, 12> kKinds{
    {{SymmetryKind::query_key_basis, "query_key_basis", "basis of queries and keys"},
     {SymmetryKind::value_output_basis, "value_output_basis", "basis of values and outputs"},
     {SymmetryKind::query_output_mix,
      "query_output_mix",
      "scale of queries against outputs, mixed within a group"},
     {SymmetryKind::head_mix, "head_mix", "heads of full size mixed with each other"},
     {SymmetryKind::between_layers, "between_layers", "basis between two layers"},
     {SymmetryKind::norm_rotation, "norm_rotation", "rotation or scale in front of a norm"},
     {SymmetryKind::norm_gain, "norm_gain", "gain of a norm against what reads it"},
     {SymmetryKind::key_bias, "key_bias", "bias of keys, which softmax does not see"},
     {SymmetryKind::value_bias, "value_bias", "bias of values against that of outputs"},
     {SymmetryKind::constant_shift,
      "constant_shift",
      "constant handed on and taken out by the next biases"},
     {SymmetryKind::shift_into_mlp,
      "shift_into_mlp",
      "constant that the next queries do not see, taken out by the MLP"},
     {SymmetryKind::neuron_scale, "neuron_scale", "scale of a neuron"}}};

const KindWords& words_of(SymmetryKind kind) {
    for (const KindWords& each : kKinds) {
        if (each.kind == kind) {
            return each;
        }
    }
    throw BrokenInvariant("words_of: a symmetry has no name");
}

/// Collects the fields of a stack at a point.
template <class R>
class FieldWriter {
public:
    FieldWriter(const StackShape& shape, const std::vector<R>& parameters)
        : shape_(shape), layout_(layout_of(shape)), parameters_(parameters) {}

    std::vector<Symmetry<R>> all() {
        for (std::size_t s = 0; s < layout_.sublayers.size(); ++s) {
            within(layout_.sublayers[s]);
            if (s + 1 < layout_.sublayers.size()) {
                between(layout_.sublayers[s], layout_.sublayers[s + 1]);
            }
            if (s + 2 < layout_.sublayers.size()) {
                shift_into_mlp(
                    layout_.sublayers[s], layout_.sublayers[s + 1], layout_.sublayers[s + 2]);
            }
        }
        return std::move(found_);
    }

private:
    using Field = VectorOf<R>;

    [[nodiscard]] const StackLayer& layer_of(const Sublayer& sublayer) const {
        return shape_.layers[static_cast<std::size_t>(sublayer.layer)];
    }

    [[nodiscard]] MatrixOf<R> at(const Slot& slot) const {
        return view_of(slot, parameters_.data());
    }

    [[nodiscard]] Field nothing() const { return Field::Constant(layout_.num_parameters, R(0)); }

    /// Adds a matrix to the part of a field that stands at a slot; nothing where the slot is not
    /// there.
    static void add(Field& field, const Slot& slot, const MatrixOf<R>& A) {
        for (Index i = 0; i < slot.rows; ++i) {
            for (Index j = 0; j < slot.cols; ++j) {
                field(slot.at(i, j)) += A(i, j);
            }
        }
    }

    /// S·(the matrix at the slot), and (the matrix)·S, with a sign.
    void add_left(Field& field, const Slot& slot, const MatrixOf<R>& S) const {
        if (slot.size() > 0) {
            add(field, slot, S.lazyProduct(at(slot)));
        }
    }

    void add_right(Field& field, const Slot& slot, const MatrixOf<R>& S) const {
        if (slot.size() > 0) {
            add(field, slot, at(slot).lazyProduct(S));
        }
    }

    void keep(SymmetryKind kind, const Sublayer& sublayer, const std::vector<Field>& fields) {
        if (fields.empty()) {
            return;
        }
        Symmetry<R> found{kind,
                          sublayer.layer,
                          zeros<R>(static_cast<Index>(fields.size()), layout_.num_parameters)};
        for (std::size_t i = 0; i < fields.size(); ++i) {
            found.fields.row(static_cast<Index>(i)) = fields[i].transpose();
        }
        found_.push_back(std::move(found));
    }

    /// E_ij of size n, times a factor.
    [[nodiscard]] static MatrixOf<R> unit(Index n, Index i, Index j, R factor = R(1)) {
        MatrixOf<R> E = zeros<R>(n, n);
        E(i, j) = factor;
        return E;
    }

    [[nodiscard]] static std::vector<MatrixOf<R>> units(Index n) {
        std::vector<MatrixOf<R>> all;
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                all.push_back(unit(n, i, j));
            }
        }
        return all;
    }

    /// What commutes with every rotation of a rotary layer: a complex number for each pair.
    [[nodiscard]] static std::vector<MatrixOf<R>> complex_units(Index n) {
        std::vector<MatrixOf<R>> all;
        for (Index k = 0; k < n; k += 2) {
            all.push_back(unit(n, k, k) + unit(n, k + 1, k + 1));
            all.push_back(unit(n, k + 1, k) + unit(n, k, k + 1, R(-1)));
        }
        return all;
    }

    void within(const Sublayer& sublayer) {
        if (sublayer.is_attention()) {
            bases(sublayer);
            mixes(sublayer);
            softmax_biases(sublayer);
        }
        gains(sublayer);
        neurons(sublayer);
    }

    void bases(const Sublayer& sublayer) {
        const StackLayer& layer = layer_of(sublayer);
        std::vector<Field> query_key;
        std::vector<Field> value_output;
        const std::vector<MatrixOf<R>> of_keys =
            layer.rotary ? complex_units(layer.key_size) : units(layer.key_size);
        for (const GroupSlots& group : sublayer.groups) {
            for (const MatrixOf<R>& S : of_keys) {
                Field field = nothing();
                const MatrixOf<R> minus_transposed = -S.transpose();
                add_left(field, group.K, minus_transposed);
                add_left(field, group.key_bias, minus_transposed);
                for (const HeadSlots& head : group.heads) {
                    add_left(field, head.Q, S);
                    add_left(field, head.query_bias, S);
                }
                query_key.push_back(std::move(field));
            }
            for (const MatrixOf<R>& S : units(layer.value_size)) {
                Field field = nothing();
                add_left(field, group.V, S);
                add_left(field, group.value_bias, S);
                for (const HeadSlots& head : group.heads) {
                    add_right(field, head.O, -S);
                }
                value_output.push_back(std::move(field));
            }
        }
        keep(SymmetryKind::query_key_basis, sublayer, query_key);
        keep(SymmetryKind::value_output_basis, sublayer, value_output);
    }

    /// δQ_h = Σ_k μ_hk Q_k, δO_h = −Σ_k μ_kh O_k within a group: Σ_h O_h ⊗ Q_h stays. Heads of
    /// different decays do not mix.
    void mixes(const Sublayer& sublayer) {
        const StackLayer& layer = layer_of(sublayer);
        if (layer.score != StackScore::linear) {
            return;
        }
        std::vector<Field> fields;
        for (const GroupSlots& group : sublayer.groups) {
            for (std::size_t h = 0; h < group.heads.size(); ++h) {
                for (std::size_t k = 0; k < group.heads.size(); ++k) {
                    if (h != k && layer.decay != StackDecay::none) {
                        continue;
                    }
                    Field field = nothing();
                    add(field, group.heads[h].Q, at(group.heads[k].Q));
                    if (layer.query_bias) {
                        add(field, group.heads[h].query_bias, at(group.heads[k].query_bias));
                    }
                    add(field, group.heads[k].O, -at(group.heads[h].O));
                    fields.push_back(std::move(field));
                }
            }
        }
        keep(SymmetryKind::query_output_mix, sublayer, fields);
        head_mixes(sublayer);
    }

    /// A_h = K_hᵀQ_h and P_h = O_hV_h of full size: δA_h = A_k by δQ_h = K_h⁻ᵀA_k, and
    /// δP_k = −P_h by δO_k = −P_hV_k⁻¹.
    void head_mixes(const Sublayer& sublayer) {
        const StackLayer& layer = layer_of(sublayer);
        const bool plain = layer.decay == StackDecay::none && !layer.rotary && !layer.query_bias &&
                           !layer.key_bias && !layer.value_bias;
        if (!plain || layer.groups != layer.heads || layer.key_size != shape_.d ||
            layer.value_size != shape_.d) {
            return;
        }
        std::vector<Field> fields;
        for (const GroupSlots& to : sublayer.groups) {
            for (const GroupSlots& from : sublayer.groups) {
                if (&to == &from) {
                    continue;
                }
                const MatrixOf<R> A = at(from.K).transpose().lazyProduct(at(from.heads[0].Q));
                const MatrixOf<R> P = at(to.heads[0].O).lazyProduct(at(to.V));
                const std::optional<MatrixOf<R>> query =
                    solved<R>(MatrixOf<R>(at(to.K).transpose()), A);
                const std::optional<MatrixOf<R>> output =
                    solved<R>(MatrixOf<R>(at(from.V).transpose()), MatrixOf<R>(P.transpose()));
                if (query && output) {
                    Field field = nothing();
                    add(field, to.heads[0].Q, *query);
                    add(field, from.heads[0].O, -output->transpose());
                    fields.push_back(std::move(field));
                }
            }
        }
        keep(SymmetryKind::head_mix, sublayer, fields);
    }

    void softmax_biases(const Sublayer& sublayer) {
        const StackLayer& layer = layer_of(sublayer);
        if (layer.score != StackScore::softmax) {
            return;
        }
        std::vector<Field> keys;
        std::vector<Field> values;
        for (const GroupSlots& group : sublayer.groups) {
            for (Index i = 0; !layer.rotary && i < group.key_bias.size(); ++i) {
                Field field = nothing();
                field(group.key_bias.first + i) = R(1);
                keys.push_back(std::move(field));
            }
            for (Index i = 0; layer.output_bias && i < group.value_bias.size(); ++i) {
                Field field = nothing();
                field(group.value_bias.first + i) = R(1);
                for (const HeadSlots& head : group.heads) {
                    add(field, sublayer.output_bias, -at(head.O).col(i));
                }
                values.push_back(std::move(field));
            }
        }
        keep(SymmetryKind::key_bias, sublayer, keys);
        keep(SymmetryKind::value_bias, sublayer, values);
    }

    /// Adds (what reads the input)·S.
    void add_to_inputs(Field& field, const Sublayer& sublayer, const MatrixOf<R>& S) const {
        for (const GroupSlots& group : sublayer.groups) {
            add_right(field, group.K, S);
            add_right(field, group.V, S);
            for (const HeadSlots& head : group.heads) {
                add_right(field, head.Q, S);
            }
        }
        add_right(field, sublayer.mlp.W1, S);
    }

    /// Adds S·(what puts out).
    void add_to_outputs(Field& field, const Sublayer& sublayer, const MatrixOf<R>& S) const {
        for (const GroupSlots& group : sublayer.groups) {
            for (const HeadSlots& head : group.heads) {
                add_left(field, head.O, S);
            }
        }
        add_left(field, sublayer.output_bias, S);
        add_left(field, sublayer.mlp.W2, S);
        add_left(field, sublayer.mlp.b2, S);
    }

    void gains(const Sublayer& sublayer) {
        if (!sublayer.is_attention() && !sublayer.is_mlp()) {
            return;  // what a final gain scales is the output itself
        }
        std::vector<Field> fields;
        for (Index i = 0; i < sublayer.gain.size(); ++i) {
            Field field = nothing();
            field(sublayer.gain.first + i) = at(sublayer.gain)(i, 0);
            add_to_inputs(field, sublayer, unit(shape_.d, i, i, R(-1)));
            fields.push_back(std::move(field));
        }
        keep(SymmetryKind::norm_gain, sublayer, fields);
    }

    /// Row i of W₁ and b₁ against column i of W₂: σ(sx) = s^k σ(x), k the degree; relu for s > 0.
    void neurons(const Sublayer& sublayer) {
        if (!sublayer.is_mlp() || layer_of(sublayer).activation == Activation::gelu) {
            return;
        }
        const Activation activation = layer_of(sublayer).activation;
        const R degree(activation == Activation::square ? 2
                       : activation == Activation::cube ? 3
                                                        : 1);
        const MlpSlots& mlp = sublayer.mlp;
        std::vector<Field> fields;
        for (Index i = 0; i < mlp.W1.rows; ++i) {
            Field field = nothing();
            const MatrixOf<R> E = unit(mlp.W1.rows, i, i);
            add_left(field, mlp.W1, E);
            add_left(field, mlp.b1, E);
            add_right(field, mlp.W2, unit(mlp.W1.rows, i, i, -degree));
            fields.push_back(std::move(field));
        }
        keep(SymmetryKind::neuron_scale, sublayer, fields);
    }

    void between(const Sublayer& first, const Sublayer& second) {
        if (!first.residual && !second.residual) {
            second.norm == StackNorm::none ? basis_between(first, second)
                                           : rotation_between(first, second);
        }
        if (second.norm == StackNorm::none) {
            shift_between(first, second);
        }
    }

    void basis_between(const Sublayer& first, const Sublayer& second) {
        std::vector<Field> fields;
        for (const MatrixOf<R>& S : units(shape_.d)) {
            Field field = nothing();
            add_to_outputs(field, first, S);
            add_to_inputs(field, second, -S);
            fields.push_back(std::move(field));
        }
        keep(SymmetryKind::between_layers, first, fields);
    }

    /// The norm of Rx is R times that of x; the gain g stands between, so that what reads it takes
    /// −diag(g) A diag(g)⁻¹.
    void rotation_between(const Sublayer& first, const Sublayer& second) {
        std::vector<Field> fields;
        const auto gain = [&](Index i) {
            return second.gain.size() > 0 ? at(second.gain)(i, 0) : R(1);
        };
        const bool reads = second.is_attention() || second.is_mlp();
        for (Index i = 0; reads && i < shape_.d; ++i) {
            for (Index j = i + 1; j < shape_.d; ++j) {
                Field field = nothing();
                add_to_outputs(field, first, unit(shape_.d, i, j) + unit(shape_.d, j, i, R(-1)));
                add_to_inputs(field,
                              second,
                              unit(shape_.d, i, j, -gain(i) / gain(j)) +
                                  unit(shape_.d, j, i, gain(j) / gain(i)));
                fields.push_back(std::move(field));
            }
        }
        if (is_zero(second.epsilon)) {
            Field field = nothing();
            MatrixOf<R> identity = zeros<R>(shape_.d, shape_.d);
            identity.diagonal().setConstant(R(1));
            add_to_outputs(field, first, identity);
            fields.push_back(std::move(field));
        }
        keep(SymmetryKind::norm_rotation, first, fields);
    }

    /// The bias that a sublayer adds to its output, or nothing.
    [[nodiscard]] static const Slot& last_bias(const Sublayer& sublayer) {
        return sublayer.is_mlp() ? sublayer.mlp.b2 : sublayer.output_bias;
    }

    /// δb = c in `first`; what reads x + c in `second` takes it out by its biases, and where a
    /// residual connection passes it on, the output bias does.
    void shift_between(const Sublayer& first, const Sublayer& second) {
        const bool takes_out = second.is_mlp()
                                   ? second.mlp.b1.size() > 0
                                   : second.is_attention() && layer_of(second).query_bias &&
                                         layer_of(second).key_bias && layer_of(second).value_bias;
        if (last_bias(first).size() == 0 || !takes_out ||
            (second.residual && last_bias(second).size() == 0)) {
            return;
        }
        std::vector<Field> fields;
        for (Index i = 0; i < shape_.d; ++i) {
            Field field = nothing();
            field(last_bias(first).first + i) += R(1);
            const auto subtract_column = [&](const Slot& bias, const Slot& W) {
                add(field, bias, -at(W).col(i));
            };
            for (const GroupSlots& group : second.groups) {
                subtract_column(group.key_bias, group.K);
                subtract_column(group.value_bias, group.V);
                for (const HeadSlots& head : group.heads) {
                    subtract_column(head.query_bias, head.Q);
                }
            }
            if (second.is_mlp()) {
                subtract_column(second.mlp.b1, second.mlp.W1);
            }
            if (second.residual) {
                field(last_bias(second).first + i) -= R(1);
            }
            fields.push_back(std::move(field));
        }
        keep(SymmetryKind::constant_shift, first, fields);
    }

    /// δb = c in `first` with Q_hc = 0 for every head of the softmax layer `attention`: its scores
    /// do not change, its output by c' = [c +] Σ O V c, which the biases of the MLP `last` take
    /// out.
    void shift_into_mlp(const Sublayer& first, const Sublayer& attention, const Sublayer& last) {
        if (last_bias(first).size() == 0 || !attention.is_attention() || !last.is_mlp() ||
            attention.norm != StackNorm::none || last.norm != StackNorm::none ||
            layer_of(attention).score != StackScore::softmax || layer_of(attention).rotary ||
            last.mlp.b1.size() == 0) {
            return;
        }
        std::vector<Slot> queries;
        Index rows = 0;
        for (const GroupSlots& group : attention.groups) {
            for (const HeadSlots& head : group.heads) {
                queries.push_back(head.Q);
                rows += head.Q.rows;
            }
        }
        MatrixOf<R> all = zeros<R>(rows, shape_.d);
        rows = 0;
        for (const Slot& Q : queries) {
            all.middleRows(rows, Q.rows) = at(Q);
            rows += Q.rows;
        }
        const MatrixOf<R> unseen = null_rows<R>(all);
        if (unseen.rows() > std::max(Index{0}, shape_.d - all.rows())) {
            return;  // queries of a special point: more is unseen there than at almost all points
        }
        std::vector<Field> fields;
        for (Index k = 0; k < unseen.rows(); ++k) {
            const MatrixOf<R> c = unseen.row(k).transpose();
            MatrixOf<R> change = attention.residual ? c : zeros<R>(shape_.d, 1);
            for (const GroupSlots& group : attention.groups) {
                const MatrixOf<R> value = at(group.V).lazyProduct(c);
                for (const HeadSlots& head : group.heads) {
                    change += at(head.O).lazyProduct(value);
                }
            }
            Field field = nothing();
            add(field, last_bias(first), c);
            add(field, last.mlp.b1, -at(last.mlp.W1).lazyProduct(change));
            if (last.residual) {
                add(field, last.mlp.b2, -change);
            }
            fields.push_back(std::move(field));
        }
        keep(SymmetryKind::shift_into_mlp, first, fields);
    }

    const StackShape& shape_;
    StackLayout layout_;
    const std::vector<R>& parameters_;
    std::vector<Symmetry<R>> found_;
};

}  // namespace

std::string_view to_string(SymmetryKind kind) {
    return words_of(kind).name;
}

std::string_view in_words(SymmetryKind kind) {
    return words_of(kind).words;
}

template <class Residue>
std::vector<Symmetry<Residue>> symmetries(const StackShape& shape,
                                          const std::vector<Residue>& parameters) {
    return FieldWriter<Residue>(shape, parameters).all();
}

template <class Residue>
SymmetryRank symmetry_rank(const StackShape& shape, const std::vector<Residue>& parameters) {
    SymmetryRank found;
    ModularRowBasis basis(modulus_of<Residue>(), static_cast<Index>(parameters.size()));
    for (const Symmetry<Residue>& each : symmetries(shape, parameters)) {
        const Index before = basis.rank();
        basis.append(modular(each.fields), ModularMatrix(each.fields.rows(), 0));
        basis.flush();
        found.lost.push_back({each.kind, each.layer, basis.rank() - before});
    }
    found.rows = basis.pivot_rows();
    found.columns = basis.pivots();
    return found;
}

template SymmetryRank symmetry_rank(const StackShape&,
                                    const std::vector<ResidueNumber<kStackPrime>>&);
template SymmetryRank symmetry_rank(const StackShape&, const std::vector<PowerNumber::Image>&);
template std::vector<Symmetry<ResidueNumber<kStackPrime>>> symmetries(
    const StackShape&, const std::vector<ResidueNumber<kStackPrime>>&);
template std::vector<Symmetry<PowerNumber::Image>> symmetries(
    const StackShape&, const std::vector<PowerNumber::Image>&);

}  // namespace attest
