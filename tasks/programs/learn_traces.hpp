#pragma once

#include "core/certify/exact_learner.hpp"
#include "tasks/programs/trace_rows.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace attest {

/// Trace number i of a training set; a pure function of i.
using TraceSource = std::function<Trace(Index i)>;

/// Which of the traces offered are learned from.
enum class Selection : std::uint8_t {
    all,
    active,  ///< only those with a token that the earlier ones do not determine
};

/// Two 64-bit words of a functional over all features, modulo 2⁶⁴: a random combination of all
/// integer null vectors vanishes on a row of the row space over Q, and on another row with
/// probability below 2⁻⁸⁰ (entries of null vectors and rows below 2²⁰).
using Words = std::array<std::uint64_t, 2>;

/// A machine learned from traces, exactly.
struct LearnedProgram {
    SparseCoefficients
        coefficients;               ///< the basic minimiser, verified on every training row over Z
    std::vector<Words> null_words;  ///< one a feature
    Index num_traces = 0;           ///< learned from
    Index num_tokens = 0;           ///< printed tokens in them: training rows
    Index active_features = 0;      ///< features that are not 0 on every row
    Index classes = 0;              ///< of features that agree up to sign
    Index rank = 0;                 ///< over Q, proved: null vectors verified on every row over Z
    std::uint64_t prime = 0;        ///< of the elimination
};

/// Learns from traces 0 … count−1 of tokens with d rows. Throws InvalidInput when labels are
/// inconsistent: one combination of features, two labels; NotAvailable when the minimiser's
/// fractions are too large for either prime.
[[nodiscard]] LearnedProgram learn_traces(const TraceSource& source,
                                          Index count,
                                          Index d,
                                          Selection selection);

/// The exact certificate of one sequence: whether each printed token is determined by the training
/// rows, that is, annihilated by the null words.
[[nodiscard]] std::vector<bool> certified_tokens(const LearnedProgram& learned, const Trace& trace);

}  // namespace attest
