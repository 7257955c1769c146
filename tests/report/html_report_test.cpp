#include "report/html_report.hpp"

#include "core/base/bitwise.hpp"
#include "core/features/cubic.hpp"
#include "report/certificate_example.hpp"
#include "tests/report/page_matches.hpp"
#include "tests/report/sample_results.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <set>

namespace attest::test {

namespace {

TEST(HtmlBlocks, EscapeWhatIsPlainAndKeepWhatIsHtml) {
    EXPECT_EQ(html::paragraph("a < b"), "<p>a &lt; b</p>\n");
    const std::string table = html::table({"<"}, {{"<b>1</b>"}});
    EXPECT_SAYS(table, "<th scope=\"col\">&lt;</th>");
    EXPECT_SAYS(table, "<td><b>1</b></td>");
    EXPECT_EQ(html::table({}, {{"1"}}).find("<thead>"), std::string::npos);
    EXPECT_EQ(html::section("a b", "x & y", "<p></p>"),
              "<section id=\"a-b\">\n<h2>x &amp; y</h2>\n<p></p></section>\n");
}

TEST(HtmlText, EscapesEveryCharacterThatMeansSomething) {
    EXPECT_EQ(html::text("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    EXPECT_EQ(html::code("a<b"), "<code>a&lt;b</code>");
    EXPECT_EQ(html::id("quick/fig 2"), "quick-fig-2");
}

TEST(DataBlock, CannotBeEndedByWhatItHolds) {
    const nlohmann::ordered_json value{{"text", "</script><script>alert(1)</script><!--"}};

    const std::string block = html::data_block("data", value);

    EXPECT_EQ(block.find("</script>"), block.size() - std::string("</script>\n").size());
    EXPECT_EQ(block.find("<!--"), std::string::npos);
    const std::size_t begin = block.find('>') + 1;
    EXPECT_EQ(nlohmann::ordered_json::parse(block.substr(begin, block.rfind('<') - begin)), value);
}

TEST(InlineSvg, MakesIdsAndTheirUsesItsOwn) {
    const std::string svg =
        "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\">"
        "<circle id='dot'/><use xlink:href='#dot'/><g id=\"plot\" "
        "filter=\"url(#dot)\"><title>gnuplot_plot_1</title></g></svg>";

    EXPECT_EQ(html::inline_svg(svg, "quick/fig"),
              "<svg role=\"img\" viewBox=\"0 0 1 1\"><circle id='quick-fig-dot'/>"
              "<use xlink:href='#quick-fig-dot'/><g id=\"quick-fig-plot\" "
              "filter=\"url(#quick-fig-dot)\"></g></svg>");
}

using record_test::sample_header;
using record_test::sample_row;

/// A report of one committed experiment, one claim and one file with text that is markup.
class ReportPage : public testing::Test {
protected:
    static void SetUpTestSuite() {
        const TemporaryFolder folder;
        Row hostile = sample_row(0);
        hostile.key.task = "</script><script>alert(1)</script>";
        hostile.status = RowStatus::failed;
        hostile.message = "<img src=x onerror=alert(1)>";
        const auto quick = write_demo(folder.path(), {hostile});
        std::ofstream(quick / "demo.jsonl", std::ios::app) << "not json\n";
        ResultHeader header = sample_header();
        header.configuration.id = "claims";
        Row claim = sample_row(0);
        claim.key.task = "paper/lemma_1";
        claim.evidence =
            R"({"paper":"arXiv 1","place":"Lemma 1","method":"exact","outcome":"vacuous",)"
            R"("outcome_documented":"holds","reason":"","printed":"for all <x>","tested":"some x",)"
            R"("deviation":"d","depends_on":"","explain":"because",)"
            R"("machine_checked":"a.v: b","findings":[{"form":"tested",)"
            R"("verdict":"holds","precision":"exact","text":"1 < 2"}]})";
        (void)write_demo(folder.path(), {claim}, header);
        // Two figures: what gnuplot calls the parts of one it calls those of the other.
        for (const char* file : {"fig2.jsonl", "chen_li_rarity.jsonl"}) {
            std::filesystem::copy_file(std::filesystem::path(ATTEST_RESULTS "/quick") / file,
                                       quick / file);
        }
        page_ = html_report(read_results(quick));
    }

    static bool shows(const std::string& text) { return page_.find(text) != std::string::npos; }

    static std::string page_;
};

std::string ReportPage::page_;

TEST_F(ReportPage, AsksNothingOfTheNetworkOrOfOtherFiles) {
    const std::vector<std::string> places =
        all_matches(page_, R"((?:src|href)\s*=\s*["']([^"']*)["'])");
    EXPECT_GE(places.size(), 5U) << "the pattern finds the page's addresses";
    for (const std::string& place : places) {
        EXPECT_TRUE(place.starts_with("#") || place == "data:,") << place;
    }
    EXPECT_TRUE(shows("default-src 'none'"));
    EXPECT_FALSE(shows("@import"));
    EXPECT_EQ(page_.find("url(http"), std::string::npos);
}

TEST_F(ReportPage, HasEveryIdOnceAndEveryAddressItNames) {
    std::set<std::string> ids;
    for (const std::string& id : all_matches(page_, R"(\sid=["']([^"']*)["'])")) {
        EXPECT_TRUE(ids.insert(id).second) << id;
    }
    EXPECT_TRUE(ids.contains("claim-paper-lemma-1"));
    const std::vector<std::string> addresses = all_matches(page_, R"(href=["']#([^"']*)["'])");
    EXPECT_GE(addresses.size(), 5U) << "the pattern finds the page's addresses";
    for (const std::string& address : addresses) {
        const std::string file =
            std::regex_replace(address, std::regex("^(rows-.*)-[0-9.]+$"), "$1");
        EXPECT_TRUE(ids.contains(address) || ids.contains(file)) << address;
    }
}

TEST_F(ReportPage, ShowsTextAsText) {
    EXPECT_FALSE(shows("<script>alert"));
    EXPECT_FALSE(shows("<img"));
    EXPECT_TRUE(shows("for all &lt;x&gt;"));
    EXPECT_TRUE(shows("1 &lt; 2"));
}

TEST_F(ReportPage, ShowsClaimFigureRowsAndProblems) {
    EXPECT_TRUE(shows("id=\"claim-paper-lemma-1\""));
    EXPECT_TRUE(shows("<dt>machine-checked</dt><dd>a.v: b</dd>"));
    EXPECT_TRUE(shows("Documented as: holds."));
    EXPECT_TRUE(shows("attest verify paper/lemma_1 --explain"));
    EXPECT_TRUE(shows("id=\"figure-quick-fig2-fig2\""));
    EXPECT_TRUE(shows("href=\"#rows-quick-fig2-"));
    EXPECT_TRUE(shows("id=\"data-quick-demo\""));
    EXPECT_TRUE(shows("demo.jsonl:3: row: "));
    EXPECT_TRUE(shows("<code>solver_race</code>")) << "what is absent is named";
    EXPECT_TRUE(shows("VERIFIED full-rank"));
    EXPECT_TRUE(shows("id=\"data-trace\""));
}

TEST_F(ReportPage, LeadsFromEveryNumberOfATableToItsRows) {
    // Those of experiments; the machine's steps and the certificate's example have no rows.
    const std::size_t begin = page_.find("<section id=\"experiments\">");
    ASSERT_NE(begin, std::string::npos);
    const std::string tables = page_.substr(begin, page_.find("</section>", begin) - begin);

    const auto bare = all_matches(tables, R"(<td>(-?[0-9][-+0-9.e]*)</td>)");

    EXPECT_TRUE(bare.empty()) << bare.size() << " without a link";
    EXPECT_TRUE(shows("lambda_min, median of 5 rows"));
    EXPECT_TRUE(shows("rank, value of 1 row"));
    EXPECT_TRUE(shows("num_gaussian, setting of "));
}

TEST_F(ReportPage, HoldsTheExplorerToTheLetter) {
    const std::string begin = R"(<script type="application/json" id="data-explorer">)";
    const std::size_t at = page_.find(begin);
    ASSERT_NE(at, std::string::npos);
    const std::size_t end = page_.find("</script>", at);

    const auto held =
        nlohmann::json::parse(page_.substr(at + begin.size(), end - at - begin.size()));

    EXPECT_EQ(held.get<std::string>(), file_content(ATTEST_EXPLORER));
}

TEST_F(ReportPage, IsWrittenWholeOrNotAtAll) {
    const TemporaryFolder folder;
    const ResultSet results = read_results(ATTEST_RESULTS "/quick/chen_li_rarity.jsonl");

    write_html_report(results, folder.file("report.html"));

    EXPECT_TRUE(file_content(folder.file("report.html")).ends_with("</html>\n"));
    EXPECT_THROW(write_html_report(results, folder.file("none/report.html")), EnvironmentFailure);
    EXPECT_THROW(write_html_report(results, "/dev/full"), EnvironmentFailure);
}

double output(const Matrix& P, const Matrix& Z) {
    return (P.transpose() * cubic_features(Z))(0);
}

TEST(CertificateExample, OfSixSequencesIsVerifiedAsFullRank) {
    const CertificateExample example = determined_example();

    EXPECT_EQ(example.rank.verdict, RankVerdict::full_rank);
    EXPECT_EQ(example.answer, "VERIFIED full-rank");
    EXPECT_FALSE(example.witness.has_value());
}

TEST(CertificateExample, OfFiveSequencesHasTwoMinimisersThatDisagree) {
    const CertificateExample example = undetermined_example();

    EXPECT_EQ(example.rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(example.answer, "VERIFIED rank 5");
    ASSERT_TRUE(example.witness.has_value());
    for (const Matrix& P : example.witness->P) {
        for (Index i = 0; i < example.data.num_sequences(); ++i) {
            EXPECT_TRUE(bitwise_equal(output(P, example.data.sequence(i)), example.data.y(0, i)));
        }
    }
    const Matrix input = example.witness->input.sequence(0);
    EXPECT_FALSE(
        bitwise_equal(output(example.witness->P[0], input), output(example.witness->P[1], input)));
}

}  // namespace

}  // namespace attest::test
