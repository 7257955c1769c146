#include "core/solve/problem.hpp"

#include "core/base/choice.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

constexpr Choices<SolveStatus, 4> kSolveStatusNames{
    {{SolveStatus::unique, "unique"},
     {SolveStatus::minimum_norm, "minimum_norm"},
     {SolveStatus::minimum_norm_at_numerical_rank, "minimum_norm_at_numerical_rank"},
     {SolveStatus::refused, "refused"}}};

}  // namespace

std::string_view to_string(SolveStatus status) {
    return name_of(kSolveStatusNames, status);
}

bool presumes_numerical_rank(SolveStatus status) {
    return status == SolveStatus::minimum_norm_at_numerical_rank;
}

SolveStatus status_of_rank(Index rank, Index num_examples, Index psi) {
    if (rank == psi) {
        return SolveStatus::unique;
    }
    return rank == std::min(num_examples, psi) ? SolveStatus::minimum_norm
                                               : SolveStatus::minimum_norm_at_numerical_rank;
}

std::string rank_note(SolveStatus status, Index rank, Index psi) {
    return formatted(
        "rank {} of {}: the minimiser of least norm{}",
        rank,
        psi,
        presumes_numerical_rank(status) ? " if the numerical rank is the true one" : "");
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
