#include "report/audit_page.hpp"

#include "tests/core/questions/planted_layers.hpp"
#include "tests/report/page_matches.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::test {
namespace {

/// The page of a layer with a dead coordinate, and of a healthy one.
class AuditPage : public testing::Test {
protected:
    static std::string page_of(const PlantedLayer& layer, const AuditNames& names) {
        const Dataset held_out = fresh_inputs(layer, 6);
        const DatasetSource source(layer.data);
        LayerAuditRequest request;
        request.head_budget = 2.0;
        request.held_out = &held_out;
        const LayerAudit audit = audit_layer(FactoredSource(source), layer.model, request);
        return audit_page(audit, summarise(audit), names);
    }

    static void SetUpTestSuite() {
        dead_ = page_of(layer_with_a_dead_coordinate(),
                        {"</code><script>alert(1)</script>", "<img src=x>", "test.npz"});
        healthy_ = page_of(healthy_layer(), {"model.npz", "data.npz", "test.npz"});
    }

    static bool shows(const std::string& text) { return dead_.find(text) != std::string::npos; }

    static std::string dead_;
    static std::string healthy_;
};

std::string AuditPage::dead_;
std::string AuditPage::healthy_;

TEST_F(AuditPage, AsksNothingOfTheNetworkOrOfOtherFiles) {
    const std::vector<std::string> places =
        all_matches(dead_, R"((?:src|href)\s*=\s*["']([^"']*)["'])");
    EXPECT_GE(places.size(), 5U) << "the pattern finds the page's addresses";
    for (const std::string& place : places) {
        EXPECT_TRUE(place.starts_with("#") || place == "data:,") << place;
    }
    EXPECT_TRUE(shows("default-src 'none'"));
    EXPECT_FALSE(shows("@import"));
    EXPECT_FALSE(shows("url(http"));
    EXPECT_EQ(all_matches(dead_, "<(script)").size(), 1U) << "the data, which never run";
}

TEST_F(AuditPage, HasEveryIdOnceAndEveryAddressItNames) {
    std::set<std::string> ids;
    for (const std::string& id : all_matches(dead_, R"(\sid=["']([^"']*)["'])")) {
        EXPECT_TRUE(ids.insert(id).second) << id;
    }
    for (const char* id : {"verdict", "determined", "held-out", "goodness", "heads", "examples"}) {
        EXPECT_TRUE(ids.contains(id)) << id;
    }
    for (const std::string& address : all_matches(dead_, R"(href=["']#([^"']*)["'])")) {
        EXPECT_TRUE(ids.contains(address)) << address;
    }
}

TEST_F(AuditPage, ShowsTextAsText) {
    EXPECT_FALSE(shows("<script>alert"));
    EXPECT_FALSE(shows("<img"));
    EXPECT_TRUE(shows("&lt;img src=x&gt;"));
}

TEST_F(AuditPage, BeginsWithTheVerdictAndTheAdvice) {
    const std::size_t verdict = dead_.find("id=\"verdict\"");
    ASSERT_NE(verdict, std::string::npos);
    const std::string first = dead_.substr(verdict, dead_.find("</section>", verdict) - verdict);
    EXPECT_LT(verdict, dead_.find("id=\"determined\""));
    EXPECT_SAYS(first, "No, proved");
    EXPECT_SAYS(first, "Record a token with z_2 != 0.");
    EXPECT_SAYS(first, "coordinate 2 is 0 in every token");
}

TEST_F(AuditPage, SaysWhyEachHeldOutInputIsOpen) {
    EXPECT_EQ(all_matches(dead_, "(any amount)</td>").size(), 2U)
        << "an equally good layer, and the truth, once for six inputs alike";
    EXPECT_EQ(all_matches(dead_, "<td>(breaks <code>)").size(), 1U);
    EXPECT_TRUE(shows("<td>0, 1, 2, 3, 4, 5</td>"));
    EXPECT_EQ(all_matches(healthy_, "<td>([0-5])</td><td>determined</td>").size(), 6U)
        << "each has a leverage of its own";
    EXPECT_EQ(healthy_.find("any amount"), std::string::npos);
}

TEST_F(AuditPage, NamesWhatIsNotSaidAmongTheAnswers) {
    LayerAudit audit;
    audit.found.evidence = ExactEvidence();
    audit.left_out = {{"the heads needed", "more than 1000 features"}};
    const std::string page = audit_page(audit, summarise(audit), {"m.npz", "d.npz", ""});
    const std::size_t answers = page.find("Not said here</dt><dd>the heads needed: <a");
    ASSERT_NE(answers, std::string::npos);
    EXPECT_LT(answers, page.find("id=\"determined\""));
    EXPECT_EQ(healthy_.find("Not said here</dt>"), std::string::npos);
}

TEST_F(AuditPage, ShowsNumbersThatNoLineBreakPartsAndNamesInWords) {
    LayerAudit audit;
    audit.found.evidence = ExactEvidence();
    audit.risk = Risk();
    audit.risk->relative = 6.99666e-8;
    AuditSummary summary = summarise(audit);
    summary.unique = Uniqueness::lengths_seen;
    const std::string page = audit_page(audit, summary, {"m.npz", "d.npz", ""});
    EXPECT_SAYS(page, "(<span class=\"number\">6.997e-08</span> of the labels");
    EXPECT_SAYS(page, ">lengths seen</span>");
}

TEST_F(AuditPage, AlarmsOnlyWhereSomethingIsWrong) {
    EXPECT_TRUE(shows("badge differs"));
    EXPECT_EQ(healthy_.find("badge differs"), std::string::npos);
    EXPECT_SAYS(healthy_, "Nothing out of the ordinary.");
}

}  // namespace
}  // namespace attest::test
