#pragma once

#include "cli/output.hpp"
#include "core/audit/certify.hpp"

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

}  // namespace attest::cli
