#include "core/base/text.hpp"
#include "proofs_check/claims/henry2026/statements.hpp"
#include "proofs_check/claims/yau2024/training_rows.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

namespace attest::henry2026 {

namespace {

/// The largest median over the numbers of heads, over the least.
double variation(const std::vector<Row>& rows, const std::string& metric) {
    double least = 0.0;
    double most = 0.0;
    for (const RowGroup& group : group_rows(rows, {"heads"}, metric)) {
        least = most > 0.0 ? std::min(least, group.summary.median) : group.summary.median;
        most = std::max(most, group.summary.median);
    }
    return most / least;
}

/// Rows as if the dimension fell with the number of heads as it rises: the first number of heads
/// has the dimension of the last one, and so on.
std::vector<Row> with_dimensions_reversed(std::vector<Row> rows) {
    std::map<std::int64_t, double> dimension;
    const auto heads_of = [](const Row& row) {
        return static_cast<std::int64_t>(std::lround(number_field(row, "heads")));
    };
    for (const Row& row : rows) {
        dimension[heads_of(row)] = row.metrics.at("dimension").value;
    }
    for (Row& row : rows) {
        const auto from_the_start = std::distance(dimension.begin(), dimension.find(heads_of(row)));
        const double other = std::next(dimension.rbegin(), from_the_start)->second;
        row.metrics["per_dimension"].value = row.metrics.at("labels").value / other;
    }
    return rows;
}

/// Accepted: what is memorised varies with the number of heads, by a fifth at least, and most of
/// that, on a logarithmic scale, is gone when divided by the dimension instead of P.
Answer explained(const std::vector<Row>& rows, const std::string& what) {
    const double plain = variation(rows, "per_parameter");
    const double divided = variation(rows, "per_dimension");
    const double left = std::log(divided) / std::log(plain);
    return {plain > 1.2 && left < 0.5,
            formatted("{}: the most over the least number of heads remember {} times as much per "
                      "parameter, {} times as much per dimension",
                      what,
                      format_number(plain, {NumberFormat::Style::fixed, 2}),
                      format_number(divided, {NumberFormat::Style::fixed, 2}))};
}

/// Medians of the labels that are remembered, by the number of heads.
std::vector<double> remembered(const std::vector<Row>& rows) {
    std::vector<double> medians;
    for (const RowGroup& group : group_rows(rows, {"heads"}, "labels")) {
        medians.push_back(group.summary.median);
    }
    return medians;
}

/// A stack of two layers contains those of one, its second layer zero. Where its fits remember
/// fewer labels than theirs, it is the fits that are measured and not the stacks.
bool measures_the_fits(const std::vector<Row>& two, const std::vector<Row>& one) {
    const std::vector<double> of_two = remembered(two);
    const std::vector<double> of_one = remembered(one);
    return !std::equal(
        of_two.begin(), of_two.end(), of_one.begin(), of_one.end(), std::greater_equal<>());
}

/// "linear, 1 layer" of "linear, 2 layers".
std::string of_one_layer(const std::string& kind) {
    return kind.substr(0, kind.find(',')) + ", 1 layer";
}

Evidence test_memorisation(const ClaimContext& context) {
    Evidence evidence;
    const std::vector<Row> rows = yau2024::training_rows(context, "memorisation");
    const SharedTest test(evidence, explained, "committed rows");
    for (const std::string& labels : distinct_values(rows, "labels")) {
        for (const std::string& kind : distinct_values(rows, "kind")) {
            for (const std::string& d : distinct_values(rows, "d")) {
                const std::vector<Row> alike =
                    select_rows(select_rows(rows, "labels", labels), "d", d);
                const std::vector<Row> mine = select_rows(alike, "kind", kind);
                if (mine.empty() ||
                    measures_the_fits(mine, select_rows(alike, "kind", of_one_layer(kind)))) {
                    continue;
                }
                const std::string what = formatted("random {}, {}, d = {}", labels, kind, d);
                test.check(Form::tested, mine, what);
                test.control(with_dimensions_reversed(mine), what + ", dimensions reversed");
            }
        }
    }
    return evidence;
}

}  // namespace

Claim memorisation() {
    return {
        .id = "henry2026/memorisation",
        .paper = "Henry, ICML 2026 workshop on weight-space symmetries",
        .place = "Abstract, memorisation",
        .printed = kNotAtHand,
        .tested =
            "stacks of equal parameter count and different numbers of heads are fitted to as many "
            "random labels as they can be: labels a parameter vary with the number of heads, and "
            "most of that variation, on a logarithmic scale, is gone in labels a dimension. Two "
            "layers count where their fits remember no fewer labels than those of one layer, which "
            "they contain",
        .deviation =
            "the abstract says so of bits memorised by trained models, in a setting that was not "
            "seen. Ours is small: one example of d numbers or signs each, Levenberg-Marquardt, up "
            "to two starts. In the full profile two linear layers do not count for signs: their "
            "fits fail, and what is left of the variation at d = 6 is 0.66",
        .depends_on = "henry2026/no_hidden_symmetries depth/one_linear_layer",
        .method = Method::experiment,
        .explain =
            "Outputs on given inputs form a set of dimension at most D, so generic numbers are "
            "fitted only up to D of them: for numbers the bound is a theorem, and how near fits "
            "come is measured. For signs D is no bound; that they follow it is seen. Rows of "
            "`attest reproduce memorisation`.",
        .run = test_memorisation,
    };
}

}  // namespace attest::henry2026
