#pragma once

#include "core/data/model_file.hpp"
#include "core/questions/reduce_heads.hpp"

#include <string>
#include <vector>

namespace attest {

/// The heads that read one of a layer's kernels, and how many do.
struct KernelHeads {
    std::string kernel;  ///< describe(kernel)
    Index before = 0;
    Index after = 0;
    Index at_least = 0;  ///< certified for the coefficients of this kernel
    bool proved = false;
    double residual = 0.0;  ///< of the coefficients, relative to their size
};

/// Fewer heads of a layer with kernels: those of one kernel merge, those of several cannot.
struct KernelReduction {
    LayerHeads heads;
    std::vector<KernelHeads> kernels;
    /// Whether no combination of the kernels is 0 at all distances, so that `at_least` bounds the
    /// heads of every layer with these kernels that computes the function.
    bool independent = false;

    [[nodiscard]] Index num_heads() const { return std::ssize(heads.heads); }

    /// Of the function, where the kernels are independent; else 1, or 0 of the zero layer.
    [[nodiscard]] Index at_least() const;

    [[nodiscard]] bool same_function() const;
};

/// Whether a layer's heads can be reduced kernel by kernel: y = Σ_g p_gᵀ(pack(Σ κ_g z zᵀ) ⊗ z),
/// with scalar gates or none; empty where they can, else why not.
[[nodiscard]] std::string why_not_by_kernel(const Layer& layer);

/// Why nobody looks for fewer heads of a layer with coefficients P: another kind of layer, more
/// than 1000 features a kernel, or zero; empty where the search is made.
[[nodiscard]] std::string why_not_sought(const Model& model, const Matrix& P);

/// The fewest heads of each kernel by reduce_heads in the norm of the coefficients, each with an
/// equal part of the budget. Throws InvalidInput for layers that why_not_by_kernel refuses.
[[nodiscard]] KernelReduction reduce_heads_by_kernel(const Model& model,
                                                     const HeadRequest& request,
                                                     const Stream& stream,
                                                     const HeadObserver& observer);

/// What an audit says of these heads: as head_needs, but measured on the coefficients, and without
/// the error of fewer.
[[nodiscard]] HeadNeeds head_needs_by_kernel(const Model& model,
                                             double budget,
                                             const Stream& stream);

/// A line a kernel, the bound and whether it is the same function.
void describe(Output& output, const KernelReduction& found);

}  // namespace attest
