#pragma once

#include "cli/output.hpp"
#include "core/certify/least_risk.hpp"
#include "core/data/dataset.hpp"
#include "core/questions/certify.hpp"

#include <optional>
#include <string>

namespace attest::cli {

// What `attest certify` says beyond the verdict, one function an option.

/// --witness OUT.npz: two minimisers that disagree, written as OUT-a.npz and OUT-b.npz, and the
/// input, OUT-input.npz.
void write_witness(Output& output, const std::string& path, const WitnessAudit& found);

/// --model: how far any equally good model may differ from this one; on each query, if there were
/// some.
void show_model(Output& output, const ModelAudit& model, const Dataset* queries);

/// --model with --heads: do the data determine it among layers of as many heads?
void show_few_heads(Output& output, const LocalDetermination& found);

/// --ood, --noise: expected excess risk of least squares on other data under label noise.
void show_elsewhere(Output& output, const std::string& path, const OutOfDistribution& found);

/// --queries with --noise: how far the minimiser may be from the truth on each query.
void show_truth(Output& output, const TruthDistance& found);

/// --suggest, --pool: which examples to add.
void show_suggestions(Output& output,
                      const std::string& pool,
                      const std::vector<Suggestion>& suggestions);

/// All of these that were asked for but the witness, which is files. The pool goes by that name.
void show_extras(Output& output,
                 const Certification& found,
                 const CertifyRequest& request,
                 const std::string& pool);

/// "expressible", "inexpressible" or "undecided".
[[nodiscard]] std::string expressible_word(LabelConsistency verdict);

/// "3" or "3/4".
[[nodiscard]] std::string fraction_text(const Rational& value);

/// The least risk as a fraction; "undecided" where it is.
[[nodiscard]] std::string risk_text(const LeastRisk& found);

/// Whether any model of the layer fits the labels, and how well the best one does.
void show_least_risk(Output& output, const Layer& layer, const LeastRisk& found);

/// Writes the proof that no model does better, or says that there is none.
void write_risk_proof(Output& output,
                      const std::string& path,
                      const std::optional<std::string>& proof);

/// Writes the best model and says whether its doubles are the exact coefficients.
void write_best_model(Output& output,
                      const std::string& path,
                      const Dataset& data,
                      const LeastRisk& found);

}  // namespace attest::cli
