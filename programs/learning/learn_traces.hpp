#pragma once

#include "core/certify/learner.hpp"
#include "core/data/dataset.hpp"
#include "programs/learning/null_words.hpp"
#include "programs/learning/trace_rows.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace attest {

/// Trace number i of a training set; a pure function of i.
using TraceSource = std::function<Trace(Index i)>;

/// Which of the traces offered are learned from.
enum class Selection : std::uint8_t {
    all,
    active,  ///< only those with a token that the earlier ones, the last 1/16 apart, leave open
};

/// A machine learned from traces, exactly.
struct LearnedProgram {
    SparseCoefficients
        coefficients;               ///< the basic minimiser, verified on every training row over Z
    std::optional<RowSpan> span;    ///< of the training rows, verified in the same way
    std::vector<Words> null_words;  ///< one a feature: a quick test for rows outside the span
    Index num_traces = 0;           ///< learned from
    Index num_tokens = 0;           ///< printed tokens in them: training rows
    Index active_features = 0;      ///< features that are not 0 on every row
    Index classes = 0;              ///< of features that agree up to sign
    Index rank = 0;                 ///< over Q, proved: null vectors verified on every row over Z
    ClassOrder order = ClassOrder::lowest_first;  ///< of the features pivots are taken from
    std::uint64_t prime = 0;                      ///< of the elimination
    Index primes = 1;           ///< that fractions were reconstructed from, with the first
    std::vector<Index> traces;  ///< numbers of those learned from, ascending
};

/// Learns from traces 0 … count−1 of tokens with d rows. Pivot features are the lowest ones; if
/// their fractions are too large for one prime, the rarest ones, and fractions are reconstructed
/// from several primes where need be. Throws InvalidInput when labels are inconsistent: one
/// combination of features, two labels; NotAvailable when fractions are too large even then, with
/// their size (lift_solution).
[[nodiscard]] LearnedProgram learn_traces(const TraceSource& source,
                                          Index count,
                                          Index d,
                                          Selection selection);

/// The exact certificate of one sequence: whether each printed token is determined by the training
/// rows. Rows that the null words let pass are decided over Z. Not for two threads at once.
[[nodiscard]] std::vector<bool> certified_tokens(const LearnedProgram& learned, const Trace& trace);

/// Traces 0 … count−1 as a data set: every printed token is one example, the tokens before it its
/// sequence, the token its label. d rows a token, o = d.
[[nodiscard]] Dataset printed_tokens(const TraceSource& source, Index count, Index d);

}  // namespace attest
