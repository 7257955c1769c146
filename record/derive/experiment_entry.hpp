#pragma once

#include "record/derive/derived.hpp"
#include "record/experiment.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Where the report shows an experiment.
enum class Topic : std::uint8_t {
    papers,   ///< what the papers' figures and statements look like, measured
    solvers,  ///< how the solvers compare: time, error, memory
    claims,   ///< the statements checked one by one
};

/// What `attest reproduce ID` runs: how to measure it, and what to make of its rows.
struct ExperimentEntry {
    std::string id;        ///< snake_case, as on the command line
    std::string summary;   ///< one line: what it shows
    double quick_seconds;  ///< measured on two cores, for "about … s" before it starts
    double full_seconds;
    /// The cases. What they share (data drawn once for several learners) they own together.
    std::function<Experiment(Profile profile, std::uint64_t seed)> make;
    /// The main table, for a terminal.
    std::function<std::string(const std::vector<Row>& rows)> text;
    /// Tables and figures from numbered rows alone; call `derive` below.
    std::function<Derived(const std::vector<Row>& rows)> derive_numbered;
    /// A refused case is an answer that the experiment asks for, not a failure of the run.
    bool asks_for_refusals = false;
    Topic topic = Topic::papers;
    /// Its tables or figures compare seconds: nothing runs beside it.
    bool timed = false;

    [[nodiscard]] double seconds(Profile profile) const {
        return profile == Profile::quick ? quick_seconds : full_seconds;
    }
};

/// The entry of that id; throws UnknownName listing the ids otherwise.
[[nodiscard]] const ExperimentEntry& entry_named(std::span<const ExperimentEntry> entries,
                                                 std::string_view id);

/// Tables and figures of these rows: sources are positions among them.
[[nodiscard]] Derived derive(const ExperimentEntry& entry, const std::vector<Row>& rows);

}  // namespace attest
