#pragma once

#include "core/data/sources/sequences.hpp"
#include "core/exact/null_space.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

/// What is proved about the rank of the N×ψ feature matrix, over Q.
enum class RankVerdict : std::uint8_t {
    full_rank,  ///< rank ψ: every empirical risk minimiser over P is the same function
    deficient,  ///< rank below ψ
    undecided,
};
[[nodiscard]] std::string_view to_string(RankVerdict verdict);

/// Which integer null vectors certify_rank looks for.
enum class NullVectors : std::uint8_t {
    none,       ///< deficiency is then proved only by N < ψ
    one,        ///< enough for a verdict and for one witness
    as_needed,  ///< a complete basis within the budget, unless N already proves the rank: then only
                ///< if it is cheap
    all,        ///< a complete basis within the budget
};

struct ExactRankOptions {
    NullVectors null_vectors = NullVectors::as_needed;
    LiftOptions lift = {};
};

/// The verdict with its evidence. `rank_lower` is proved by pivots modulo a prime, `rank_upper` by
/// N, ψ and null vectors.
struct ExactRank {
    RankVerdict verdict = RankVerdict::undecided;
    Index num_examples = 0;
    Index psi = 0;
    Index rank_lower = 0;
    Index rank_upper = 0;
    RankProfile
        profile;  ///< the submatrix of these examples and features is regular modulo profile.prime
    IntegerNullSpace null_space;  ///< Σ_j v_j H_j(Z_i) = 0 over Z for every example i and vector v
    std::string
        reason;  ///< one line for people: what proves the verdict, or what is missing and its cost

    [[nodiscard]] bool rank_is_exact() const { return rank_lower == rank_upper; }

    /// Whether null_space is proved to be a basis of all null vectors.
    [[nodiscard]] bool null_basis_is_complete() const {
        return rank_lower + static_cast<Index>(null_space.vectors.size()) == psi;
    }
};

/// Bytes that certify_rank takes at its peak, beside a block of features.
[[nodiscard]] double exact_rank_bytes(Index psi);

/// What the number of examples alone proves: deficient where N < ψ, else undecided. `left_out` ends
/// the sentence that begins "the rank itself".
[[nodiscard]] ExactRank rank_by_counting(const SequenceShape& data, std::string_view left_out);

/// Decides over Q whether the features H(Z_i) of the examples have rank ψ(d): the certificate
/// λ_min(Λ_D) > 0 of Lemma 2.3, exactly for the doubles given. Full rank is proved by pivots modulo
/// one prime (a nonzero minor modulo p is nonzero), deficiency by N < ψ or by integer null vectors
/// verified on every example; a rank deficiency modulo a prime alone proves nothing. O(N ψ + ψ³)
/// modular operations to prove full rank. Throws InvalidInput for NaN and infinities,
/// EnvironmentFailure when the memory estimate exceeds the limit.
[[nodiscard]] ExactRank certify_rank(const SequenceSource& data,
                                     const ExactRankOptions& options = {});

[[nodiscard]] inline ExactRank certify_rank(const Dataset& data,
                                            const ExactRankOptions& options = {}) {
    return certify_rank(SequencesInMemory(data), options);
}

}  // namespace attest
