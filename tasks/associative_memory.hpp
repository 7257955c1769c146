#pragma once

#include "core/exact/scalars.hpp"
#include "core/rng/stream.hpp"
#include "tasks/labels.hpp"
#include "tasks/task.hpp"

#include <memory>
#include <optional>

namespace attest {

/// Where the orthogonal keys and values of a unitary sequence come from.
enum class OrthogonalKind : std::uint8_t {
    rational,  ///< Cayley transforms, times a factor a sequence that makes doubles of them, exactly
    signed_permutation,  ///< on the grid, exact
    haar,  ///< random_orthogonal: Haar measure, rounded to doubles, hence never quite orthogonal
};
enum class QueryValue : std::uint8_t { normal, zero };          ///< ζ
enum class MemoryLabels : std::uint8_t { attention, printed };  ///< MHLA_Θ(Z), or equation 14
enum class MemoryTeacher : std::uint8_t { paper, random };

inline constexpr Choices<OrthogonalKind, 3> kOrthogonalKinds{
    {{OrthogonalKind::rational, "rational"},
     {OrthogonalKind::signed_permutation, "signed_permutation"},
     {OrthogonalKind::haar, "haar"}}};
inline constexpr Choices<QueryValue, 2> kQueryValues{
    {{QueryValue::normal, "normal"}, {QueryValue::zero, "zero"}}};
inline constexpr Choices<MemoryLabels, 2> kMemoryLabels{
    {{MemoryLabels::attention, "attention"}, {MemoryLabels::printed, "printed"}}};
inline constexpr Choices<MemoryTeacher, 2> kMemoryTeachers{
    {{MemoryTeacher::paper, "paper"}, {MemoryTeacher::random, "random"}}};

/// Options of the task of Figure 2.
struct AssociativeMemoryOptions {
    Index d = 4;  ///< keys and values have d entries: tokens have 2d, sequences d + 1 tokens
    double mixture = 0.0;  ///< probability that a sequence is unitary
    std::optional<Index>
        num_gaussian;  ///< if set: sequences 0 … num_gaussian−1 are Gaussian, all others unitary
    OrthogonalKind orthogonal = OrthogonalKind::rational;
    QueryValue zeta = QueryValue::normal;
    MemoryLabels labels = MemoryLabels::attention;
    MemoryTeacher teacher = MemoryTeacher::paper;
};

/// Z = [k_1 … k_d q; v_1 … v_d ζ], q a uniformly random k_j. Gaussian sequences have grid_normal
/// keys and values, in unitary ones {k_j} and {v_j} are the columns of two fresh random orthogonal
/// matrices. Rational ones are a whole sequence times one factor from 1 to 2: features are
/// homogeneous, so no rank knows it, and what the file holds is orthogonal exactly. Truth: one
/// head. Erratum: equation 14 is not MHLA_Θ(Z). The query column attends to itself and adds |q|²ζ:
/// on Gaussian keys no layer gives the printed labels, on unitary ones another layer does.
class AssociativeMemory final : public Task {
public:
    AssociativeMemory(const AssociativeMemoryOptions& options, const Stream& stream);

    [[nodiscard]] TaskTraits traits() const override;
    [[nodiscard]] TaskDescription description() const override;
    [[nodiscard]] Index length(Index i) const override;
    [[nodiscard]] Sequence draw(Index i) const override;
    [[nodiscard]] GroundTruth truth() const override;

    /// Whether sequence i is unitary. A larger mixture only turns Gaussian sequences into unitary
    /// ones.
    [[nodiscard]] bool unitary(Index i) const;
    /// Z of sequence i over the rationals, before any factor: keys and values of a unitary sequence
    /// are orthonormal exactly. Throws NotAvailable for a unitary sequence with Haar keys, which
    /// have no rational form.
    [[nodiscard]] MatrixOf<Rational> draw_exact(Index i) const;

private:
    [[nodiscard]] Stream example(Index i) const;
    [[nodiscard]] bool rational(Index i) const;
    [[nodiscard]] Matrix labels(const Matrix& Z, const Labeller& labeller) const;

    AssociativeMemoryOptions options_;
    std::string path_;
    Stream examples_;
    Labeller labeller_;
};

/// Σ_j ⟨q, k_j⟩ (0; v_j), equation 14 as printed, from Z as above. 2d entries.
[[nodiscard]] Vector printed_memory_label(const Matrix& Z);

/// The paper's head: V = [0 0; 0 I], Q = [I 0; 0 0].
[[nodiscard]] Parameters memory_parameters(Index d);

/// The task's row in the registry.
[[nodiscard]] std::vector<TaskParameter> associative_memory_parameters();
[[nodiscard]] std::unique_ptr<Task> read_associative_memory(const ParameterReader& reader,
                                                            const Stream& stream);

}  // namespace attest
