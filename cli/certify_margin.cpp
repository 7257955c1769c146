#include "cli/certify_margin.hpp"

#include "core/base/text.hpp"

namespace attest::cli {

void show_lambda_min(Output& output,
                     const NumericalSpectrum* spectrum,
                     const LambdaMinEnclosure* enclosure) {
    nlohmann::ordered_json lambda_min{{"value", nullptr}, {"lo", nullptr}, {"hi", nullptr}};
    std::string text;
    if (spectrum != nullptr) {
        lambda_min["value"] = number_or_null(spectrum->lambda_min);
        text = brief(spectrum->lambda_min) + " (numerical)";
    }
    if (enclosure != nullptr) {
        const double lo = to_double(enclosure->lo);
        const double hi = to_double(enclosure->hi);
        lambda_min["lo"] = number_or_null(lo);
        lambda_min["hi"] = number_or_null(hi);
        text += formatted("{}in [{}, {}] (proved; shown rounded)",
                          text.empty() ? "" : ", ",
                          round_trip(lo),
                          round_trip(hi));
    }
    output.add("lambda_min", lambda_min, text);
}

void show_condition(Output& output, const NumericalSpectrum& spectrum) {
    output.add("lambda_max", number_or_null(spectrum.lambda_max), brief(spectrum.lambda_max));
    output.add("condition",
               number_or_null(spectrum.condition()),
               brief(spectrum.condition()) + " (of H on its numerical row space)");
}

}  // namespace attest::cli
