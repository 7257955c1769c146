#include "bench/experiments/certificates/iid_certificate_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/power_law.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"

#include <algorithm>
#include <limits>

namespace attest {

namespace {

/// From this multiple of ψ on the shortfall is fitted by a power of N.
constexpr std::int64_t kFirstFittedMultiple = 16;

Summary summary_of(const std::vector<Row>& rows, const std::string& metric) {
    const std::vector<RowGroup> groups = group_rows(rows, {}, metric);
    return groups.empty() ? Summary() : groups.front().summary;
}

/// "14 of 18", "14–18 of 18" over repetitions; "≥ 14 of 18" where a deficiency was not proved.
std::string ranks(const std::vector<Row>& rows) {
    const Summary lower = summary_of(rows, "rank");
    const Summary upper = summary_of(rows, "rank_upper");
    const auto whole_text = [](double value) { return std::to_string(static_cast<Index>(value)); };
    const std::string least = whole_text(lower.min);
    const std::string most = whole_text(lower.max);
    const bool proved = least == whole_text(upper.min) && most == whole_text(upper.max);
    return (proved ? "" : "≥ ") + (least == most ? least : least + "–" + most) + " of " +
           whole_text(summary_of(rows, "psi").max);
}

bool is_proved_singular(const std::vector<Row>& rows) {
    return summary_of(rows, "rank_upper").max < summary_of(rows, "psi").max;
}

Table eigenvalue_table(const std::vector<Row>& rows) {
    const std::vector<std::string> fields{"law", "d", "n", "num_examples"};
    Table table =
        group_table(rows,
                    {"law", {"d", "d"}, {"n", "n"}, {"num_examples", "N"}},
                    {{"lambda_min", kThreeDigits, "λ_min(Λ_D), numerical", Statistic::mean},
                     {"population", kThreeDigits, "population", Statistic::mean},
                     {"ratio", kThreeDigits, "ratio", Statistic::mean},
                     {"ratio", kThreeDigits, "± standard error", Statistic::standard_error}});
    const auto place = static_cast<std::ptrdiff_t>(fields.size());
    table.columns.insert(table.columns.begin() + place, {"rank over ℚ"});
    const std::vector<std::vector<Row>> groups = split_rows(rows, fields);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::vector<Cell>& line = table.rows[g];
        Cell& least = line[fields.size()];
        if (least.is_number() && is_proved_singular(groups[g])) {
            // What is proved to be singular leaves nothing but rounding.
            least = computed_cell(groups[g], "0 where rank_upper < psi", [](const auto& mine) {
                return is_proved_singular(mine) ? 0.0 : summary_of(mine, "lambda_min").mean;
            });
        }
        line.insert(line.begin() + place, text_cell(ranks(groups[g]), groups[g], "rank"));
    }
    std::erase_if(table.rows, [&](const std::vector<Cell>& line) {
        return std::holds_alternative<std::monostate>(line[fields.size() + 1].value);
    });
    return table;
}

/// Exponent of N of the mean shortfall 1 − λ_min(Λ_D)/λ_min(Λ).
double shortfall_exponent(const std::vector<Row>& rows) {
    std::vector<double> N;
    std::vector<double> shortfall;
    for (const RowGroup& group : group_rows(rows, {"n_over_psi", "num_examples"}, "shortfall")) {
        if (group.summary.count > 0 && group.summary.mean > 0.0 &&
            std::get<std::int64_t>(group.keys[0]) >= kFirstFittedMultiple) {
            N.push_back(static_cast<double>(std::get<std::int64_t>(group.keys[1])));
            shortfall.push_back(group.summary.mean);
        }
    }
    return N.size() >= 3 ? fit_power_law(N, shortfall).exponent
                         : std::numeric_limits<double>::quiet_NaN();
}

double in_units_of_m2(const std::vector<Row>& rows) {
    const Metrics& metrics = rows.front().metrics;
    return metrics.at("population").value / metrics.at("m2_cubed").value;
}

Table population_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"law", Alignment::left},
                     {"d"},
                     {"n"},
                     {"λ_min(Λ)", Alignment::right, kThreeDigits},
                     {"in units of m2³", Alignment::right, kThreeDigits},
                     {"exactly", Alignment::left},
                     {"exponent of N in the shortfall", Alignment::right, kThreeDigits}};
    for (const std::vector<Row>& mine : split_rows(rows, {"law", "d", "n"})) {
        const auto first = std::find_if(mine.begin(), mine.end(), [](const Row& row) {
            return finite_metric(row, "population").has_value();
        });
        if (first == mine.end()) {
            continue;
        }
        // Grid laws have exact moments with denominators of dozens of digits.
        const std::string& exact = first->metrics.at("population").exact;
        table.rows.push_back(
            {setting_cell(*first, "law"),
             setting_cell(*first, "d"),
             setting_cell(*first, "n"),
             metric_cell(*first, "population"),
             computed_cell({*first}, "population / m2_cubed", in_units_of_m2),
             exact.empty()
                 ? Cell()
                 : text_cell(exact.size() > 12 ? "(n−1)m2³" : exact, {*first}, "population"),
             computed_cell(mine, "exponent of N in the shortfall", shortfall_exponent)});
    }
    return table;
}

/// Curves of one d and n: λ_min(Λ_D)/λ_min(Λ) of the laws that have a certificate.
Panel ratio_panel(const std::vector<Row>& rows, const std::string& n) {
    Panel panel;
    panel.title = "n = " + n;
    panel.x = {"sequences N", Scale::log10};
    panel.y = {"λ_min(Λ_D) / λ_min(Λ)", Scale::linear, 0.0};
    panel.guides = {{Guide::Direction::horizontal, 1.0, "population"}};
    panel.legend = Legend::none;
    panel.series = series_from_rows(rows, {"num_examples", "ratio", {"law"}});
    return panel;
}

Figure certificate_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Lemma A.5: the certificate of independent entries, d = 3";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    const std::vector<Row> three = select_rows(rows, "d", "3");
    for (const char* n : {"2", "8"}) {
        figure.panels.push_back(ratio_panel(select_rows(three, "n", n), n));
    }
    Panel rank;
    rank.title = "n = 1: rank over ℚ";
    rank.x = {"sequences N", Scale::log10};
    rank.y = {"rank", Scale::linear, 0.0, 20.0};
    rank.guides = {{Guide::Direction::horizontal, 18.0, "ψ"},
                   {Guide::Direction::horizontal, 10.0, "d(d+1)(d+2)/6"}};
    rank.legend = Legend::none;
    rank.series = series_from_rows(select_rows(three, "n", "1"), {"num_examples", "rank", {"law"}});
    figure.panels.push_back(rank);
    return figure;
}

}  // namespace

std::string iid_certificate_text(const std::vector<Row>& rows) {
    return "λ_min of the second moment, independent entries\n" +
           to_terminal(population_table(rows)) + "\n" + to_terminal(eigenvalue_table(rows));
}

Derived iid_certificate_derived(const std::vector<Row>& rows) {
    return {{{"iid_certificate", eigenvalue_table(rows)},
             {"iid_certificate_population", population_table(rows)}},
            {{"iid_certificate", certificate_figure(rows)}}};
}

}  // namespace attest
