#include "record/checked_case.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

TEST(XmlText, MarkupAndQuotesBecomeEntities) {
    EXPECT_EQ(attest::xml_text("x < y & y > \"z\"'s"), "x &lt; y &amp; y &gt; &quot;z&quot;'s");
}

TEST(XmlText, ControlCharactersBecomeSpacesAndUnicodeStays) {
    EXPECT_EQ(attest::xml_text("λ\nψ\x01!"), "λ ψ !");
}

}  // namespace

namespace attest {
namespace {

const std::vector<CheckedCase> kChecked{
    {.group = "a paper", .name = "lemma 1", .seconds = 0.5},
    {.group = "a paper",
     .name = "x < y",
     .outcome = CheckOutcome::failed,
     .message = "a & b",
     .file = "CLAIMS.md",
     .line = 7},
    {.group = "another", .name = "z", .outcome = CheckOutcome::open, .message = "no rows"}};

TEST(JunitXml, CountsFailedAndOpenCasesAndEscapesTheirText) {
    EXPECT_EQ(junit_xml("attest \"verify\"", kChecked),
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<testsuite name=\"attest &quot;verify&quot;\" tests=\"3\" failures=\"1\" "
              "errors=\"0\" skipped=\"1\">\n"
              "  <testcase classname=\"a paper\" name=\"lemma 1\" time=\"0.5\"></testcase>\n"
              "  <testcase classname=\"a paper\" name=\"x &lt; y\"><failure message=\"a &amp; "
              "b\"/></testcase>\n"
              "  <testcase classname=\"another\" name=\"z\"><skipped message=\"no "
              "rows\"/></testcase>\n"
              "</testsuite>\n");
}

TEST(SarifJson, EveryCaseIsAResultOfADeclaredRule) {
    const auto run = nlohmann::json::parse(sarif_json("1.2.3", kChecked))["runs"][0];

    EXPECT_EQ(run["tool"]["driver"].dump(),
              R"({"name":"attest","rules":[{"id":"a paper"},{"id":"another"}],"version":"1.2.3"})");
    ASSERT_EQ(run["results"].size(), 3U);
    for (const auto& result : run["results"]) {
        EXPECT_SAYS(run["tool"]["driver"]["rules"].dump(), result["ruleId"].dump());
    }
}

TEST(SarifJson, OnlyAFailedCaseIsAnError) {
    const auto report = nlohmann::json::parse(sarif_json("1.2.3", kChecked));
    const auto& results = report["runs"][0]["results"];

    EXPECT_EQ(report["version"], "2.1.0");
    EXPECT_EQ(results[0]["kind"], "pass");
    EXPECT_EQ(results[0]["level"], "none");
    EXPECT_EQ(results[1]["kind"], "fail");
    EXPECT_EQ(results[1]["level"], "error");
    EXPECT_EQ(results[1]["message"]["text"], "x < y: a & b");
    EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
              "CLAIMS.md");
    EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
    EXPECT_EQ(results[2]["kind"], "open");
    EXPECT_EQ(results[2]["level"], "none");
}

TEST(SarifJson, NoCasesAreAnEmptyRun) {
    EXPECT_TRUE(nlohmann::json::parse(sarif_json("1", {}))["runs"][0]["results"].empty());
}

}  // namespace
}  // namespace attest
