#include "bench/experiments/certificates/iid_certificate.hpp"
#include "bench/experiments/frame/power_law.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "record/figure/figure.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <set>

namespace attest {

namespace {

constexpr NumberFormat kThree{NumberFormat::Style::significant, 3};

/// From this multiple of ψ on the shortfall is fitted by a power of N.
constexpr std::int64_t kAsymptotic = 16;

/// "14 of 18", "14–18 of 18" over repetitions; "≥ 14 of 18" where a deficiency was not proved.
std::string ranks(const Summary& lower, const Summary& upper, const Summary& psi) {
    const auto whole = [](double value) { return std::to_string(static_cast<Index>(value)); };
    const std::string least = whole(lower.min);
    const std::string most = whole(lower.max);
    const bool proved = least == whole(upper.min) && most == whole(upper.max);
    return (proved ? "" : "≥ ") + (least == most ? least : least + "–" + most) + " of " +
           whole(psi.max);
}

Table main_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"law", Alignment::left},
                     {"d"},
                     {"n"},
                     {"N"},
                     {"rank over ℚ"},
                     {"λ_min(Λ_D), numerical", Alignment::right, kThree},
                     {"population", Alignment::right, kThree},
                     {"ratio", Alignment::right, kThree},
                     {"± standard error", Alignment::right, kThree}};
    const std::vector<std::string> fields{"law", "d", "n", "num_examples"};
    const std::vector<RowGroup> lambda = group_rows(rows, fields, "lambda_min");
    const std::vector<RowGroup> population = group_rows(rows, fields, "population");
    const std::vector<RowGroup> ratio = group_rows(rows, fields, "ratio");
    const std::vector<RowGroup> rank = group_rows(rows, fields, "rank");
    const std::vector<RowGroup> upper = group_rows(rows, fields, "rank_upper");
    const std::vector<RowGroup> psi = group_rows(rows, fields, "psi");
    for (std::size_t g = 0; g < lambda.size(); ++g) {
        if (lambda[g].summary.count == 0) {
            continue;
        }
        const Summary& share = ratio[g].summary;
        table.rows.push_back(
            {to_string(lambda[g].keys[0]),
             std::get<std::int64_t>(lambda[g].keys[1]),
             std::get<std::int64_t>(lambda[g].keys[2]),
             std::get<std::int64_t>(lambda[g].keys[3]),
             ranks(rank[g].summary, upper[g].summary, psi[g].summary),
             // What is proved to be singular leaves nothing but rounding.
             upper[g].summary.max < psi[g].summary.max ? 0.0 : lambda[g].summary.mean,
             population[g].summary.mean,
             share.count > 0 ? Cell(share.mean) : Cell(),
             share.count > 1 ? Cell(share.standard_error) : Cell()});
    }
    return table;
}

/// Exponent of N of the mean shortfall 1 − λ_min(Λ_D)/λ_min(Λ).
Cell shortfall_exponent(const std::vector<Row>& rows) {
    std::vector<double> N;
    std::vector<double> shortfall;
    for (const RowGroup& group : group_rows(rows, {"n_over_psi", "num_examples"}, "shortfall")) {
        if (group.summary.count > 0 && group.summary.mean > 0.0 &&
            std::get<std::int64_t>(group.keys[0]) >= kAsymptotic) {
            N.push_back(static_cast<double>(std::get<std::int64_t>(group.keys[1])));
            shortfall.push_back(group.summary.mean);
        }
    }
    return N.size() >= 3 ? Cell(fit_power_law(N, shortfall).exponent) : Cell();
}

Table population_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"law", Alignment::left},
                     {"d"},
                     {"n"},
                     {"λ_min(Λ)", Alignment::right, kThree},
                     {"in units of m2³", Alignment::right, kThree},
                     {"exactly", Alignment::left},
                     {"exponent of N in the shortfall", Alignment::right, kThree}};
    std::set<std::string> seen;
    for (const Row& row : rows) {
        const std::string name = to_string(field(row, "law").value());
        const ParameterValue d = field(row, "d").value();
        const ParameterValue n = field(row, "n").value();
        if (row.status != RowStatus::ok ||
            !seen.insert(name + "/" + to_string(d) + "/" + to_string(n)).second) {
            continue;
        }
        const Metric& population = row.metrics.at("population");
        const std::vector<Row> mine = select_rows(
            select_rows(select_rows(rows, "law", name), "d", to_string(d)), "n", to_string(n));
        // Grid laws have exact moments with denominators of dozens of digits.
        const std::string exact = population.exact.size() > 12 ? "(n−1)m2³" : population.exact;
        table.rows.push_back({name,
                              std::get<std::int64_t>(d),
                              std::get<std::int64_t>(n),
                              population.value,
                              population.value / row.metrics.at("m2_cubed").value,
                              exact,
                              shortfall_exponent(mine)});
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
           to_terminal(population_table(rows)) + "\n" + to_terminal(main_table(rows));
}

std::vector<std::filesystem::path> derive_iid_certificate(const std::vector<Row>& rows,
                                                          const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "figures");
    std::vector<std::filesystem::path> files;
    write_table(main_table(rows), folder / "tables" / "iid_certificate", files);
    write_table(population_table(rows), folder / "tables" / "iid_certificate_population", files);
    const std::filesystem::path svg = folder / "figures" / "iid_certificate.svg";
    write_figure(certificate_figure(rows), svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest
