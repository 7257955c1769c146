#pragma once

#include "core/base/shape.hpp"
#include "record/figure/figure.hpp"

#include <cstdint>
#include <filesystem>
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

}  // namespace attest
