#include "core/solve/problem.hpp"

#include <utility>

namespace attest {

std::string_view to_string(SolveStatus status) {
    switch (status) {
        case SolveStatus::unique:
            return "unique";
        case SolveStatus::minimum_norm:
            return "minimum_norm";
        case SolveStatus::refused:
            return "refused";
    }
    return "refused";
}

LeastSquaresFit refusal(std::string_view solver, std::string note) {
    LeastSquaresFit fit;
    fit.solver = solver;
    fit.rank = -1;
    fit.note = std::move(note);
    return fit;
}

double total(const WorkByKind& flops) {
    return flops.gram64 + flops.gram32 + flops.product + flops.cholesky64 + flops.cholesky32 +
           flops.orthogonal + flops.multiprecision;
}

}  // namespace attest
