#pragma once

#include "core/base/shape.hpp"

namespace attest {

/// A product of two entries of a data column x: x[factor] · x[entry].
struct ProductPair {
    Index factor;
    Index entry;
};

/// The inner loops of the structured Gram for one instruction set and scalar: plain functions, so
/// that a source file compiled for a wider instruction set shares no inline code with the rest of
/// the program.
template <class Scalar>
struct GramPathOf {
    Index lanes;          ///< scalars in a vector register
    Index rows;           ///< height of a row panel
    Index columns;        ///< greatest width of a column panel
    Index flops_in_spin;  ///< flops of one step of `spin`

    /// Column panel: `width` products (one for each of `pairs`) of each of `count` examples, which
    /// are the columns of `data`, leading dimension ld.
    void (*form_columns)(Scalar* panel,
                         Index width,
                         const Scalar* data,
                         Index ld,
                         Index count,
                         const ProductPair* pairs);

    /// Forms the row panel, `rows` products an example, and multiplies it as `multiply` does. Reads
    /// up to lanes−1 scalars past a pair's entry. Fast where neighbouring pairs share the factor
    /// and have consecutive entries. Panels and tiles are aligned to 64 bytes, but not column
    /// panels.
    void (*form_and_multiply)(Scalar* tile,
                              Scalar* panel,
                              const Scalar* data,
                              Index ld,
                              const ProductPair* pairs,
                              const Scalar* columns,
                              Index count,
                              Index width);

    /// tile (rows×width, column-major) += row panel · column panelᵀ, contracted over `count`
    /// examples.
    void (*multiply)(Scalar* tile, Scalar* panel, const Scalar* columns, Index count, Index width);

    /// (high, low) += tile entry by entry, keeping each addition's rounding error in `low` (Knuth's
    /// TwoSum).
    void (*fold)(Scalar* high, Scalar* low, const Scalar* tile, Index size);

    /// `steps` rounds of independent fused multiply-adds in registers, to measure the arithmetic
    /// peak.
    Scalar (*spin)(Index steps);
};

/// The path compiled for an instruction set; nullptr where the compiler does not target it.
[[nodiscard]] const GramPathOf<double>* gram_path_avx512(double /*tag*/);
[[nodiscard]] const GramPathOf<float>* gram_path_avx512(float /*tag*/);
[[nodiscard]] const GramPathOf<double>* gram_path_avx2(double /*tag*/);
[[nodiscard]] const GramPathOf<float>* gram_path_avx2(float /*tag*/);
[[nodiscard]] const GramPathOf<double>* gram_path_portable(double /*tag*/);
[[nodiscard]] const GramPathOf<float>* gram_path_portable(float /*tag*/);

}  // namespace attest
