#include "report/html_blocks.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(HtmlBlocks, EscapeWhatIsPlainAndKeepWhatIsHtml) {
    EXPECT_EQ(html::paragraph("a < b"), "<p>a &lt; b</p>\n");
    const std::string table = html::table({"<"}, {{"<b>1</b>"}});
    EXPECT_NE(table.find("<th scope=\"col\">&lt;</th>"), std::string::npos);
    EXPECT_NE(table.find("<td><b>1</b></td>"), std::string::npos);
    EXPECT_EQ(html::table({}, {{"1"}}).find("<thead>"), std::string::npos);
    EXPECT_EQ(html::section("a b", "x & y", "<p></p>"),
              "<section id=\"a-b\">\n<h2>x &amp; y</h2>\n<p></p></section>\n");
}

}  // namespace
}  // namespace attest
