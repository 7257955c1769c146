#include "cli/show_error_bound.hpp"

#include "core/base/text.hpp"
#include "core/solve/accuracy.hpp"

#include <cmath>

namespace attest::cli {

namespace {

std::string or_none(double bound) {
    return std::isfinite(bound) ? brief(bound) : "none";
}

}  // namespace

std::string status_in_words(SolveStatus status) {
    switch (status) {
        case SolveStatus::unique:
            return "unique: numerically the only minimiser";
        case SolveStatus::minimum_norm:
            return "minimum norm: many minimisers fit these data, this is the one of least norm";
        default:
            return "minimum norm at the numerical rank: singular values near rounding were taken "
                   "for zeros; if they are none, this is another function (attest certify decides)";
    }
}

void show_error_bound(Output& output, const LeastSquaresFit& fit) {
    const nlohmann::ordered_json bound = number_or_null(fit.error_bound);
    if (presumes_numerical_rank(fit.status)) {
        output.add("error_bound",
                   nullptr,
                   std::isfinite(fit.error_bound)
                       ? formatted("none; {} if the rank is the true one", brief(fit.error_bound))
                       : "none: not one digit is assured, whatever the rank is");
        output.add_json("error_bound_at_numerical_rank", bound);
        return;
    }
    output.add("error_bound",
               bound,
               fit.error_bound < kLargestError
                   ? brief(fit.error_bound)
                   : or_none(fit.error_bound) + ": not one digit is assured");
    if (fit.scaled) {
        output.add("scaled_error_bound",
                   number_or_null(fit.scaled->error_bound),
                   or_none(fit.scaled->error_bound) +
                       " (of the coefficients of tokens whose coordinates are brought to size 1)");
        output.add_json("coordinate_exponents", fit.scaled->exponents);
    }
}

}  // namespace attest::cli
