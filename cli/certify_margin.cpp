#include "cli/certify_margin.hpp"

#include "core/base/text.hpp"
#include "core/certify/enclosure.hpp"

namespace attest::cli {

namespace {

// What λ_min may cost beside the proof, in multiplications N ψ². Beyond that the level has to be
// asked for.
constexpr double kSpectrumWork = 1e10;
constexpr double kEnclosureWork = 1e7;

double work(const Dataset& data) {
    const auto psi = static_cast<double>(feature_dim(data.d()));
    return static_cast<double>(data.num_examples()) * psi * psi;
}

}  // namespace

nlohmann::ordered_json lambda_min_json(double value) {
    return {{"value", json_number(value)}, {"lo", nullptr}, {"hi", nullptr}};
}

void report_condition(Report& report, const NumericalSpectrum& spectrum) {
    report.add("lambda_max", json_number(spectrum.lambda_max), brief(spectrum.lambda_max));
    const double condition =
        spectrum.rank > 0 ? spectrum.sigma(0) / spectrum.sigma(spectrum.rank - 1) : 0.0;
    report.add("condition",
               json_number(condition),
               brief(condition) + " (of H on its numerical row space)");
}

void report_margin(Report& report, const Dataset& data, const ExactRank& rank) {
    if (work(data) > kSpectrumWork) {
        return;
    }
    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(DatasetSource(data)));
    nlohmann::ordered_json lambda_min = lambda_min_json(spectrum.lambda_min);
    std::string text = brief(spectrum.lambda_min) + " (numerical)";
    if (rank.verdict == RankVerdict::full_rank && work(data) <= kEnclosureWork) {
        const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));
        const double lo = to_double(enclosure.lo);
        const double hi = to_double(enclosure.hi);
        lambda_min["lo"] = json_number(lo);
        lambda_min["hi"] = json_number(hi);
        text += formatted(", in [{}, {}] (proved; shown rounded)", round_trip(lo), round_trip(hi));
    }
    report.add("lambda_min", lambda_min, text);
    report_condition(report, spectrum);
}

}  // namespace attest::cli
