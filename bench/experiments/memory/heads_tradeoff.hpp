#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/heads/fit_target.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

/// What decides the data of one case of the head trade-off; methods of one problem meet the same P̂.
struct TradeoffSetting {
    std::string family = "gaussian";  ///< gaussian, power_law, associative, automaton or turing
    Index d = 4;  ///< entries of a token; even for associative, 4V + 6 for automaton, 18 for turing
    std::uint64_t seed = 0;
    Index repetition = 0;

    friend bool operator==(const TradeoffSetting&, const TradeoffSetting&) = default;
};

/// Coefficients to be split into heads, as targets in two norms.
struct TradeoffProblem {
    Matrix truth;         ///< ψ×o coefficients of the planted heads
    Index planted = 0;    ///< how many they are
    FitTarget frobenius;  ///< in ‖Sym W‖
    FitTarget weighted;   ///< in the norm of the training data
    double noise = 0.0;   ///< ‖L(p̂ − p)‖²/‖L p‖², what least squares itself is off by
};

/// gaussian: n = 2d independent normal tokens and d planted heads of strengths 1, 1/2, 1/4, …;
/// power_law: the same with covariance diag(k^−1.5); associative: the memory task's Gaussian
/// sequences with one random head. 20ψ sequences, label noise such that least squares is off by
/// about 1 %. automaton, turing: the coefficients of a compiled program, no noise; the data norm is
/// that of what it prints, whose second moment is singular.
[[nodiscard]] TradeoffProblem tradeoff_problem(const TradeoffSetting& setting);

using TradeoffProblems = LastProblem<TradeoffSetting, TradeoffProblem>;

/// One line per number of heads, one column per method, a table per family; medians over
/// repetitions.
[[nodiscard]] std::string heads_tradeoff_text(const std::vector<Row>& rows);

/// Tables heads_tradeoff_FAMILY_dD, figure heads_tradeoff.
[[nodiscard]] Derived heads_tradeoff_derived(const std::vector<Row>& rows);

}  // namespace attest
