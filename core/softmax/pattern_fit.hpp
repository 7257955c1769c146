#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// The regression of one label on the values of a few tokens with weights that sum to 1: minimises
/// ‖y − v_0 − Σ_s q_s (v_s − v_0)‖ over q, without allocating. A workspace: start, add each further
/// token, solve, read.
class PatternFit {
public:
    static constexpr Index kMostSteps = 16;

    /// For labels of d entries and patterns of `tokens` tokens, 2 ≤ tokens ≤ kMostSteps + 1.
    PatternFit(Index d, Index tokens);

    void start(const double* label, const double* value);
    void add(Index step, const double* value);

    /// False when σ_min of the d×steps design is below min_design or a probability below
    /// min_probability; nothing may be read then.
    [[nodiscard]] bool solve(double min_design, double min_probability);

    /// residual / (σ_min · least probability).
    [[nodiscard]] double score() const { return score_; }

    /// Of token 0, or of step j − 1.
    [[nodiscard]] double probability(Index j) const { return p_(j); }

private:
    [[nodiscard]] bool solve_one(double min_design, double min_probability);
    [[nodiscard]] bool solve_many(double min_design, double min_probability);
    [[nodiscard]] bool accept(double sigma, double min_probability);

    Index d_;
    Index steps_;
    Vector target_;  ///< y − v_0, then the residual
    Vector base_;    ///< v_0
    Matrix design_;  ///< d×steps, v_s − v_0
    Vector p_;
    double score_ = 0.0;
};

}  // namespace attest
