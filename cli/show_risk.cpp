#include "cli/show_risk.hpp"

#include "cli/scaled_number.hpp"

namespace attest::cli {

void show_risk(Output& output, const Risk& risk) {
    const ScaledNumber mean{risk.risk, risk.exponent};
    const ScaledNumber mse{risk.mse, risk.exponent};
    output.add("risk", number_or_null(mean), brief(mean));
    output.add("mse", number_or_null(mse), brief(mse));
    output.add("relative", number_or_null(risk.relative), brief(risk.relative));
}

}  // namespace attest::cli
