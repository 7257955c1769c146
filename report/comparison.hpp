#pragma once

#include "record/checked_case.hpp"
#include "report/result_set.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// Something that is not the same before and after; "absent" where there is nothing.
struct Change {
    std::string file;     ///< "quick/fig2"
    std::string subject;  ///< a claim, a case, a case and its metric, or a fact of the environment
    std::string before;
    std::string after;
    std::string why;  ///< for metrics: what the change exceeds
};

/// How long the cases took that ended well on both sides.
struct TimingRatio {
    std::string file;
    std::size_t cases = 0;
    std::optional<double> ratio;  ///< after/before; nothing where the environments differ
};

struct Comparison {
    std::vector<Change> claims;       ///< verdicts
    std::vector<Change> cases;        ///< on one side only, or with another ending
    std::vector<Change> metrics;      ///< moved
    std::vector<Change> environment;  ///< for people; no difference by itself
    std::vector<TimingRatio> timings;
    std::vector<std::string> problems;  ///< lines of either side that cannot be read
    std::size_t claims_compared = 0;
    std::size_t metrics_compared = 0;

    /// Whether no verdict, case or metric differs.
    [[nodiscard]] bool same() const { return claims.empty() && cases.empty() && metrics.empty(); }
};

/// Compares two result sets file by file and case by case. Of one case on both sides, exact values
/// and whole numbers must be equal and bounded values lie within the sum of their bounds. Anything
/// else has moved when its mean over seeds and repetitions changed by more than `threshold` of its
/// size and, where there are two values or more on each side, by more than four combined standard
/// errors. Seconds and bytes are no metrics: see `timings`.
[[nodiscard]] Comparison compare_results(const ResultSet& before,
                                         const ResultSet& after,
                                         double threshold);

/// For a terminal.
[[nodiscard]] std::string comparison_text(const Comparison& comparison);

/// For a pull request: a verdict, then a table of each kind of change, fifty lines at most.
[[nodiscard]] std::string comparison_markdown(const Comparison& comparison);

/// One case for the whole, which fails unless all is the same, one for each change, and an open one
/// for each line that cannot be read. Environments are no cases.
[[nodiscard]] std::vector<CheckedCase> checked_cases(const Comparison& comparison);

/// {same, claims, cases, metrics, environment, timings, problems, …}, keys in docs/json.md.
[[nodiscard]] nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace attest
