#pragma once

#include "core/algebra/matrix.hpp"
#include "core/kernels/kernel_dump.hpp"
#include "core/trained/weights.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What an array has a row for.
enum class ArrayExtent : std::uint8_t {
    token,  ///< (B,T,H,width)
    step,   ///< (B,T·n,H,width): n micro-steps a token
    state,  ///< (N,H,·,·), N sequences
    head    ///< (H,width): parameters
};

/// How wide its rows are.
enum class ArrayWidth : std::uint8_t { one, key, value, one_or_key, one_or_value };

enum class ArrayNeed : std::uint8_t { always, optional };

/// An array that a kind of kernel reads.
struct ArrayRow {
    std::string_view name;
    ArrayExtent extent = ArrayExtent::token;
    ArrayWidth width = ArrayWidth::key;
    ArrayNeed need = ArrayNeed::always;
};

/// The arrays that a kernel of this kind reads, states included. `reads` of docs/kernels.md.
[[nodiscard]] const std::vector<ArrayRow>& arrays_of(Recurrence recurrence);

/// An array of a call, its elements in the order (row, head, entry); a state's entries are (K,V)
/// row by row, whichever way the call had them.
struct CallArray {
    ArrayExtent extent = ArrayExtent::token;
    Index heads = 1;
    Index width = 1;
    std::vector<double> values = {};
};

/// What a kernel does to its arguments before the recurrence; named after the keywords that ask
/// for it.
struct CallFlags {
    bool use_qk_l2norm_in_kernel = false;
    double l2norm_eps = 1e-6;  ///< added to the sum of squares
    bool use_beta_sigmoid_in_kernel = false;
    bool allow_neg_eigval = false;      ///< β times 2
    bool use_gate_in_kernel = false;    ///< g = −e^A_log softplus(g + dt_bias)
    std::optional<double> lower_bound;  ///< g = lower_bound·σ(e^A_log (g + dt_bias)) instead
    bool dt_softplus = false;
    std::optional<std::array<double, 2>> dt_limit;
    bool state_v_first = false;  ///< states are (V,K)

    [[nodiscard]] bool changes_arguments() const {
        return use_qk_l2norm_in_kernel || use_beta_sigmoid_in_kernel || allow_neg_eigval ||
               use_gate_in_kernel || lower_bound || dt_softplus || dt_limit;
    }
};

/// Where the chunks of a kernel meet in a batch of several sequences.
enum class ChunkGrid : std::uint8_t {
    own,  ///< each sequence's begin at its own first token
    flat  ///< at multiples of the chunk in the whole batch, whatever sequence stands there
};

[[nodiscard]] std::string_view to_string(ChunkGrid grid);
[[nodiscard]] std::vector<std::string> chunk_grid_names();
/// Throws UnknownName.
[[nodiscard]] ChunkGrid chunk_grid_named(std::string_view name);

/// One call of a kernel as it was made: sequences of any lengths, arrays with fewer heads than
/// others, gradients. Batches are sequences of one length.
struct KernelCall {
    Recurrence recurrence = Recurrence::linear;
    Index batch = 1;
    std::vector<Index> starts;  ///< first token of each sequence among all B·T, and B·T
    Index heads = 1;            ///< the most of any array; the others' divide it
    Index key_dim = 0;
    Index value_dim = 0;
    Index steps = 1;  ///< micro-steps a token
    double scale = 1.0;
    double epsilon = 0.0;
    std::optional<Index> chunk;
    ChunkGrid grid = ChunkGrid::own;
    CallFlags flags;
    std::map<std::string, CallArray> arrays;

    [[nodiscard]] Index sequences() const { return std::ssize(starts) - 1; }

    [[nodiscard]] Index tokens() const { return starts.back(); }

    [[nodiscard]] Index length(Index sequence) const {
        const auto at = static_cast<std::size_t>(sequence);
        return starts[at + 1] - starts[at];
    }

    [[nodiscard]] bool contains(const std::string& name) const { return arrays.contains(name); }
};

/// Whether the state of a kind is corrected by what it holds of a key.
[[nodiscard]] bool has_correction(Recurrence recurrence);

/// Whether the state of a call decays.
[[nodiscard]] bool has_gates(const KernelCall& call);

/// Tokens of a sequence's first chunk that lie before the sequence: 0 on a grid of its own.
[[nodiscard]] Index chunk_offset(const KernelCall& call, Index sequence, Index chunk);

/// The head of an array that head h of the call reads.
[[nodiscard]] Index head_of(const KernelCall& call, const CallArray& array, Index h);

/// What head h of a sequence reads of an array, or `from_head` of the array's own: one row a token,
/// micro-step or row of a state.
[[nodiscard]] Matrix head_rows(const KernelCall& call,
                               const CallArray& array,
                               Index sequence,
                               Index from_head);

/// Reads a call: see docs/kernels.md for arrays and flags. Throws InvalidInput of one line for an
/// array that is missing, that this kind does not read, of another shape, or that holds NaN or
/// infinities; only results may.
[[nodiscard]] KernelCall kernel_call(Weights file, const DumpFormat& format);
[[nodiscard]] KernelCall read_kernel_call(const std::string& path, const DumpFormat& format);

/// Whether docs/kernels.md derives a worst-case bound for the kind.
[[nodiscard]] bool has_bound(Recurrence recurrence);

/// The sequences of a call as the worst-case bound takes them: one dump where all have one length,
/// else one each. Empty for a kind without a bound, or arguments that the kernel changes first.
[[nodiscard]] std::vector<KernelDump> bounded_dumps(const KernelCall& call);

}  // namespace attest
