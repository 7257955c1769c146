#pragma once

#include "core/audit/certify_request.hpp"
#include "core/audit/learn.hpp"
#include "core/data/dataset.hpp"
#include "record/experiment.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace attest {

/// One value for each of some settings, as the command line takes them.
using SweepWords = std::map<std::string, std::string>;

/// Which data: learners of one setting meet the same.
struct SweepSetting {
    std::string task;
    SweepWords parameters;
    std::string sequences;
    Index held_out = 0;
    std::uint64_t seed = 0;

    friend bool operator==(const SweepSetting&, const SweepSetting&) = default;
};

struct SweepProblem {
    Dataset train;
    std::optional<Dataset> held_out;
};

/// What a setting's number of sequences comes to. Throws as make_task and sequences_of do.
[[nodiscard]] Index num_sequences(const SweepSetting& setting);

[[nodiscard]] SweepProblem draw_sweep_problem(const SweepSetting& setting);

/// Options of `attest learn` as a request. Throws on a solver, norm, ridge or number of heads that
/// there is none of.
[[nodiscard]] LearnRequest learn_request(const SweepWords& words, std::uint64_t seed, int threads);

/// The same of `attest certify`.
[[nodiscard]] CertifyRequest certify_request(const SweepWords& words);

/// The layer that is asked for; nothing: the task's own. Throws as layer_named does.
[[nodiscard]] std::optional<Layer> layer_asked_for(const SweepWords& words);

/// What was learned: metrics as sweep.hpp lists them.
[[nodiscard]] CaseOutcome measure_learning(const SweepProblem& problem,
                                           const SweepWords& words,
                                           const LearnRequest& request);

/// What was certified: metrics as sweep.hpp lists them.
[[nodiscard]] CaseOutcome measure_certificate(const SweepProblem& problem,
                                              const SweepWords& words,
                                              const CertifyRequest& request);

}  // namespace attest
