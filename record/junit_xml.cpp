#include "core/base/text.hpp"
#include "record/checked_case.hpp"
#include "record/xml_text.hpp"

#include <algorithm>

namespace attest {

namespace {

std::string junit_case(const CheckedCase& checked) {
    std::string text = formatted("  <testcase classname=\"{}\" name=\"{}\"",
                                 xml_text(checked.group),
                                 xml_text(checked.name));
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

}  // namespace attest
