#include "cli/error_bound_report.hpp"

#include "core/base/text.hpp"
#include "core/solve/accuracy.hpp"

#include <cmath>

namespace attest::cli {

std::string status_text(SolveStatus status) {
    switch (status) {
        case SolveStatus::unique:
            return "unique: numerically the only minimiser";
        case SolveStatus::minimum_norm:
            return "minimum norm: many minimisers fit these data, this is the one of least norm";
        default:
            return "minimum norm at the numerical rank: singular values near rounding were taken "
                   "for "
                   "zeros; if they are none, this is another function (attest certify decides)";
    }
}

void report_error_bound(Report& report, const LeastSquaresFit& fit) {
    const nlohmann::ordered_json bound = json_number(fit.error_bound);
    if (presumes_numerical_rank(fit.status)) {
        report.add("error_bound",
                   nullptr,
                   concat("none; ", brief(fit.error_bound), " if the rank is the true one"));
        report.add_json("error_bound_at_numerical_rank", bound);
        return;
    }
    report.add("error_bound",
               bound,
               fit.error_bound < kLargestError
                   ? brief(fit.error_bound)
                   : concat(std::isfinite(fit.error_bound) ? brief(fit.error_bound) : "none",
                            ": not one digit is assured"));
    if (fit.scaled) {
        report.add("scaled_error_bound",
                   json_number(fit.scaled->error_bound),
                   brief(fit.scaled->error_bound) +
                       " (of the coefficients of tokens whose coordinates are brought to size 1)");
        report.add_json("coordinate_exponents", fit.scaled->exponents);
    }
}

}  // namespace attest::cli
