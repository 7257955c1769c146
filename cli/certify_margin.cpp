#include "cli/certify_margin.hpp"

#include "cli/scaled_number.hpp"
#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"

#include <cmath>

namespace attest::cli {

namespace {

/// The end of an enclosure as a number that may lie outside the range of doubles.
ScaledNumber scaled_number(const BigDyadic& value) {
    const auto bits = static_cast<int>(bit_length(value.mantissa));
    return {to_double({value.mantissa, -bits}), value.mantissa == 0 ? 0 : value.exponent + bits};
}

std::string end_in_words(const BigDyadic& value) {
    const double nearest = to_double(value);
    return value.mantissa == 0 || std::isnormal(nearest) ? round_trip(nearest)
                                                         : brief(scaled_number(value));
}

}  // namespace

void show_lambda_min(Output& output,
                     const NumericalSpectrum* spectrum,
                     const LambdaMinEnclosure* enclosure) {
    nlohmann::ordered_json lambda_min{{"value", nullptr}, {"lo", nullptr}, {"hi", nullptr}};
    std::string text;
    if (spectrum != nullptr) {
        const ScaledNumber least{spectrum->lambda_min, 2 * spectrum->exponent};
        lambda_min["value"] = number_or_null(least);
        text = brief(least) + " (numerical)";
    }
    if (enclosure != nullptr) {
        lambda_min["lo"] = number_or_null(scaled_number(enclosure->lo));
        lambda_min["hi"] = number_or_null(scaled_number(enclosure->hi));
        text += formatted("{}in [{}, {}] (proved; shown rounded)",
                          text.empty() ? "" : ", ",
                          end_in_words(enclosure->lo),
                          end_in_words(enclosure->hi));
    }
    output.add("lambda_min", lambda_min, text);
}

void show_condition(Output& output, const NumericalSpectrum& spectrum) {
    const ScaledNumber largest{spectrum.lambda_max, 2 * spectrum.exponent};
    output.add("lambda_max", number_or_null(largest), brief(largest));
    output.add("condition",
               number_or_null(spectrum.condition()),
               brief(spectrum.condition()) + " (of H on its numerical row space)");
}

void show_operator_spectrum(Output& output, const OperatorSpectrum& spectrum) {
    const auto scaled = [&](double value) { return ScaledNumber{value, 2 * spectrum.exponent}; };
    NumericalSpectrum least;
    least.lambda_min = spectrum.least.value;
    least.exponent = spectrum.exponent;
    show_lambda_min(output, &least, nullptr);
    const ScaledNumber error = scaled(spectrum.least.error);
    output.add("lambda_min_error",
               number_or_null(error),
               formatted("{}: an eigenvalue lies as near{}",
                         brief(error),
                         spectrum.least.converged ? "" : " (not converged)"));
    const ScaledNumber largest = scaled(spectrum.lambda_max);
    output.add("lambda_max", number_or_null(largest), brief(largest));
    const ScaledNumber threshold = scaled(spectrum.threshold);
    output.add("threshold",
               number_or_null(threshold),
               formatted("{}, below which an eigenvalue counts as 0", brief(threshold)));
    output.add("iterations", spectrum.least.iterations);
    output.add_json("converged", spectrum.least.converged);
}

}  // namespace attest::cli
