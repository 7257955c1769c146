#pragma once

#include "core/base/shape.hpp"
#include "record/parameter.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Version of the lines of a result file; docs/json.md lists the keys.
constexpr int kRowSchema = 1;

/// How a case ended.
enum class RowStatus : std::uint8_t {
    ok,
    failed,       ///< an error, or a metric that is NaN
    refused,      ///< the machine or the solver declined: memory, accuracy
    interrupted,  ///< the user stopped it
    skipped,      ///< what it needs is not available here
};

[[nodiscard]] std::string_view to_string(RowStatus status);
[[nodiscard]] RowStatus row_status_from_string(std::string_view text);

/// A measured number. Exact results carry the rational p/q beside its nearest double.
struct Metric {
    double value = 0.0;
    std::optional<double> bound = {};  ///< |value − truth| may be this large, where it is known
    /// "s", "bytes", "steps": costs. "success": 0 or 1 by a numerical search. Empty: a pure number.
    std::string unit = {};
    std::string exact = {};  ///< "p/q" or "p"; empty if not exact
};

using Metrics = std::map<std::string, Metric>;

/// A number ≥ 0 whose truth may as well be 0 below `level`, and which bounds itself there.
[[nodiscard]] Metric zero_up_to(double level, double value);

/// What was run. Equal keys, equal inputs: the data depend on task, parameters, seed, stream and
/// repetition only, so every learner meets the same data.
struct CaseKey {
    std::string task = {};
    ParameterMap parameters = {};
    std::string learner = {};
    ParameterMap learner_parameters = {};
    std::uint64_t seed = 0;
    std::string stream = {};  ///< path of the random stream
    Index repetition = 0;
    std::string precision = "double";
};

/// Canonical text of a key: two keys are the same case if and only if these are the same.
[[nodiscard]] std::string identity(const CaseKey& key);

/// For people: "associative_memory (mixture=0.5), ridge (penalty=0.1), seed 1, repetition 0".
[[nodiscard]] std::string describe(const CaseKey& key);

/// One line of a result file: one case of one experiment.
struct Row {
    int schema = kRowSchema;
    std::string id = {};  ///< experiment, snake_case
    CaseKey key = {};
    RowStatus status = RowStatus::ok;
    std::string message = {};  ///< why, when the status is not ok
    Metrics metrics = {};
    double seconds = 0.0;   ///< wall time of the case
    std::string blas = {};  ///< the linear algebra that answered, from its own report
    /// What the case found that is no number, as the text of one JSON object; empty if there is
    /// nothing.
    std::string evidence = {};
    /// Where it stands among the rows of its file, by `numbered` (record/source.hpp); never
    /// written.
    std::size_t position = 0;
};

/// The row as JSON object, keys in the order of docs/json.md. NaN and infinities are spelled as
/// strings.
[[nodiscard]] nlohmann::ordered_json to_json_object(const Row& row);

/// Reads back to_json_object. Throws InvalidInput("row: …") on a missing key, a wrong type or
/// another schema.
[[nodiscard]] Row row_from_json(const nlohmann::ordered_json& object);

}  // namespace attest
