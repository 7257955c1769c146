#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "report/html_text.hpp"
#include "report/joint_figures.hpp"
#include "report/page_sections.hpp"

namespace attest {

namespace {

/// Links to the rows of each experiment.
std::string row_links(const DrawnJointFigure& joint) {
    std::string links;
    for (const ResultEntry* entry : joint.entries) {
        links += formatted("{}<a href=\"#rows-{}\">{}</a>",
                           links.empty() ? "" : ", ",
                           anchor_of(*entry),
                           html::text(entry->id));
    }
    return links;
}

std::string joint_article(const DrawnJointFigure& joint) {
    const std::string id =
        html::id(joint.entries.front()->profile + "/" + joint.named.name) + "-joint";
    return formatted(
        "<article id=\"{}\">\n<h3>{}</h3>\n<p>{}.</p>\n<figure id=\"figure-{}\">\n<div "
        "class=\"drawing\">{}</div>\n"
        "<figcaption><button type=\"button\" class=\"zoom\">Zoom</button> {}: drawn from the rows "
        "of {}; a curve's name shows where you point.</figcaption>\n</figure>\n</article>\n",
        id,
        html::text(joint.named.name),
        html::text(joint.summary),
        id,
        html::inline_svg(draw_svg(joint.named.figure), id),
        html::text(joint.named.name),
        row_links(joint));
}

}  // namespace

std::string joint_articles(const ResultSet& results) {
    std::string articles;
    try {
        for (const DrawnJointFigure& joint : joint_figures_of(results)) {
            articles += joint_article(joint);
        }
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        // Rows of another version, as in shown_derived.
        articles += formatted("<p class=\"warning\">Not everything could be drawn: {}</p>\n",
                              html::text(error.what()));
    }
    return articles;
}

}  // namespace attest
