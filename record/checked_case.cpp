#include "record/checked_case.hpp"

#include "core/base/json_text.hpp"
#include "core/base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace attest {

namespace {

std::string junit_case(const CheckedCase& checked) {
    std::string text = formatted(
        R"(  <testcase classname="{}" name="{}")", xml_text(checked.group), xml_text(checked.name));
    if (checked.seconds) {
        text += formatted(" time=\"{}\"", round_trip(*checked.seconds));
    }
    if (checked.outcome == CheckOutcome::passed) {
        return text + "></testcase>\n";
    }
    return text + formatted("><{} message=\"{}\"/></testcase>\n",
                            checked.outcome == CheckOutcome::failed ? "failure" : "skipped",
                            xml_text(checked.message));
}

using SarifObject = nlohmann::ordered_json;

constexpr std::string_view kSarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string_view sarif_kind(CheckOutcome outcome) {
    switch (outcome) {
        case CheckOutcome::passed:
            return "pass";
        case CheckOutcome::failed:
            return "fail";
        case CheckOutcome::open:
            return "open";
    }
    return "";
}

SarifObject sarif_result(const CheckedCase& checked) {
    // A result of another kind than "fail" has level "none" (SARIF 2.1.0, section 3.27.10).
    SarifObject result{
        {"ruleId", checked.group},
        {"kind", sarif_kind(checked.outcome)},
        {"level", checked.outcome == CheckOutcome::failed ? "error" : "none"},
        {"message",
         {{"text",
           checked.message.empty() ? checked.name : checked.name + ": " + checked.message}}}};
    if (!checked.file.empty()) {
        SarifObject place{{"artifactLocation", {{"uri", checked.file}}}};
        if (checked.line) {
            place["region"] = {{"startLine", *checked.line}};
        }
        result["locations"] = SarifObject::array({{{"physicalLocation", place}}});
    }
    result["partialFingerprints"] = {{"attest/v1", checked.group + "/" + checked.name}};
    return result;
}

}  // namespace

std::string junit_xml(std::string_view suite, const std::vector<CheckedCase>& cases) {
    const auto count = [&](CheckOutcome outcome) {
        return std::count_if(cases.begin(), cases.end(), [&](const CheckedCase& checked) {
            return checked.outcome == outcome;
        });
    };
    std::string text = formatted(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" "
        "failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
        xml_text(suite),
        cases.size(),
        count(CheckOutcome::failed),
        count(CheckOutcome::open));
    for (const CheckedCase& checked : cases) {
        text += junit_case(checked);
    }
    return text + "</testsuite>\n";
}

std::string sarif_json(std::string_view version, const std::vector<CheckedCase>& cases) {
    std::set<std::string> groups;
    SarifObject results = SarifObject::array();
    for (const CheckedCase& checked : cases) {
        groups.insert(checked.group);
        results.push_back(sarif_result(checked));
    }
    SarifObject rules = SarifObject::array();
    for (const std::string& group : groups) {
        rules.push_back({{"id", group}});
    }
    SarifObject run{
        {"tool", {{"driver", {{"name", "attest"}, {"version", version}, {"rules", rules}}}}},
        {"results", results}};
    const SarifObject report{
        {"$schema", kSarifSchema}, {"version", "2.1.0"}, {"runs", SarifObject::array({run})}};
    return json_text(report) + "\n";
}

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        switch (letter) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
        }
    }
    return escaped;
}

}  // namespace attest
