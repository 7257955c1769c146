#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Text as the content or the double-quoted attribute of an XML element: & < > " become entities
/// and each control character a space (XML 1.0, sections 2.2 and 2.4). UTF-8 passes unchanged.
[[nodiscard]] std::string xml_text(std::string_view text);

enum class CheckOutcome : std::uint8_t {
    passed,
    failed,
    open,  ///< neither: not decided, or not run
};

/// One thing that was checked, for programs that collect the checks of many tools.
struct CheckedCase {
    std::string group;  ///< what belongs together: a paper, a kind of change
    std::string name;   ///< unique in its group
    CheckOutcome outcome = CheckOutcome::passed;
    std::string message = {};  ///< one line; empty only where the case passed
    std::string file = {};     ///< where a reader should look, relative to the place of the run
    std::optional<std::int64_t> line = {};  ///< of the file, from 1
    std::optional<double> seconds = {};
};

/// JUnit XML: one test suite of this name, a test case for each; an open one counts as skipped.
[[nodiscard]] std::string junit_xml(std::string_view suite, const std::vector<CheckedCase>& cases);

/// SARIF 2.1.0 (OASIS 2020): one run of the tool `attest` of this version, a rule for each group, a
/// result for each case: kind pass, fail (level error) or open, located in its file.
[[nodiscard]] std::string sarif_json(std::string_view version,
                                     const std::vector<CheckedCase>& cases);

}  // namespace attest
