#include "core/certify/exact_second_moment.hpp"

#include "core/base/memory.hpp"
#include "core/base/stop_scope.hpp"
#include "core/base/text.hpp"
#include "core/certify/exact_features.hpp"
#include "core/exact/lift.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace attest {

namespace {

/// 2^common times the features: rows of FeatureRows have powers of two of their own, these share
/// one.
struct CommonScale {
    int exponent = 0;  ///< the largest row exponent
    Index entry_bits = 0;
};

CommonScale common_scale(const FeatureRows& rows, Index num_examples) {
    int smallest = rows.row_exponent(0);
    CommonScale scale{smallest, 0};
    for (Index i = 1; i < num_examples; ++i) {
        scale.exponent = std::max(scale.exponent, rows.row_exponent(i));
        smallest = std::min(smallest, rows.row_exponent(i));
    }
    scale.entry_bits = rows.entry_bits() + scale.exponent - smallest;
    return scale;
}

/// The Gram matrix of the commonly scaled rows modulo p, its lower triangle column after column.
std::vector<Residue> gram_residues(const Modulus& p, const FeatureRows& rows, int exponent) {
    const Index psi = rows.num_columns();
    std::vector<Residue> sums(static_cast<std::size_t>(psi * (psi + 1) / 2), 0);
    for (Index b = 0; b < rows.num_blocks(); ++b) {
        throw_if_stopped("exact_second_moment");
        ModularMatrix H = rows.block(p, b);
        for (Index i = 0; i < H.rows(); ++i) {
            const int missing = exponent - rows.row_exponent(rows.first_row(b) + i);
            const Residue factor = p.reduce(Dyadic{1, missing});
            for (Index j = 0; missing != 0 && j < psi; ++j) {
                H(i, j) = p.multiply(H(i, j), factor);
            }
        }
        const ModularMatrix product = multiply(p, transpose(H), H);
        std::size_t at = 0;
        for (Index j = 0; j < psi; ++j) {
            for (Index k = j; k < psi; ++k, ++at) {
                sums[at] = p.add(sums[at], product(k, j));
            }
        }
    }
    return sums;
}

}  // namespace

ExactSecondMoment exact_second_moment(const SequenceSource& data) {
    const FeatureRows rows(data);
    require(rows.odd_base() == 1,
            "the exact second moment: the layer {} has parameters whose denominators are no powers "
            "of two; use --level exact",
            to_string(data.shape().layer));
    const Index psi = rows.num_columns();
    const Index N = data.shape().num_examples();
    const CommonScale scale = common_scale(rows, N);
    const Index bits = 2 * scale.entry_bits +
                       static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(N))) + 2;
    const auto entries = static_cast<double>(psi) * static_cast<double>(psi);
    require_memory(entries * (static_cast<double>(bits) / 4.0 + 64.0),
                   formatted("the exact second moment, psi = {}", psi),
                   "use --level exact, which needs no second moment");
    ResidueVector known;
    std::uint64_t prime = std::uint64_t{1} << 61U;
    while (bit_length(known.modulus) <= bits) {
        prime = previous_prime(prime);
        const Modulus p(prime);
        known = combine(std::move(known), p, gram_residues(p, rows, scale.exponent));
    }
    ExactSecondMoment moment{MatrixOf<Integer>(psi, psi), -2 * scale.exponent, N};
    const Integer half = known.modulus / 2;
    std::size_t at = 0;
    for (Index j = 0; j < psi; ++j) {
        for (Index k = j; k < psi; ++k, ++at) {
            Integer value = known.values[at];
            if (value > half) {
                value -= known.modulus;
            }
            moment.G(k, j) = value;
            moment.G(j, k) = value;
        }
    }
    return moment;
}

}  // namespace attest
