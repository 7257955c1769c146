#pragma once

#include "core/base/shape.hpp"
#include "core/data/dataset.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/learn.hpp"
#include "record/configuration.hpp"
#include "record/derive/experiment_entry.hpp"
#include "record/experiment.hpp"
#include "record/figure/figure.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// One setting and the values that a sweep gives it, each as the command line takes it.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values;

    [[nodiscard]] bool varies() const { return values.size() > 1; }
};

/// What is drawn: metrics over a setting, one curve for each combination of some others.
struct SweepFigure {
    std::string x;
    Scale x_scale = Scale::linear;
    std::vector<std::string> metrics;  ///< a panel each
    Scale y_scale = Scale::linear;
    std::vector<std::string> by;
};

/// A grid of task, learner and seed, as its file says it (docs/sweeps.md).
struct SweepPlan {
    std::string text = {};  ///< the file: rows carry it, so that figures can be drawn again
    std::string name = {};  ///< snake_case, of the rows and files
    std::string summary = {};
    std::vector<std::uint64_t> seeds = {0};
    std::string task = {};
    std::vector<SweepAxis> parameters = {};  ///< of the task, in the order of the file
    SweepAxis sequences = {};                ///< "400", or "2 psi" for twice the task's features
    std::vector<std::string> zipped = {};    ///< of these two: they go together, value by value
    Index held_out = 1000;                   ///< sequences that no learner sees
    std::vector<SweepAxis> learn = {};    ///< options of `attest learn`; empty: nothing is learned
    std::vector<SweepAxis> certify = {};  ///< of `attest certify`; empty: nothing is certified
    std::optional<SweepFigure> figure = {};
    int threads = 1;  ///< of every learner; no number depends on it

    /// The settings of the data and of these learners that take several values, in order.
    [[nodiscard]] std::vector<std::string> varied(const std::vector<SweepAxis>& learners) const;
};

/// Reads a sweep from the text of its file. Throws InvalidInput("PLACE:LINE: …") on what is no TOML
/// or of a wrong type, UnknownName on a key, task, parameter, layer, solver, level or metric that
/// there is none of. Nothing is drawn yet.
[[nodiscard]] SweepPlan sweep_from_text(const std::string& text, const std::string& place);

/// The same from a file. Throws InvalidInput when it cannot be read.
[[nodiscard]] SweepPlan read_sweep(const std::filesystem::path& path);

/// How a number of sequences is written: "400", or a multiple of ψ, "2 psi". At least 1. Throws
/// InvalidInput for anything else.
[[nodiscard]] Index sequences_of(const std::string& words, Index psi);

/// One value for each of some settings, as the command line takes them.
using SweepWords = std::map<std::string, std::string>;

/// The settings of the data: parameters and "sequences" of each, the first axis slowest. Zipped
/// axes count as one, where the first of them stands.
[[nodiscard]] std::vector<SweepWords> data_settings(const SweepPlan& plan);

/// A sweep as an experiment: run, resumed, compared and reported as the built-in ones. Seed s of
/// the file draws from seed s + `seed`. Metrics of learners: psi, num_examples, train_relative,
/// held_out_relative, held_out_mse, rcond, unique, and where there are such error_bound, rank,
/// heads; seconds (wall). Metrics of certificates: psi, num_examples, rank, nullity, determined; of
/// level numerical also lambda_min and condition.
[[nodiscard]] ExperimentEntry sweep_entry(const SweepPlan& plan);

/// The sweep that wrote rows of this configuration; nothing where no sweep did.
[[nodiscard]] std::optional<ExperimentEntry> sweep_behind(const Configuration& configuration);

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
