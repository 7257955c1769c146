#pragma once

#include "core/kernels/recurrence/tape.hpp"

#include <cstdint>

namespace attest {

/// What a micro-step does with the decayed state S' = diag(d) S.
enum class StepForm : std::uint8_t {
    additive,  ///< S' + k vᵀ
    corrected,  ///< S' + k rᵀ, r = β (v − S'ᵀa): a is the key, or what stands for it in the reading
    corrected_before_decay,  ///< the same with r = β (v − Sᵀa)
    low_rank                 ///< S' + b (Sᵀa)ᵀ + k vᵀ: a reads the undecayed state
};

[[nodiscard]] constexpr bool is_corrected(StepForm form) {
    return form == StepForm::corrected || form == StepForm::corrected_before_decay;
}

/// Whether a reads the state that no gate of its own token has decayed.
[[nodiscard]] constexpr bool reads_before_decay(StepForm form) {
    return form == StepForm::corrected_before_decay || form == StepForm::low_rank;
}

/// What the recurrence of one head reads, on a tape. A token has n micro-steps, N = T n in all; the
/// state decays once a token and is read after its last step: o_t = scale·Sᵀq_t.
struct RecurrenceInputs {
    StepForm form = StepForm::additive;
    Index steps = 1;  ///< n
    double scale = 1.0;
    Recorded q;        ///< T×K
    Recorded k;        ///< N×K
    Recorded v;        ///< N×V
    Recorded a;        ///< N×K, but for additive steps
    Recorded b;        ///< N×K, of low_rank steps
    Recorded beta;     ///< N×1, of corrected steps; else ones
    Recorded g;        ///< T×K or T×1: log d; else zeros
    Recorded initial;  ///< K×V
};

struct RecurrenceOutputs {
    Recorded o;            ///< T×V
    Recorded final_state;  ///< K×V
};

/// Mistakes that backward passes are known to make; docs/kernels.md says which are real bugs.
enum class BackwardFault : std::uint8_t {
    none,
    dfinal_state_ignored,
    dinitial_state_zero,
    dinitial_state_before_first_gate,
    scale_missing_in_dq,
    scale_missing_in_state_gradient,
    state_gradient_lost_at_chunks,
    last_chunk_ignored,
    dq_before_own_token,
    dbeta_without_correction,
    dv_without_beta,
    dk_write_missing,
    dk_read_missing,
    dk_read_sign,
    correction_not_differentiated,
    gate_missing_in_state_gradient,
    dg_of_factor,
    dg_base_two,
    dg_late,
    dg_early,
    dg_not_cumulated_across_chunks,
    dg_state_term_lost,
    dg_state_term_lost_in_last_chunk
};

/// A mistake, and the chunk that it depends on, if it does.
struct PlantedFault {
    BackwardFault fault = BackwardFault::none;
    Index chunk = 64;
    Index offset = 0;  ///< tokens of the first chunk that lie before the sequence
};

/// Mistakes in what chunked kernels make of the tokens of one chunk: their scores q kᵀ, and the
/// unit lower triangular matrix I + A of their corrections, or I − A of steps of low rank.
enum class ChunkedFault : std::uint8_t {
    none,
    matrix_without_decay,
    matrix_without_beta,
    matrix_sign,  ///< A with the other sign
    scores_without_decay,
    scores_without_diagonal,
    wy_read_not_differentiated  ///< of the pass back: the inverse times β a, held fixed
};

/// How a sequence is cut into chunks, and what is wrong inside them.
struct ChunkedForm {
    Index chunk = 64;
    Index offset = 0;  ///< tokens of the first chunk that lie before the sequence
    ChunkedFault fault = ChunkedFault::none;
};

/// The recurrence token by token and its adjoint, the states kept at every 64th token and computed
/// again from there on the way back (docs/kernel-bounds.md has the formulas). O(T n K V) either
/// way; 64 (n + 1) K V numbers besides the tape.
template <class Arithmetic>
[[nodiscard]] RecurrenceOutputs token_by_token(Tape<Arithmetic>& tape,
                                               const RecurrenceInputs& inputs,
                                               PlantedFault fault = {});

/// The same as a chunked kernel has it, C tokens at once; corrections by the inverse of their
/// triangular matrix (the WY form). O(T K V + T C (K + V + C)) a micro-step.
template <class Arithmetic>
[[nodiscard]] RecurrenceOutputs in_chunks(Tape<Arithmetic>& tape,
                                          const RecurrenceInputs& inputs,
                                          const ChunkedForm& form);

extern template RecurrenceOutputs token_by_token(Tape<ExactArithmetic>& tape,
                                                 const RecurrenceInputs& inputs,
                                                 PlantedFault fault);
extern template RecurrenceOutputs token_by_token(Tape<RandomArithmetic>& tape,
                                                 const RecurrenceInputs& inputs,
                                                 PlantedFault fault);
extern template RecurrenceOutputs in_chunks(Tape<ExactArithmetic>& tape,
                                            const RecurrenceInputs& inputs,
                                            const ChunkedForm& form);
extern template RecurrenceOutputs in_chunks(Tape<RandomArithmetic>& tape,
                                            const RecurrenceInputs& inputs,
                                            const ChunkedForm& form);

}  // namespace attest
