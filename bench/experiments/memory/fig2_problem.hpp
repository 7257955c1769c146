#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/moments/triangular_factor.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>

namespace attest {

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

}  // namespace attest
