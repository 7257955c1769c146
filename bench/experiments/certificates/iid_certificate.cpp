#include "bench/experiments/certificates/iid_certificate.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/moments/population.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"
#include "tasks/iid_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace attest {

// Lemma A.5 of arXiv 2410.10101: independent entries with m4 > m2² give λ_min(Λ) > 0. The smallest
// eigenvalue of samples beside the population's, for six laws of the entries.
//
// Expected outcome: for n = 1 and for signs 0 at every N, proved over the rationals; otherwise
// λ_min(Λ_D) is positive from N = ψ on, too small at first, and within O(N^(−1/2)) of the
// population's, which is (n−1)m2³ where d ≥ 3, the mean is 0 and m4 − m2² ≥ m2².

namespace {

/// The distribution of the sequences.
struct IidLaw {
    std::string name;
    EntryLaw law;
    double p;
    Index d;
    Index n;

    friend bool operator==(const IidLaw&, const IidLaw&) = default;

    [[nodiscard]] IidEntriesOptions options() const {
        IidEntriesOptions options;
        options.d = d;
        options.n = {n, n};
        options.law = law;
        options.p = p;
        return options;
    }
};

struct IidSetting {
    IidLaw law;
    Index repetition;
    std::uint64_t seed;

    [[nodiscard]] Stream stream() const {
        return Stream(seed).child("iid_certificate").child(law.name).child(repetition);
    }
};

struct Population {
    double lambda_min = 0.0;
    double rounding = 0.0;  ///< ψ·ε·λ_max, what the eigenvalue solver may be off; 0 if not used
    std::string exact;      ///< λ_min where a formula gives it
    double m2 = 0.0;
};

/// Lemma A.5 and its complement: 0 for a single token or constant squares; (n−1)m2³ for d ≥ 3,
/// mean 0 and m4 − m2² ≥ m2².
std::optional<Rational> exact_lambda_min(const EntryMoments& law, Index d, Index n) {
    if (d >= 2 && (n == 1 || law.kappa() == 0)) {
        return Rational(0);
    }
    if (d >= 3 && law.m[1] == 0 && law.kappa() >= law.m[2] * law.m[2]) {
        return Rational(Rational(n - 1) * law.m[2] * law.m[2] * law.m[2]);
    }
    return std::nullopt;
}

Population population_of(const IidLaw& setting) {
    const EntryMoments law = moments_of(entry_law(setting.options()));
    const MatrixOf<Rational> exact = population_second_moment(law, setting.d, setting.n);
    const Matrix Lambda =
        exact.unaryExpr([](const Rational& entry) { return entry.convert_to<double>(); });
    const Vector values = symmetric_eigenvalues(Lambda);
    Population population;
    population.lambda_min = values(0);
    population.rounding = static_cast<double>(values.size()) *
                          std::numeric_limits<double>::epsilon() * values(values.size() - 1);
    if (const auto least = exact_lambda_min(law, setting.d, setting.n)) {
        const auto value = least->convert_to<double>();
        ensure(std::abs(values(0) - value) <= population.rounding,
               "iid_certificate: the formula for lambda_min and the eigenvalue differ");
        population.lambda_min = value;
        population.rounding = 0.0;
        population.exact = least->str();
    }
    population.m2 = law.m[2].convert_to<double>();
    return population;
}

using Populations = LastProblem<IidLaw, Population>;

CaseOutcome measure(const IidSetting& setting, Index N, Populations& populations) {
    const auto kept = populations.of(setting.law);
    const Population& population = *kept;
    const Dataset data =
        materialise(*iid_entries(setting.law.options(), setting.stream()), 0, N, 1);
    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(DatasetSource(data)));
    const ExactRank rank = certify_rank(data);
    CaseOutcome outcome;
    outcome.metrics["lambda_min"] = {spectrum.lambda_min, spectrum.lambda_min_bound()};
    outcome.metrics["population"] = {
        population.lambda_min, population.rounding, "", population.exact};
    outcome.metrics["m2_cubed"] = {population.m2 * population.m2 * population.m2};
    outcome.metrics["rank"] = {static_cast<double>(rank.rank_lower),
                               0.0,
                               "",
                               rank.rank_is_exact() ? std::to_string(rank.rank_lower) : ""};
    outcome.metrics["rank_upper"] = {static_cast<double>(rank.rank_upper)};
    outcome.metrics["psi"] = {static_cast<double>(rank.psi)};
    if (population.lambda_min > population.rounding) {
        const double ratio = spectrum.lambda_min / population.lambda_min;
        outcome.metrics["ratio"] = {ratio};
        outcome.metrics["shortfall"] = {1.0 - ratio};
    }
    return outcome;
}

Case certificate_case(const IidSetting& setting,
                      Index multiple,
                      const std::shared_ptr<Populations>& populations) {
    const Index N = multiple * feature_dim(setting.law.d);
    CaseKey key;
    key.task = "iid_entries";
    key.parameters = {{"law", setting.law.name},
                      {"d", std::int64_t{setting.law.d}},
                      {"n", std::int64_t{setting.law.n}},
                      {"n_over_psi", std::int64_t{multiple}},
                      {"num_examples", std::int64_t{N}}};
    key.learner = "certificate";
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [=] { return measure(setting, N, *populations); }};
}

struct Law {
    std::string_view name;
    EntryLaw law;
    double p;
};

constexpr std::array kLaws{Law{"gaussian", EntryLaw::gaussian, 0.5},
                           Law{"uniform", EntryLaw::uniform, 0.5},
                           Law{"laplace", EntryLaw::laplace, 0.5},
                           Law{"three_point", EntryLaw::three_point, 0.5},
                           Law{"bernoulli", EntryLaw::bernoulli, 0.25},
                           Law{"rademacher", EntryLaw::rademacher, 0.5}};

void add_law(Experiment& experiment,
             const Law& law,
             Index d,
             const std::shared_ptr<Populations>& populations) {
    const bool quick = experiment.profile == Profile::quick;
    std::vector<Index> multiples{1, 4, 16, 64, 256};
    if (!quick) {
        multiples.push_back(1024);
    }
    for (const Index n : {1, 2, 8}) {
        for (Index repetition = 0; repetition < (quick ? 5 : 10); ++repetition) {
            for (const Index multiple : multiples) {
                const IidLaw of{std::string(law.name), law.law, law.p, d, n};
                experiment.cases.push_back(
                    certificate_case({of, repetition, experiment.seed}, multiple, populations));
            }
        }
    }
}

Experiment make_iid_certificate(Profile profile, std::uint64_t seed) {
    Experiment experiment{"iid_certificate", profile, seed};
    const auto populations = std::make_shared<Populations>(population_of);
    for (const Law& law : kLaws) {
        if (profile == Profile::quick) {
            add_law(experiment, law, 3, populations);
            continue;
        }
        for (const Index d : {2, 3, 4}) {
            add_law(experiment, law, d, populations);
        }
    }
    return experiment;
}

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

ExperimentEntry iid_certificate() {
    return {.id = "iid_certificate",
            .summary = "Lemma A.5: the smallest eigenvalue of samples beside the population's",
            .quick_seconds = 3.0,
            .full_seconds = 170.0,
            .make = make_iid_certificate,
            .text = iid_certificate_text,
            .derive_numbered = iid_certificate_derived};
}

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
