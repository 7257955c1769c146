#include "cli/certify_margin.hpp"

#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"

#include <cmath>

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

nlohmann::ordered_json lambda_min_json(const ScaledNumber& value) {
    return {{"value", json_number(value)}, {"lo", nullptr}, {"hi", nullptr}};
}

ScaledNumber scaled_number(const BigDyadic& value) {
    const auto bits = static_cast<int>(bit_length(value.mantissa));
    return {to_double({value.mantissa, -bits}), value.mantissa == 0 ? 0 : value.exponent + bits};
}

std::string enclosure_text(const LambdaMinEnclosure& enclosure) {
    const auto text = [](const BigDyadic& value) {
        const double nearest = to_double(value);
        return value.mantissa == 0 || std::isnormal(nearest) ? round_trip(nearest)
                                                             : brief(scaled_number(value));
    };
    return concat(
        "in [", text(enclosure.lo), ", ", text(enclosure.hi), "] (proved; shown rounded)");
}

void report_condition(Report& report, const ScaledSpectrum& scaled) {
    const NumericalSpectrum& spectrum = scaled.spectrum;
    const ScaledNumber lambda_max{spectrum.lambda_max, 2 * scaled.features};
    report.add("lambda_max", json_number(lambda_max), brief(lambda_max));
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
    const ScaledSpectrum spectrum = scaled_spectrum(data);
    const ScaledNumber least{spectrum.spectrum.lambda_min, 2 * spectrum.features};
    nlohmann::ordered_json lambda_min = lambda_min_json(least);
    std::string text = brief(least) + " (numerical)";
    if (rank.verdict == RankVerdict::full_rank && work(data) <= kEnclosureWork) {
        const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));
        lambda_min["lo"] = json_number(scaled_number(enclosure.lo));
        lambda_min["hi"] = json_number(scaled_number(enclosure.hi));
        text += ", " + enclosure_text(enclosure);
    }
    report.add("lambda_min", lambda_min, text);
    report_condition(report, spectrum);
}

}  // namespace attest::cli
