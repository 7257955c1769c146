#include "report/html_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest {
namespace {

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

}  // namespace
}  // namespace attest
