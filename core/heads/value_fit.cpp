#include "core/heads/value_fit.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/least_squares.hpp"
#include "core/heads/split_heads.hpp"

#include <cmath>

namespace attest {

Matrix value_design(const Matrix& Q, Index d) {
    require(Q.cols() == d * d, "value_design: Q does not have d² columns");
    const double pair_weight = std::sqrt(0.5);
    Matrix B = Matrix::Zero(feature_dim(d), Q.rows() * d);
    for (Index h = 0; h < Q.rows(); ++h) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                const double weight = b == c ? 1.0 : pair_weight;
                B.col(h * d + b).segment(pack_index(d, b, c) * d, d) =
                    weight * Q.row(h).segment(c * d, d).transpose();
            }
        }
    }
    return B;
}

Matrix values_of_solution(const Matrix& solution, Index d) {
    require(solution.rows() % d == 0, "values_of_solution: the rows are not H·d");
    Matrix V(solution.cols() * d, solution.rows() / d);
    for (Index h = 0; h < V.cols(); ++h) {
        for (Index a = 0; a < solution.cols(); ++a) {
            V.col(h).segment(a * d, d) = solution.col(a).segment(h * d, d);
        }
    }
    return V;
}

Matrix solution_of_values(const Matrix& V, Index d) {
    require(V.rows() % d == 0, "solution_of_values: the rows are not o·d");
    Matrix solution(V.cols() * d, V.rows() / d);
    for (Index h = 0; h < V.cols(); ++h) {
        solution.middleRows(h * d, d) = V.col(h).reshaped(d, solution.cols());
    }
    return solution;
}

ValueFit fit_values(const FitTarget& target, const Matrix& Q) {
    const Index d = target.d;
    const Index H = Q.rows();
    ValueFit fit;
    if (H == 0) {
        fit = {Matrix(target.o * d, 0), Matrix(target.goal.rows(), 0), target.goal, target.scale};
        return fit;
    }
    Matrix design = value_design(Q, d);
    if (target.L.size() > 0) {
        Matrix weighted = Matrix::Zero(target.L.rows(), design.cols());
        add_product(weighted, target.L, design);
        design = weighted;
    }
    const LeastSquares solve = least_squares(design, target.goal);
    fit.basis = solve.basis;
    fit.residual = target.goal - fit.basis * (fit.basis.transpose() * target.goal);
    fit.error = fit.residual.norm();
    fit.V = values_of_solution(solve.solution, d);
    return fit;
}

Parameters balanced_heads(const HeadFactors& factors, Index d) {
    if (factors.Q.rows() == 0) {
        return {d, factors.V.rows() / d, {}};
    }
    return split_tensor(factors.V * factors.Q, d, factors.Q.rows()).heads;
}

HeadFactors head_factors(const Parameters& heads) {
    check_shapes(heads);
    HeadFactors factors{Matrix(heads.o * heads.d, heads.num_heads()),
                        Matrix(heads.num_heads(), heads.d * heads.d)};
    for (Index h = 0; h < heads.num_heads(); ++h) {
        const Head& head = heads.heads[static_cast<std::size_t>(h)];
        factors.V.col(h) = flatten<double>(head.V);
        factors.Q.row(h) = flatten<double>(head.Q).transpose();
    }
    return factors;
}

}  // namespace attest
