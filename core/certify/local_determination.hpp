#pragma once

#include "core/certify/head_sizes.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/data/model_file.hpp"
#include "core/exact/modular_matrix.hpp"
#include "core/layers/layer_heads.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Derivatives of a layer's outputs by the entries of its heads, modulo a prime. Parameters stand
/// head after head, V (o×D) before Q (K×m), each row after row, then `direct` (o×m) of an affine
/// layer. An output is bilinear in V and Q, so the derivatives are exact.
class HeadJacobian {
public:
    /// `kernels` names the sum that each head reads. Throws InvalidInput for layers without heads.
    HeadJacobian(const Layer& layer, const LayerInput& input, Index o, std::vector<Index> kernels);

    [[nodiscard]] Index outputs() const { return o_; }

    [[nodiscard]] Index heads() const { return static_cast<Index>(kernels_.size()); }

    [[nodiscard]] Index num_parameters() const;

    /// Entries of one head, V before Q.
    [[nodiscard]] Index head_size() const;

    /// The heads as products of smaller matrices.
    [[nodiscard]] HeadProducts products(HeadSizes sizes) const;

    /// The layer's shape with these parameters.
    [[nodiscard]] LayerHeads unflatten(const std::vector<double>& parameters) const;
    [[nodiscard]] std::vector<double> flatten(const LayerHeads& heads) const;

    /// o×num_parameters at these parameters, on an example with these ψ features.
    /// O(heads·o·D·K·m).
    [[nodiscard]] ModularMatrix rows(const Modulus& p,
                                     const std::vector<Residue>& parameters,
                                     const Residue* features) const;

private:
    /// Adds to J the derivatives of the products of entry (j, k) of a head's sum, whose features
    /// with u are `asked` (m), by that head's V and Q.
    void add_entry(const Modulus& p,
                   const std::vector<Residue>& parameters,
                   const Residue* asked,
                   Index head,
                   Index j,
                   Index k,
                   ModularMatrix& J) const;

    SumShape shape_;
    Index m_ = 0;
    Index o_ = 0;
    Index sum_size_ = 0;
    Index direct_features_ = -1;  ///< the first feature that `direct` asks; −1: there is none
    std::vector<Index> kernels_;
};

/// What the data say of a layer with few heads, near the model at hand.
enum class LocalVerdict : std::uint8_t {
    determined,      ///< as many heads near it with its outputs on the data compute its function
    not_determined,  ///< some of them compute another function: by ranks modulo two primes of 61
                     ///< bits, and proved where there is a direction
    singular,        ///< the model is a special point of its family, where ranks say neither
    undecided,       ///< the rank of the data is not known exactly, or which combinations of the
                     ///< layer's features vanish on every input
};
[[nodiscard]] std::string_view to_string(LocalVerdict verdict);

/// Ranks of the derivative of the function, and of outputs on the data, by the heads' entries.
struct LocalDetermination {
    LocalVerdict verdict = LocalVerdict::undecided;
    Index heads = 0;
    std::optional<HeadSizes> sizes;  ///< of the family; absent: full
    std::optional<HeadSizes> ranks;  ///< of the model's heads in doubles, where sizes are full and
                                     ///< these are not
    double rounded_by = 0.0;         ///< with sizes: FactoredHeads::rounded_by
    Index parameters = 0;            ///< entries of the heads, or of their factors
    Index dimension = 0;  ///< D, of the functions of so many heads: the rank of ∂f at almost all, f
                          ///< being P less what the layer's identities make of it
    Index at_model = 0;  ///< rank of ∂f at the model
    Index rank = 0;      ///< rank of ∂(outputs on the data) at the model; never above D
    Index examples = 0;  ///< ⌈D/o⌉: fewer never suffice, seldom one more is needed
    /// not_determined: a direction that changes no output on the data, but the function, to first
    /// order; entries at most 1. Proved over Q, and then rounded. Absent where it is too long.
    std::optional<LayerHeads> direction;
};

/// Which layers it is about: "2 heads", or "2 heads of sizes 2 and 2", of keys and of values.
[[nodiscard]] std::string family_in_words(const LocalDetermination& found);

/// The heads of a model as those of its layer; none where the file has coefficients only.
[[nodiscard]] LayerHeads heads_of(const Model& model);

/// Sizes of the model's heads, their ranks in doubles, where one is below full; of full heads
/// nothing. Throws InvalidInput for a model without heads.
[[nodiscard]] std::optional<HeadSizes> sizes_below_full(const Model& model);

/// How many parameters the family has that local_determination asks about: entries of the heads, or
/// of their factors. Throws InvalidInput for layers without heads.
[[nodiscard]] Index family_parameters(const Model& model, HeadSizes sizes);

/// Whether the data determine, among layers with as many heads as the model has, the model's
/// function *locally*: near it, by the outputs it has on the data. By the constant rank theorem it
/// is so if the derivative on the data has the rank D (docs/certificates.md). Ranks are modulo a
/// prime that leaves the data their rank, and modulo a second one where the first does not show D:
/// `rank` is proved as a lower bound; D is the rank at two random points, too low with
/// probability below 2⁻⁹⁶. `rank` is certify_rank(data). With `sizes` the family is that of heads
/// of these sizes, and the model the nearest of them; then no direction is sought. Throws
/// InvalidInput where the model has no heads, another layer or other sizes, or heads of higher
/// rank.
[[nodiscard]] LocalDetermination local_determination(const Dataset& data,
                                                     const ExactRank& rank,
                                                     const Model& model,
                                                     HeadSizes sizes = {});

}  // namespace attest
