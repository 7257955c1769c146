#pragma once

#include "core/base/choice.hpp"
#include "core/base/shape.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What makes weights of scores s_ij = (K x_i + b_K)·(Q x_j + b_Q), key i, query j.
enum class StackScore : std::uint8_t { linear, softmax };
inline constexpr Choices<StackScore, 2> kStackScores{
    {{StackScore::linear, "linear"}, {StackScore::softmax, "softmax"}}};

/// Factors γ_h^(j−i) of the weights of a linear head; they imply a causal mask.
enum class StackDecay : std::uint8_t {
    none,
    fixed,   ///< constants of the architecture
    learned  ///< parameters
};
inline constexpr Choices<StackDecay, 3> kStackDecays{
    {{StackDecay::none, "none"}, {StackDecay::fixed, "fixed"}, {StackDecay::learned, "learned"}}};

/// x / √(mean x² + ε), before attention and before the MLP.
enum class StackNorm : std::uint8_t {
    none,
    rms,       ///< without a gain
    rms_gain,  ///< times a gain, entry by entry
};
inline constexpr Choices<StackNorm, 3> kStackNorms{
    {{StackNorm::none, "none"}, {StackNorm::rms, "rms-plain"}, {StackNorm::rms_gain, "rms"}}};

/// σ of an MLP W₂ σ(W₁x + b₁) + b₂, token by token.
enum class Activation : std::uint8_t { none, square, cube, relu, gelu };
inline constexpr Choices<Activation, 5> kActivations{{{Activation::none, "none"},
                                                      {Activation::square, "square"},
                                                      {Activation::cube, "cube"},
                                                      {Activation::relu, "relu"},
                                                      {Activation::gelu, "gelu"}}};

/// Outputs of a stack: of each token, or of the last one alone.
enum class Readout : std::uint8_t { all, last };
inline constexpr Choices<Readout, 2> kReadouts{{{Readout::all, "all"}, {Readout::last, "last"}}};

/// One layer: attention, and an MLP behind it unless `activation` is none. Groups of heads share
/// keys and values; as many groups as heads means that none do.
struct StackLayer {
    StackScore score = StackScore::linear;
    Index heads = 1;
    Index groups = 1;      ///< divides heads
    Index key_size = 1;    ///< a: rows of K and Q
    Index value_size = 1;  ///< v: rows of V, columns of O
    bool residual = false;
    bool causal = false;
    bool rotary = false;  ///< keys and queries of token i turned by i angles; a even
    StackDecay decay = StackDecay::none;
    bool query_bias = false;
    bool key_bias = false;
    bool value_bias = false;
    bool output_bias = false;
    StackNorm norm = StackNorm::none;
    double epsilon = 0.0;
    Activation activation = Activation::none;
    Index width = 0;  ///< m, rows of W₁
    bool mlp_biases = false;

    [[nodiscard]] Index heads_of_group() const { return heads / groups; }

    friend bool operator==(const StackLayer&, const StackLayer&) = default;
};

/// A stack of layers, each a map from d×t matrices (tokens as columns) to such.
struct StackShape {
    Index d = 1;
    std::vector<StackLayer> layers;
    StackNorm final_norm = StackNorm::none;  ///< of the last layer's outputs
    double final_epsilon = 0.0;
    Readout readout = Readout::all;

    [[nodiscard]] Index outputs(Index tokens) const {
        return readout == Readout::all ? d * tokens : d;
    }

    friend bool operator==(const StackShape&, const StackShape&) = default;
};

/// Throws InvalidInput, naming layer and size, unless the sizes fit each other.
void require_sound(const StackShape& shape);

/// Consecutive parameters: a matrix of them, row after row, or a vector, which has one column.
/// Nothing where rows·cols = 0.
struct Slot {
    Index first = 0;
    Index rows = 0;
    Index cols = 0;
    bool is_vector = false;

    [[nodiscard]] Index size() const { return rows * cols; }

    [[nodiscard]] Index at(Index i, Index j) const { return first + i * cols + j; }
};

/// Where the parameters of a query head stand.
struct HeadSlots {
    Slot Q;           ///< a×d
    Slot O;           ///< d×v
    Slot query_bias;  ///< a×1
    Slot decay;       ///< 1×1, of a learned decay
};

/// Those of heads that share keys and values.
struct GroupSlots {
    Slot K;           ///< a×d
    Slot V;           ///< v×d
    Slot key_bias;    ///< a×1
    Slot value_bias;  ///< v×1
    std::vector<HeadSlots> heads;
    Index first_head = 0;  ///< the number of heads[0] in its layer
};

struct MlpSlots {
    Slot W1;  ///< m×d
    Slot b1;  ///< m×1
    Slot W2;  ///< d×m
    Slot b2;  ///< d×1
};

/// A layer is one or two sublayers, attention and MLP; a final norm is one of its own, without
/// groups and MLP. Each maps X to [X +] f(norm(X)).
struct Sublayer {
    Index layer = 0;
    StackNorm norm = StackNorm::none;
    double epsilon = 0.0;
    bool residual = false;
    Slot gain;  ///< d×1
    std::vector<GroupSlots> groups;
    Slot output_bias;  ///< d×1
    MlpSlots mlp;
    Index first = 0;  ///< its parameters are those from `first` to `end`
    Index end = 0;

    [[nodiscard]] bool is_attention() const { return !groups.empty(); }

    [[nodiscard]] bool is_mlp() const { return mlp.W1.size() > 0; }
};

/// A stack taken apart: its sublayers in order, and P, the number of its parameters.
struct StackLayout {
    std::vector<Sublayer> sublayers;
    Index num_parameters = 0;
};

[[nodiscard]] StackLayout layout_of(const StackShape& shape);

/// A matrix of parameters by its name, "layers.0.heads.1.Q".
struct NamedSlot {
    std::string name;
    Slot slot;
};

/// All of them, in the order of the parameters.
[[nodiscard]] std::vector<NamedSlot> named_slots(const StackShape& shape);

/// One line of the grammar of proofs_check/checker/FORMAT.md, section "Stacks": the head of a stack
/// and a layer of it. The second throws NotAvailable for norms, which no proof speaks of.
[[nodiscard]] std::string stack_line(const StackShape& shape, Index tokens);
[[nodiscard]] std::string layer_line(const StackLayer& layer);

/// The architecture in words: "2 layers, each 4 heads (2, 2), residual, causal".
[[nodiscard]] std::string in_words(const StackShape& shape);

}  // namespace attest
