#include "proofs_check/checker/stack.hpp"

#include "proofs_check/checker/exact_matrix.hpp"
#include "proofs_check/checker/image.hpp"
#include "proofs_check/checker/parse.hpp"

#include <algorithm>
#include <optional>

namespace attest::checker {
namespace {
using List = std::vector<Index>;

/// Of the derivative, and of the fields.
constexpr Index kEntries = Index{1} << 26;

struct Layer {
    bool softmax = false;
    Index heads = 0, groups = 0, key = 0, value = 0;
    bool residual = false, causal = false, rotary = false;
    bool decay_fixed = false, decay_learned = false;
    bool bias_q = false, bias_k = false, bias_v = false, bias_o = false, bias_m = false;
    Index degree = 0;  ///< of the MLP; 0: none
    Index width = 0;

    [[nodiscard]] bool decays() const { return decay_fixed || decay_learned; }
};

struct Stack {
    Index d = 0, tokens = 0;
    bool last = false;
    std::vector<Layer> layers;

    [[nodiscard]] Index outputs() const { return last ? d : d * tokens; }
};

/// A matrix of parameters, row after row, or a bias of one column.
struct Block {
    Index first = 0, rows = 0, columns = 0;

    [[nodiscard]] Index at(Index i, Index j) const { return first + i * columns + j; }

    [[nodiscard]] bool there() const { return rows > 0; }
};

struct Head {
    Block Q, O, b, gamma;
};

struct Group {
    Block K, V, key_bias, value_bias;
    std::vector<Head> heads;
};

/// The attention of a layer, or its MLP.
struct Sublayer {
    const Layer* layer = nullptr;
    std::vector<Group> groups;
    Block bias;  ///< of the output: b_O or b₂
    Block W1, b1, W2;

    [[nodiscard]] bool attention() const { return !groups.empty(); }
};

/// FORMAT.md §8, "Parameters".
struct Layout {
    std::vector<Sublayer> sublayers;
    Index count = 0;

    explicit Layout(const Stack& stack) {
        for (const Layer& layer : stack.layers) {
            sublayers.push_back(attention(layer, stack.d));
            if (layer.degree > 0) {
                sublayers.push_back(mlp(layer, stack.d));
            }
        }
    }

private:
    Block next(Index rows, Index columns = 1) {
        const Block block{count, rows, columns};
        count += rows * columns;
        return block;
    }

    Sublayer attention(const Layer& layer, Index d) {
        Sublayer sublayer;
        sublayer.layer = &layer;
        for (Index g = 0; g < layer.groups; ++g) {
            Group group;
            group.K = next(layer.key, d);
            group.V = next(layer.value, d);
            group.key_bias = next(layer.bias_k ? layer.key : 0);
            group.value_bias = next(layer.bias_v ? layer.value : 0);
            for (Index h = 0; h < layer.heads / layer.groups; ++h) {
                Head head;
                head.Q = next(layer.key, d);
                head.O = next(d, layer.value);
                head.b = next(layer.bias_q ? layer.key : 0);
                head.gamma = next(layer.decay_learned ? 1 : 0);
                group.heads.push_back(head);
            }
            sublayer.groups.push_back(group);
        }
        sublayer.bias = next(layer.bias_o ? d : 0);
        return sublayer;
    }

    Sublayer mlp(const Layer& layer, Index d) {
        Sublayer sublayer;
        sublayer.layer = &layer;
        sublayer.W1 = next(layer.width, d);
        sublayer.b1 = next(layer.bias_m ? layer.width : 0);
        sublayer.W2 = next(d, layer.width);
        sublayer.bias = next(layer.bias_m ? d : 0);
        return sublayer;
    }
};

/// A matrix of images.
struct Images {
    Index rows = 0, columns = 0;
    std::vector<Image> entries;

    Images(Index r, Index c) : rows(r), columns(c), entries(r * c) {}

    Image& operator()(Index i, Index j) { return entries[i * columns + j]; }

    const Image& operator()(Index i, Index j) const { return entries[i * columns + j]; }
};

/// The function of FORMAT.md §8, "Function", with its derivatives.
struct Evaluation {
    const Stack& stack;
    const Layout& layout;
    const Moduli& m;
    const std::vector<Image>& theta;
    const std::vector<std::vector<Image>>& constants;  ///< of each layer

    void add(Image& to, const Image& more) const { to = sum(to, more, m); }

    void add(Images& to, const Images& more) const {
        for (std::size_t k = 0; k < to.entries.size(); ++k) {
            add(to.entries[k], more.entries[k]);
        }
    }

    [[nodiscard]] Images times(const Block& A, const Images& X) const {
        Images Y(A.rows, X.columns);
        for (Index i = 0; i < A.rows; ++i) {
            for (Index j = 0; j < X.columns; ++j) {
                for (Index k = 0; k < A.columns; ++k) {
                    add(Y(i, j), product(theta[A.at(i, k)], X(k, j), m));
                }
            }
        }
        return Y;
    }

    void add_bias(Images& X, const Block& b) const {
        for (Index i = 0; i < b.rows; ++i) {
            for (Index j = 0; j < X.columns; ++j) {
                add(X(i, j), theta[b.at(i, 0)]);
            }
        }
    }

    /// R^{i−1} of column i.
    void rotate(Images& X, const Layer& layer, const std::vector<Image>& of_layer) const {
        const Index first = layer.decay_fixed ? layer.heads : 0;
        const Image one = image_of(1, m);
        for (Index pair = 0; pair < X.rows / 2; ++pair) {
            const Image& x = of_layer[first + pair];
            const Image square = product(x, x, m);
            const Image c = quotient(difference(one, square, m), sum(one, square, m), m);
            const Image s = quotient(sum(x, x, m), sum(one, square, m), m);
            Image cosine = one;
            Image sine = image_of(0, m);
            for (Index i = 0; i < X.columns; ++i) {
                const Image a = X(2 * pair, i);
                const Image b = X(2 * pair + 1, i);
                X(2 * pair, i) = difference(product(cosine, a, m), product(sine, b, m), m);
                X(2 * pair + 1, i) = sum(product(sine, a, m), product(cosine, b, m), m);
                const Image next = difference(product(cosine, c, m), product(sine, s, m), m);
                sine = sum(product(sine, c, m), product(cosine, s, m), m);
                cosine = next;
            }
        }
    }

    [[nodiscard]] Images keys(const Block& A,
                              const Block& b,
                              const Images& X,
                              const Layer& layer,
                              const std::vector<Image>& of_layer) const {
        Images Y = times(A, X);
        add_bias(Y, b);
        if (layer.rotary) {
            rotate(Y, layer, of_layer);
        }
        return Y;
    }

    /// w_ij from s_ij, of query j.
    void weigh(Images& S, Index j, const Layer& layer, const Image& gamma) const {
        const bool masked = layer.causal || layer.decays();
        const Index seen = masked ? j + 1 : S.rows;
        for (Index i = seen; i < S.rows; ++i) {
            S(i, j) = image_of(0, m);
        }
        if (layer.softmax) {
            Image total = image_of(0, m);
            for (Index i = 0; i < seen; ++i) {
                S(i, j) = power_of_two(S(i, j), m);
                add(total, S(i, j));
            }
            for (Index i = 0; i < seen; ++i) {
                S(i, j) = quotient(S(i, j), total, m);
            }
        }
        if (layer.decays()) {
            Image factor = image_of(1, m);
            for (Index i = j; i >= 0; --i) {
                S(i, j) = product(S(i, j), factor, m);
                factor = product(factor, gamma, m);
            }
        }
    }

    /// What a head with these keys and values adds.
    [[nodiscard]] Images put_out(const Head& head,
                                 const Images& K,
                                 const Images& V,
                                 const Images& Q,
                                 const Layer& layer,
                                 const Image& gamma) const {
        const Index t = Q.columns;
        Images S(t, t);
        for (Index j = 0; j < t; ++j) {
            for (Index i = 0; i < t; ++i) {
                for (Index k = 0; k < K.rows; ++k) {
                    add(S(i, j), product(K(k, i), Q(k, j), m));
                }
            }
            weigh(S, j, layer, gamma);
        }
        Images mixed(V.rows, t);
        for (Index k = 0; k < V.rows; ++k) {
            for (Index j = 0; j < t; ++j) {
                for (Index i = 0; i < t; ++i) {
                    add(mixed(k, j), product(V(k, i), S(i, j), m));
                }
            }
        }
        return times(head.O, mixed);
    }

    void attend(const Sublayer& sublayer,
                const std::vector<Image>& of_layer,
                const Images& X,
                Images& Y) const {
        const Layer& layer = *sublayer.layer;
        Index number = 0;
        for (const Group& group : sublayer.groups) {
            const Images K = keys(group.K, group.key_bias, X, layer, of_layer);
            Images V = times(group.V, X);
            add_bias(V, group.value_bias);
            for (const Head& h : group.heads) {
                const Image gamma = layer.decay_learned ? theta[h.gamma.first]
                                    : layer.decay_fixed ? of_layer[number]
                                                        : image_of(1, m);
                ++number;
                const Images Q = keys(h.Q, h.b, X, layer, of_layer);
                add(Y, put_out(h, K, V, Q, layer, gamma));
            }
        }
    }

    void pass_mlp(const Sublayer& sublayer, const Images& X, Images& Y) const {
        Images hidden = times(sublayer.W1, X);
        add_bias(hidden, sublayer.b1);
        for (Image& x : hidden.entries) {
            const Image square = product(x, x, m);
            x = sublayer.layer->degree == 3 ? product(square, x, m) : square;
        }
        add(Y, times(sublayer.W2, hidden));
    }

    /// The outputs of an example.
    [[nodiscard]] std::vector<Image> outputs(Images X) const {
        std::size_t number = 0;
        const Layer* before = nullptr;
        for (const Sublayer& sublayer : layout.sublayers) {
            number += before != nullptr && before != sublayer.layer ? 1 : 0;
            before = sublayer.layer;
            Images Y = sublayer.layer->residual ? X : Images(X.rows, X.columns);
            if (sublayer.attention()) {
                attend(sublayer, constants[number], X, Y);
            } else {
                pass_mlp(sublayer, X, Y);
            }
            add_bias(Y, sublayer.bias);
            X = std::move(Y);
        }
        std::vector<Image> read;
        for (Index j = stack.last ? X.columns - 1 : 0; j < X.columns; ++j) {
            for (Index i = 0; i < X.rows; ++i) {
                read.push_back(X(i, j));
            }
        }
        return read;
    }
};

/// A small matrix of residues.
struct Residual {
    Index rows = 0, columns = 0;
    Residues entries;

    Residual(Index r, Index c) : rows(r), columns(c), entries(r * c) {}

    Residue& operator()(Index i, Index j) { return entries[i * columns + j]; }

    Residue operator()(Index i, Index j) const { return entries[i * columns + j]; }
};

/// FORMAT.md §8, "Fields".
class Fields {
public:
    Fields(const Stack& stack, const Layout& layout, const std::vector<Image>& theta, Residue p)
        : d_(stack.d), layout_(layout), theta_(theta), p_(p) {
        const auto& all = layout.sublayers;
        for (std::size_t s = 0; s < all.size(); ++s) {
            all[s].attention() ? within_attention(all[s]) : within_mlp(all[s]);
            if (s + 1 < all.size()) {
                basis(all[s], all[s + 1]);
                shift(all[s], all[s + 1]);
            }
            if (s + 2 < all.size()) {
                shift_into_mlp(all[s], all[s + 1], all[s + 2]);
            }
        }
    }

    [[nodiscard]] const std::vector<Residues>& all() const { return fields_; }

private:
    [[nodiscard]] Residue value(const Block& A, Index i, Index j) const {
        return theta_[A.at(i, j)].value;
    }

    [[nodiscard]] Residual matrix(const Block& A) const {
        Residual result(A.rows, A.columns);
        for (Index k = 0; k < A.rows * A.columns; ++k) {
            result.entries[k] = theta_[A.first + k].value;
        }
        return result;
    }

    [[nodiscard]] Residue minus(Residue x) const { return (p_ - x) % p_; }

    void begin() {
        if ((Index(fields_.size()) + 1) * layout_.count > kEntries) {
            throw NoImage{"too many fields"};
        }
        fields_.emplace_back(layout_.count, 0);
    }

    void add(Index at, Residue x) {
        Residue& entry = fields_.back()[at];
        entry = (entry + x) % p_;
    }

    /// factor·E_ij·(the block), and (the block)·factor·E_ij.
    void left(const Block& A, Index i, Index j, Residue factor) {
        for (Index k = 0; A.there() && k < A.columns; ++k) {
            add(A.at(i, k), factor * value(A, j, k) % p_);
        }
    }

    void right(const Block& A, Index i, Index j, Residue factor) {
        for (Index k = 0; A.there() && k < A.rows; ++k) {
            add(A.at(k, j), factor * value(A, k, i) % p_);
        }
    }

    void within_attention(const Sublayer& sublayer) {
        const Layer& layer = *sublayer.layer;
        for (const Group& group : sublayer.groups) {
            query_key(group, layer);
        }
        for (const Group& group : sublayer.groups) {
            for (Index i = 0; i < layer.value; ++i) {
                for (Index j = 0; j < layer.value; ++j) {
                    begin();
                    left(group.V, i, j, 1);
                    left(group.value_bias, i, j, 1);
                    for (const Head& head : group.heads) {
                        right(head.O, i, j, p_ - 1);
                    }
                }
            }
        }
        if (layer.softmax) {
            softmax_biases(sublayer);
        } else {
            mix_in_groups(sublayer);
            mix_heads(sublayer);
        }
    }

    /// S = Σ factor·E_ij: δQ = SQ, δK = −SᵀK, and the biases alike.
    void turn(const Group& group, Index i, Index j, Residue factor) {
        left(group.K, j, i, minus(factor));
        left(group.key_bias, j, i, minus(factor));
        for (const Head& head : group.heads) {
            left(head.Q, i, j, factor);
            left(head.b, i, j, factor);
        }
    }

    void query_key(const Group& group, const Layer& layer) {
        if (layer.rotary) {
            for (Index k = 0; k < layer.key; k += 2) {
                begin();
                turn(group, k, k, 1);
                turn(group, k + 1, k + 1, 1);
                begin();
                turn(group, k + 1, k, 1);
                turn(group, k, k + 1, p_ - 1);
            }
            return;
        }
        for (Index i = 0; i < layer.key; ++i) {
            for (Index j = 0; j < layer.key; ++j) {
                begin();
                turn(group, i, j, 1);
            }
        }
    }

    void mix_in_groups(const Sublayer& sublayer) {
        for (const Group& group : sublayer.groups) {
            for (const Head& h : group.heads) {
                for (const Head& k : group.heads) {
                    if (&h == &k || !sublayer.layer->decays()) {
                        mix(h, k);
                    }
                }
            }
        }
    }

    /// δQ_h = Q_k, δO_k = −O_h: heads of one group, with one gamma.
    void mix(const Head& h, const Head& k) {
        begin();
        for (Index i = 0; i < h.Q.rows * h.Q.columns; ++i) {
            add(h.Q.first + i, theta_[k.Q.first + i].value);
        }
        for (Index i = 0; i < h.b.rows; ++i) {
            add(h.b.at(i, 0), value(k.b, i, 0));
        }
        for (Index i = 0; i < h.O.rows * h.O.columns; ++i) {
            add(k.O.first + i, minus(theta_[h.O.first + i].value));
        }
    }

    [[nodiscard]] Residual times(const Residual& A, const Residual& B) const {
        Residual C(A.rows, B.columns);
        for (Index i = 0; i < A.rows; ++i) {
            for (Index j = 0; j < B.columns; ++j) {
                for (Index k = 0; k < A.columns; ++k) {
                    C(i, j) = (C(i, j) + A(i, k) * B(k, j)) % p_;
                }
            }
        }
        return C;
    }

    [[nodiscard]] static Residual transposed(const Residual& A) {
        Residual T(A.columns, A.rows);
        for (Index i = 0; i < A.rows; ++i) {
            for (Index j = 0; j < A.columns; ++j) {
                T(j, i) = A(i, j);
            }
        }
        return T;
    }

    /// Gauss–Jordan on the first `columns` columns: the pivot column of each row that has one. The
    /// first rows become the reduced echelon form.
    [[nodiscard]] List reduce(Residual& A, Index columns) const {
        List pivots;
        for (Index c = 0; c < columns; ++c) {
            const auto top = Index(pivots.size());
            Index row = top;
            while (row < A.rows && A(row, c) == 0) {
                ++row;
            }
            if (row == A.rows) {
                continue;
            }
            const Residue inverse = power(A(row, c), p_ - 2, p_);
            for (Index k = 0; k < A.columns; ++k) {
                std::swap(A(row, k), A(top, k));
                A(top, k) = A(top, k) * inverse % p_;
            }
            for (Index i = 0; i < A.rows; ++i) {
                const Residue factor = i == top ? 0 : minus(A(i, c));
                for (Index k = 0; factor != 0 && k < A.columns; ++k) {
                    A(i, k) = (A(i, k) + factor * A(top, k)) % p_;
                }
            }
            pivots.push_back(c);
        }
        return pivots;
    }

    /// A⁻¹, or nothing.
    [[nodiscard]] std::optional<Residual> inverse(const Residual& A) const {
        Residual wide(A.rows, 2 * A.columns);
        for (Index i = 0; i < A.rows; ++i) {
            for (Index j = 0; j < A.columns; ++j) {
                wide(i, j) = A(i, j);
            }
            wide(i, A.columns + i) = 1;
        }
        if (Index(reduce(wide, A.columns).size()) < A.rows) {
            return std::nullopt;
        }
        Residual result(A.rows, A.columns);
        for (Index i = 0; i < A.rows; ++i) {
            for (Index j = 0; j < A.columns; ++j) {
                result(i, j) = wide(i, A.columns + j);
            }
        }
        return result;
    }

    void mix_heads(const Sublayer& sublayer) {
        const Layer& layer = *sublayer.layer;
        if (layer.groups != layer.heads || layer.key != d_ || layer.value != d_ || layer.decays() ||
            layer.rotary || layer.bias_q || layer.bias_k || layer.bias_v) {
            return;
        }
        for (const Group& h : sublayer.groups) {
            for (const Group& k : sublayer.groups) {
                const auto K = inverse(matrix(h.K));
                const auto V = inverse(matrix(k.V));
                if (&h == &k || !K || !V) {
                    continue;
                }
                const Residual A = times(transposed(matrix(k.K)), matrix(k.heads[0].Q));
                const Residual query = times(transposed(*K), A);
                const Residual P = times(matrix(h.heads[0].O), matrix(h.V));
                const Residual output = times(P, *V);
                begin();
                for (Index i = 0; i < d_ * d_; ++i) {
                    add(h.heads[0].Q.first + i, query.entries[i]);
                    add(k.heads[0].O.first + i, minus(output.entries[i]));
                }
            }
        }
    }

    void softmax_biases(const Sublayer& sublayer) {
        for (const Group& group : sublayer.groups) {
            for (Index i = 0; !sublayer.layer->rotary && i < group.key_bias.rows; ++i) {
                begin();
                add(group.key_bias.at(i, 0), 1);
            }
        }
        for (const Group& group : sublayer.groups) {
            for (Index i = 0; sublayer.bias.there() && i < group.value_bias.rows; ++i) {
                begin();
                add(group.value_bias.at(i, 0), 1);
                for (const Head& head : group.heads) {
                    for (Index row = 0; row < d_; ++row) {
                        add(sublayer.bias.at(row, 0), minus(value(head.O, row, i)));
                    }
                }
            }
        }
    }

    void within_mlp(const Sublayer& sublayer) {
        for (Index i = 0; i < sublayer.W1.rows; ++i) {
            begin();
            left(sublayer.W1, i, i, 1);
            left(sublayer.b1, i, i, 1);
            right(sublayer.W2, i, i, p_ - static_cast<Residue>(sublayer.layer->degree));
        }
    }

    /// What reads the input of a sublayer.
    [[nodiscard]] static std::vector<Block> readers(const Sublayer& sublayer) {
        std::vector<Block> blocks{sublayer.W1};
        for (const Group& group : sublayer.groups) {
            blocks.insert(blocks.end(), {group.K, group.V});
            for (const Head& head : group.heads) {
                blocks.push_back(head.Q);
            }
        }
        return blocks;
    }

    void basis(const Sublayer& first, const Sublayer& second) {
        if (first.layer->residual || second.layer->residual) {
            return;
        }
        for (Index i = 0; i < d_; ++i) {
            for (Index j = 0; j < d_; ++j) {
                begin();
                for (const Group& group : first.groups) {
                    for (const Head& head : group.heads) {
                        left(head.O, i, j, 1);
                    }
                }
                left(first.W2, i, j, 1);
                left(first.bias, i, j, 1);
                for (const Block& block : readers(second)) {
                    right(block, i, j, p_ - 1);
                }
            }
        }
    }

    /// Column i of A, taken from a bias.
    void take_column(const Block& bias, const Block& A, Index i) {
        for (Index row = 0; row < bias.rows; ++row) {
            add(bias.at(row, 0), minus(value(A, row, i)));
        }
    }

    void shift(const Sublayer& first, const Sublayer& second) {
        const Layer& next = *second.layer;
        const bool takes_out =
            second.attention() ? next.bias_q && next.bias_k && next.bias_v : second.b1.there();
        if (!first.bias.there() || !takes_out || (next.residual && !second.bias.there())) {
            return;
        }
        for (Index i = 0; i < d_; ++i) {
            begin();
            add(first.bias.at(i, 0), 1);
            for (const Group& group : second.groups) {
                take_column(group.key_bias, group.K, i);
                take_column(group.value_bias, group.V, i);
                for (const Head& head : group.heads) {
                    take_column(head.b, head.Q, i);
                }
            }
            take_column(second.b1, second.W1, i);
            if (next.residual) {
                add(second.bias.at(i, 0), p_ - 1);
            }
        }
    }

    void shift_into_mlp(const Sublayer& first, const Sublayer& attention, const Sublayer& mlp) {
        if (!first.bias.there() || !attention.attention() || !attention.layer->softmax ||
            attention.layer->rotary || mlp.attention() || !mlp.b1.there()) {
            return;
        }
        Residual queries = all_queries(attention);
        const List pivots = reduce(queries, d_);
        if (Index(pivots.size()) < std::min(queries.rows, d_)) {
            return;  // at almost all parameters less is unseen
        }
        for (Index f = 0; f < d_; ++f) {
            if (std::find(pivots.begin(), pivots.end(), f) != pivots.end()) {
                continue;
            }
            Residual c(d_, 1);  // no query sees it
            c(f, 0) = 1;
            for (std::size_t i = 0; i < pivots.size(); ++i) {
                c(pivots[i], 0) = minus(queries(Index(i), f));
            }
            const Residual changed = change_of_output(attention, c);
            const Residual taken = times(matrix(mlp.W1), changed);
            begin();
            for (Index i = 0; i < d_; ++i) {
                add(first.bias.at(i, 0), c(i, 0));
                if (mlp.layer->residual) {
                    add(mlp.bias.at(i, 0), minus(changed(i, 0)));
                }
            }
            for (Index i = 0; i < mlp.b1.rows; ++i) {
                add(mlp.b1.at(i, 0), minus(taken(i, 0)));
            }
        }
    }

    /// The queries of all heads, one above the other.
    [[nodiscard]] Residual all_queries(const Sublayer& attention) const {
        Residual queries(attention.layer->heads * attention.layer->key, d_);
        auto next = queries.entries.begin();
        for (const Group& group : attention.groups) {
            for (const Head& head : group.heads) {
                const Residual Q = matrix(head.Q);
                next = std::copy(Q.entries.begin(), Q.entries.end(), next);
            }
        }
        return queries;
    }

    /// By what the output of softmax attention changes where every token grows by c, and no query
    /// sees c: the weights stay.
    [[nodiscard]] Residual change_of_output(const Sublayer& attention, const Residual& c) const {
        Residual changed = attention.layer->residual ? c : Residual(d_, 1);
        for (const Group& group : attention.groups) {
            const Residual of_value = times(matrix(group.V), c);
            for (const Head& head : group.heads) {
                const Residual put_out = times(matrix(head.O), of_value);
                for (Index i = 0; i < d_; ++i) {
                    changed(i, 0) = (changed(i, 0) + put_out(i, 0)) % p_;
                }
            }
        }
        return changed;
    }

    Index d_;
    const Layout& layout_;
    const std::vector<Image>& theta_;
    Residue p_;
    std::vector<Residues> fields_;
};

/// FORMAT.md §8, "Bound".
Index cubics(Index d) {
    return d * (d + 1) * (d + 2) / 6;
}

Index attention_bound(const Layer& layer, Index m, Index n, Index t) {
    const Index H = layer.heads;
    const Index a = std::min(layer.key, m);
    const Index v = std::min({layer.value, m, n});
    const Index e = a * (2 * m - a) + v * (m + n - v);
    const Index free = H <= m * std::max(m, n) ? H - (m - a) * (m - a) - (m - v) * (n - v) : 1;
    Index h = layer.decays() ? H * (e - 1) : H * e - H * std::max<Index>(1, free);
    if (layer.groups < H) {
        const Index w = std::min(layer.value, m);
        const Index shared = a * m + w * m - a * a - w * w;
        const Index share = H / layer.groups;
        const Index rho = std::min({n * w, a * m, share});
        const Index each =
            layer.decays() ? share * (a * m + n * w - 1) : rho * (n * w + a * m - rho);
        h = std::min(h, layer.groups * (shared + each));
    }
    const Index pairs = m * m * (m + 1) / 2;
    const Index monomials = t == 1           ? n * cubics(m)
                            : layer.decays() ? n * (cubics(m) + (t - 1) * pairs)
                                             : n * pairs;
    return std::min(h, monomials) + (layer.decay_learned ? H : 0);
}

/// B, or nothing where it is not defined.
std::optional<Index> bound_of(const Stack& stack) {
    const Index d = stack.d;
    Index total = 0;
    Index narrow = 0;
    bool plain = true;
    Index m = d;
    for (std::size_t l = 0; l < stack.layers.size(); ++l) {
        const Layer& layer = stack.layers[l];
        if (layer.softmax || layer.rotary || layer.bias_q || layer.bias_k || layer.bias_v ||
            layer.bias_o || layer.bias_m) {
            return std::nullopt;
        }
        plain = plain && !layer.residual && layer.degree == 0;
        total += attention_bound(layer, d, d, stack.tokens);
        if (layer.degree > 0) {
            const Index monomials = layer.degree == 2 ? d * (d + 1) / 2 : cubics(d);
            total += std::min(layer.width * (2 * d - 1), d * monomials);
        }
        const bool end = l + 1 == stack.layers.size();
        const Index n = end ? d : std::min(d, layer.heads * layer.value);
        const bool lost = !end && n <= m && (stack.tokens > 1 || layer.groups == layer.heads);
        narrow += attention_bound(layer, m, n, stack.tokens) - (lost ? n * n : 0);
        m = n;
    }
    return plain ? std::min(total, narrow) : total;
}

/// Reads the lines and judges them in order.
class StackVerifier {
public:
    explicit StackVerifier(std::string_view proof) : in_(proof) {}

    std::string claim() {
        in_.expect("attest-proof 1\n");
        read_stack();
        in_.expect("claim ");
        std::string claim(in_.rest());
        in_.expect("dimension ");
        dimension_ = in_.number(0, (Index{1} << 62) - 1, "\n");
        read_moduli();
        const Layout layout(stack_);
        in_.expect("parameters ");
        std::vector<Image> theta = numbers(layout.count);
        for (Index k = 0; k < layout.count; ++k) {
            theta[k].slopes.assign(layout.count, 0);
            theta[k].slopes[k] = 1;
        }
        std::vector<std::vector<Image>> constants;
        for (const Layer& layer : stack_.layers) {
            const Index count =
                (layer.decay_fixed ? layer.heads : 0) + (layer.rotary ? layer.key / 2 : 0);
            in_.expect(count > 0 ? "constants " : "");
            constants.push_back(count > 0 ? numbers(count) : std::vector<Image>{});
            require_rotations(layer, constants.back());
        }
        const std::vector<Residues> J = derivative({stack_, layout, moduli_, theta, constants});
        const List rows = list("rows", Index(J.size()), dimension_);
        const List columns = list("columns", layout.count, dimension_);
        in_.require(minor(J, rows, columns), "the minor is 0 mod the prime");
        if (in_.take("bound\n")) {
            in_.require(bound_of(stack_) == dimension_, "the bound is another number");
        } else {
            fields(layout, theta, J);
        }
        in_.finish();
        return claim;
    }

private:
    static constexpr Index kParameters = 8192;

    bool bit(const char* word) {
        in_.expect(word);
        return in_.number(0, 1, "") == 1;
    }

    Index size(const char* word, Index least, Index last) {
        in_.expect(word);
        return in_.number(least, last, "");
    }

    void read_stack() {
        stack_.d = size("stack dimension ", 1, 256);
        const Index layers = size(" layers ", 1, 64);
        stack_.tokens = size(" tokens ", 1, 64);
        in_.expect(" readout ");
        stack_.last = in_.take("last\n");
        in_.expect(stack_.last ? "" : "all\n");
        for (Index l = 0; l < layers; ++l) {
            stack_.layers.push_back(read_layer());
            in_.require(Layout(stack_).count <= kParameters, "too many parameters");
        }
    }

    Layer read_layer() {
        Layer layer;
        in_.expect("stack-layer ");
        layer.softmax = in_.take("softmax");
        in_.expect(layer.softmax ? "" : "linear");
        layer.heads = size(" heads ", 1, 256);
        layer.groups = size(" groups ", 1, 256);
        layer.key = size(" key ", 1, 256);
        layer.value = size(" value ", 1, 256);
        layer.residual = bit(" residual ");
        layer.causal = bit(" causal ");
        layer.rotary = bit(" rotary ");
        in_.expect(" decay ");
        layer.decay_fixed = in_.take("fixed");
        layer.decay_learned = !layer.decay_fixed && in_.take("learned");
        in_.expect(layer.decays() ? "" : "none");
        in_.expect(" biases ");
        if (!in_.take("none")) {
            layer.bias_q = in_.take("q");
            layer.bias_k = in_.take("k");
            layer.bias_v = in_.take("v");
            layer.bias_o = in_.take("o");
            layer.bias_m = in_.take("m");
            in_.require(
                layer.bias_q || layer.bias_k || layer.bias_v || layer.bias_o || layer.bias_m,
                "expected none or letters of qkvom");
        }
        in_.expect(" mlp ");
        layer.degree = in_.take("square") ? 2 : in_.take("cube") ? 3 : 0;
        in_.expect(layer.degree > 0 ? "" : "none");
        layer.width = size(" width ", layer.degree > 0 ? 1 : 0, layer.degree > 0 ? 1024 : 0);
        in_.require(layer.heads % layer.groups == 0, "heads do not divide into these groups");
        in_.require(!layer.rotary || layer.key % 2 == 0, "a rotary key of odd size");
        in_.require(!layer.softmax || !layer.decays(), "softmax with a decay");
        in_.require(!layer.bias_m || layer.degree > 0, "biases of an MLP that is not there");
        in_.expect("\n");
        return layer;
    }

    [[nodiscard]] static bool is_prime(Residue n) {
        return n > 2 && mpz_probab_prime_p(Integer(n).backend().data(), 32) > 0;
    }

    void read_moduli() {
        in_.expect("prime ");
        moduli_.p = static_cast<Residue>(in_.number(3, (Index{1} << 31) - 1, "\n"));
        in_.require(is_prime(moduli_.p), "not an odd prime below 2^31");
        const bool softmax = std::any_of(stack_.layers.begin(),
                                         stack_.layers.end(),
                                         [](const Layer& layer) { return layer.softmax; });
        if (softmax) {
            moduli_.q = (moduli_.p - 1) / 2;
            in_.require(moduli_.p % 8 == 7 && is_prime(moduli_.q),
                        "the prime is not 2q + 1 with q prime, and 7 modulo 8");
            in_.expect("logarithm ");
            moduli_.logarithm = numbers(1)[0].value;
        }
    }

    /// `count` integers, the rest of the line.
    std::vector<Image> numbers(Index count) {
        constexpr std::int64_t kLimit = std::int64_t{1} << 62;
        std::vector<Image> values;
        for (Index k = 0; k < count; ++k) {
            const Integer value = in_.integer(k + 1 < count ? " " : "\n");
            in_.require(-kLimit < value && value < kLimit, "a number is out of range");
            values.push_back(image_of(value, moduli_));
        }
        return values;
    }

    /// 1 + x² of the pairs of a rotary layer is a denominator.
    void require_rotations(const Layer& layer, const std::vector<Image>& of_layer) const {
        for (Index k = layer.decay_fixed ? layer.heads : 0; k < Index(of_layer.size()); ++k) {
            const Image square = product(of_layer[k], of_layer[k], moduli_);
            const Image denominator = sum(image_of(1, moduli_), square, moduli_);
            const bool vanishes =
                denominator.value == 0 || (moduli_.q > 0 && denominator.exponent == 0);
            in_.require(!vanishes, "1 + x^2 vanishes");
        }
    }

    /// J of all examples, as their lines come.
    std::vector<Residues> derivative(const Evaluation& evaluation) {
        std::vector<Residues> J;
        bool first = true;
        while (first || in_.take("example ")) {
            in_.expect(first ? "example " : "");
            first = false;
            const std::vector<Image> entries = numbers(stack_.d * stack_.tokens);
            Images X(stack_.d, stack_.tokens);
            for (Index j = 0; j < stack_.tokens; ++j) {
                for (Index i = 0; i < stack_.d; ++i) {
                    X(i, j) = entries[j * stack_.d + i];
                }
            }
            const Index outputs = Index(J.size()) + stack_.outputs();
            in_.require(outputs * evaluation.layout.count <= kEntries, "too many outputs");
            try {
                for (Image& y : evaluation.outputs(std::move(X))) {
                    y.slopes.resize(evaluation.layout.count, 0);
                    J.push_back(std::move(y.slopes));
                }
            } catch (const NoImage& none) {
                in_.require(false, none.reason);
            }
        }
        return J;
    }

    List list(const char* word, Index limit, Index count) {
        in_.expect(word);
        List values = in_.indices(limit);
        in_.require(Index(values.size()) == count, "a wrong number of them");
        return values;
    }

    [[nodiscard]] bool minor(const std::vector<Residues>& A,
                             const List& rows,
                             const List& columns) const {
        Residues entries;
        for (const Index i : rows) {
            for (const Index j : columns) {
                entries.push_back(A[i][j]);
            }
        }
        return nonsingular(std::move(entries), Index(rows.size()), moduli_.p);
    }

    void fields(const Layout& layout,
                const std::vector<Image>& theta,
                const std::vector<Residues>& J) {
        std::vector<Residues> found;
        in_.expect("field-rows");
        try {
            found = Fields(stack_, layout, theta, moduli_.p).all();
        } catch (const NoImage& none) {
            in_.require(false, none.reason);
        }
        const Index count = layout.count - dimension_;
        const List rows = in_.indices(Index(found.size()));
        in_.require(Index(rows.size()) == count, "a wrong number of them");
        const List columns = list("field-columns", layout.count, count);
        for (const Residues& field : found) {
            for (const Residues& row : J) {
                Residue change = 0;
                for (std::size_t k = 0; k < field.size(); ++k) {
                    change = (change + row[k] * field[k]) % moduli_.p;
                }
                in_.require(change == 0, "a field changes an output");
            }
        }
        in_.require(minor(found, rows, columns), "the minor of the fields is 0");
    }

    Reader in_;
    Stack stack_;
    Moduli moduli_;
    Index dimension_ = 0;
};
}  // namespace

bool is_about_stack(std::string_view proof) {
    constexpr std::string_view kFirst = "attest-proof 1\n";
    if (!proof.starts_with(kFirst)) {
        return false;
    }
    proof.remove_prefix(kFirst.size());
    skip_comments(proof);
    return proof.starts_with("stack");
}

std::string verify_stack(std::string_view proof) {
    return StackVerifier(proof).claim();
}
}  // namespace attest::checker
