#pragma once

#include "core/certify/least_risk.hpp"
#include "core/data/dataset.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"

#include <string>

namespace attest {

// Can any layer do it? The answer is a LeastRisk.

[[nodiscard]] Decision decision(LabelConsistency verdict);

/// "expressible", "inexpressible" or "undecided".
[[nodiscard]] std::string expressible_word(LabelConsistency verdict);

/// "3" or "3/4".
[[nodiscard]] std::string fraction_text(const Rational& value);

/// The least risk as a fraction; "undecided" where it is.
[[nodiscard]] std::string risk_text(const LeastRisk& found);

/// Whether any model of the layer fits the labels, and how well the best one does.
void describe(Output& output, const Layer& layer, const LeastRisk& found);

/// The coefficients of least risk as a model.
struct BestModel {
    Model model;              ///< for the paper's layer with o·d heads, each V a unit matrix E_ab
    Integer denominator = 1;  ///< times it, all coefficients are integers
    bool is_exact = false;    ///< every number of the model is the exact one, not rounded
};

/// `found` is least_risk(data), decided. Numbers that are no doubles are off by at most 2⁻⁵² of
/// their size. O(o ψ), and for the paper's layer O(o d³). Throws InvalidInput where the risk is
/// undecided.
[[nodiscard]] BestModel best_model(const Dataset& data, const LeastRisk& found);

/// What its doubles are of the exact coefficients.
void describe(Output& output, const BestModel& best);

}  // namespace attest
