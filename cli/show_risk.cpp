#include "cli/show_risk.hpp"

namespace attest::cli {

void show_risk(Output& output, const Risk& risk) {
    output.add("risk", number_or_null(risk.risk), brief(risk.risk));
    output.add("mse", number_or_null(risk.mse), brief(risk.mse));
    output.add("relative", number_or_null(risk.relative), brief(risk.relative));
}

}  // namespace attest::cli
