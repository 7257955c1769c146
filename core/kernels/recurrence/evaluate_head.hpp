#pragma once

#include "core/kernels/kernel_call.hpp"
#include "core/kernels/recurrence/recurrence.hpp"

#include <map>
#include <optional>
#include <string>

namespace attest {

/// A step before or behind the recurrence that a pass back may leave out.
enum class ChainStep : std::uint8_t {
    none,
    unit_rows,     ///< use_qk_l2norm_in_kernel
    beta_sigmoid,  ///< use_beta_sigmoid_in_kernel
    beta_doubled,  ///< allow_neg_eigval
    gate,          ///< use_gate_in_kernel: dg is that of the gate's logarithm
    dt_softplus,
    normaliser  ///< what outputs are divided by
};

/// How a head is evaluated.
struct HeadEvaluation {
    std::optional<ChunkedForm> chunked = {};  ///< none: token by token
    PlantedFault fault = {};                  ///< of the pass back, token by token
    ChainStep not_differentiated = ChainStep::none;
};

/// Results of one head of one sequence by their names in a dump, `o`, `final_state`, `dq`, …, those
/// of a shared head being this head's share: rows are tokens, micro-steps or rows of a state.
template <class Scalar>
using HeadResults = std::map<std::string, MatrixOf<Scalar>>;

/// Whether a call has gradients to check.
[[nodiscard]] bool has_gradients(const KernelCall& call);

/// The kind as a map of its arrays onto a recurrence, what flags do to them included, and, where
/// the call has gradients, back again with `do` and `dfinal_state` (zeros where they are absent).
template <class Arithmetic>
[[nodiscard]] HeadResults<typename Arithmetic::Scalar> evaluate_head(
    const KernelCall& call,
    Index sequence,
    Index head,
    Arithmetic& arithmetic,
    const HeadEvaluation& evaluation);

extern template HeadResults<long double> evaluate_head(const KernelCall& call,
                                                       Index sequence,
                                                       Index head,
                                                       ExactArithmetic& arithmetic,
                                                       const HeadEvaluation& evaluation);
extern template HeadResults<double> evaluate_head(const KernelCall& call,
                                                  Index sequence,
                                                  Index head,
                                                  RandomArithmetic& arithmetic,
                                                  const HeadEvaluation& evaluation);

}  // namespace attest
