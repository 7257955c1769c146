#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/moments/triangular_factor.hpp"
#include "record/derive/derived.hpp"
#include "record/experiment.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

/// Cases that prove the rank of associative-memory data over Q, on rational orthogonal keys and
/// values: learner "exact_rank"; metrics d (of the keys), psi, num_unitary, num_gaussian, rank,
/// nullity, proved (1 or 0).
[[nodiscard]] std::vector<Case> fig2_exact_rank_cases(std::uint64_t seed);

/// What decides the data of one case of Figure 2; learners of one problem meet the same data.
struct Fig2Setting {
    Index d = 4;             ///< dimension of keys and values; tokens have 2d entries
    Index N = 4096;          ///< sequences
    Index num_gaussian = 0;  ///< of these with Gaussian keys and values; the others are unitary
    std::string teacher = "paper";
    double sigma = 0.1;  ///< standard deviation of the label noise, where a learner has any
    std::uint64_t seed = 0;
    Index repetition = 0;

    friend bool operator==(const Fig2Setting&, const Fig2Setting&) = default;
};

/// Which labels a learner sees.
enum class Fig2Labels : std::uint8_t { exact, noisy, printed };

/// The data of one setting, reduced to what learners need: one factor for all three kinds of
/// labels.
struct Fig2Problem {
    Dataset data;             ///< the sequences, with exact labels
    Matrix truth;             ///< ψ×o coefficients of the teacher
    TriangularFactor factor;  ///< right-hand sides [exact | noisy | printed], o columns each
    NumericalSpectrum spectrum;
    Dataset fresh;  ///< Gaussian sequences, labelled by the teacher: out of distribution

    /// The factor with one kind of labels as right-hand side. `residual` and `label_power` stay
    /// those of all.
    [[nodiscard]] TriangularFactor with_labels(Fig2Labels labels) const;
};

/// What names a case of this setting, but for its learner and stream.
[[nodiscard]] CaseKey fig2_key(const Fig2Setting& setting);

/// Draws the data and reduces them.
[[nodiscard]] Fig2Problem fig2_problem(const Fig2Setting& setting);

using Fig2Problems = LastProblem<Fig2Setting, Fig2Problem>;

/// One line per mixture and learner, medians over seeds.
[[nodiscard]] std::string fig2_text(const std::vector<Row>& rows);

/// Tables fig2_distance_TEACHER, fig2_ood_TEACHER and fig2_rank, figure fig2.
[[nodiscard]] Derived fig2_derived(const std::vector<Row>& rows);

}  // namespace attest
