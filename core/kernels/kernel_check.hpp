#pragma once

#include "core/kernels/kernel_arithmetic.hpp"
#include "core/kernels/kernel_dump.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// An output, or an entry of the final state, that no kernel of the stated arithmetic computes.
struct KernelPlace {
    Index batch = 0;
    Index token = 0;  ///< T for the final state
    Index head = 0;
    Index column = 0;  ///< of the V outputs, or of the K·V entries of the state
    double found = 0.0;
    double expected = 0.0;
    double tolerance = 0.0;
};

/// Of one head of one sequence.
struct HeadVerdict {
    Index rows_outside = 0;
    Index rows_undecided = 0;
    double largest_ratio = 0.0;
    std::optional<KernelPlace> first = {};        ///< of the outputs
    std::optional<KernelPlace> final_state = {};  ///< the first entry outside
};

/// A row is the V outputs of one token and head: outside when one of them is farther from the
/// reference than its tolerance; undecided when zeros would be within it as well.
struct KernelCheck {
    std::vector<HeadVerdict> heads;  ///< (B,H)
    std::vector<double> ratios;      ///< (B,T,H): the largest |o − reference| / tolerance
    Index rows_outside = 0;
    Index rows_undecided = 0;
    Index states_outside = 0;  ///< heads whose final state is outside
    double largest_ratio = 0.0;
    std::optional<KernelPlace> first =
        {};  ///< the earliest token's; a final state's if no output is

    [[nodiscard]] bool holds() const { return rows_outside == 0 && states_outside == 0; }
};

/// Checks every token, head and final state. O(B H T K V), heads spread over the threads.
[[nodiscard]] KernelCheck check_kernel(const KernelDump& dump,
                                       const KernelArithmetic& arithmetic,
                                       int threads);

/// Where a bound must be narrower than the row that it stands beside.
enum class DecidedRows : std::uint8_t { some, all };

/// Whether each of these heads of sequence b is within everywhere, and decided in some or all rows;
/// stops at the first row that says no.
[[nodiscard]] bool heads_fit(const KernelDump& dump,
                             Index b,
                             const std::vector<Index>& heads,
                             const KernelArithmetic& arithmetic,
                             DecidedRows decided = DecidedRows::some);

/// A fault that would make a wrong kernel's outputs.
struct Likeness {
    std::string name;
    std::string sentence;
};

/// What a dump that fails its check looks like, the likeliest first; empty: like nothing known.
/// Tried on the sequence of the first wrong place: the mutants of the reference, which must bring
/// every row of its wrong heads within the tolerance; where none does, coarser arithmetic: outputs
/// stored coarsely, a state carried in few bits (which must account for more than half of the
/// squared error of the tokens up to 256 behind the first wrong one), and, where most rows are
/// wrong by what rounding makes of such numbers, factors of products rounded and a coarser
/// accumulator. Evidence, not proof.
[[nodiscard]] std::vector<Likeness> diagnose_kernel(const KernelDump& dump,
                                                    const KernelArithmetic& arithmetic,
                                                    const KernelCheck& check);

// Changes that several faults are made of, of dumps of one sequence.

/// The same gates as factors, at least one a token and head: ones where there were none.
[[nodiscard]] KernelDump with_factors(KernelDump dump);

/// An array (T,H,width) whose token t holds what stood at token t − by; zeros or `fill` before and
/// after.
[[nodiscard]] std::vector<double> moved_in_time(const KernelDump& dump,
                                                const std::vector<double>& rows,
                                                Index by,
                                                double fill);

/// Each K×V state of a dump with K = V transposed.
[[nodiscard]] std::vector<double> transposed_states(const KernelDump& dump,
                                                    std::vector<double> states);

/// An array (T,H,width) as it reads when its memory is taken for (H,T,width).
[[nodiscard]] std::vector<double> read_heads_first(const KernelDump& dump,
                                                   const std::vector<double>& rows);

/// Row r of an array (T,H,width) times factors[r].
[[nodiscard]] std::vector<double> scaled_rows(std::vector<double> rows,
                                              const std::vector<double>& factors);

}  // namespace attest
