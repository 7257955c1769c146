#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/figure/figure.hpp"
#include "report/audit_sections.hpp"
#include "report/html_text.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

std::string drawn(const Figure& figure, const std::string& name, const std::string& caption) {
    try {
        return formatted(
            "<figure id=\"figure-{}\">\n<div class=\"drawing\">{}</div>\n<figcaption>{}"
            "</figcaption>\n</figure>\n",
            name,
            html::inline_svg(draw_svg(figure), name),
            html::text(caption));
    } catch (const NotAvailable& error) {
        return formatted("<p class=\"warning\">Not drawn: {}</p>\n", html::text(error.what()));
    }
}

Point at(double x, double y) {
    return {x, y, y, y};
}

}  // namespace

std::string head_figure(const HeadNeeds& heads) {
    if (heads.fewer.size() < 2) {
        return "";
    }
    Series loss{"loss", {}, SeriesStyle::line_points};
    for (const HeadLossAt& point : heads.fewer) {
        loss.points.push_back(at(static_cast<double>(point.heads), point.loss));
    }
    const Panel panel{"",
                      {"heads"},
                      {"share of the output's mean square lost", Scale::log10},
                      {loss},
                      {},
                      Legend::none};
    return drawn({"", {panel}},
                 "heads",
                 "The best approximation found with so many heads, in the norm of the data.");
}

std::string leverage_figure(const LayerAudit& audit) {
    std::vector<double> leverages;
    for (const HeldOutInput& one : audit.held_out) {
        if (std::isfinite(one.leverage) && one.leverage > 0.0) {
            leverages.push_back(one.leverage);
        }
    }
    if (leverages.size() < 2) {
        return "";
    }
    std::sort(leverages.begin(), leverages.end());
    Series series{"leverage", {}, SeriesStyle::points};
    for (std::size_t k = 0; k < leverages.size(); ++k) {
        series.points.push_back(at(static_cast<double>(k + 1), leverages[k]));
    }
    Guide mean;
    mean.at = static_cast<double>(audit.spectrum.rank);
    mean.label = "mean over the data";
    const Panel panel{"",
                      {"held-out inputs, ordered"},
                      {"leverage", Scale::log10},
                      {series},
                      {mean},
                      Legend::none};
    return drawn({"", {panel}},
                 "leverage",
                 "Leverage of the held-out inputs where it is finite: its root is what an excess "
                 "risk on the data is multiplied by there.");
}

}  // namespace attest
