#include "tasks/softmax_teacher.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/non_degeneracy.hpp"

#include <Eigen/LU>

#include <cmath>

namespace attest {

namespace {

constexpr double kConditioned = 0.25;
constexpr Index kMostDraws = 2000;

// Plain loops in products: Eigen's order of additions depends on the machine.
Matrix product(const Matrix& A, const Matrix& B) {
    Matrix C = Matrix::Zero(A.rows(), B.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < B.cols(); ++j) {
            for (Index l = 0; l < A.cols(); ++l) {
                C(i, j) += A(i, l) * B(l, j);
            }
        }
    }
    return C;
}

Matrix scaled_to(const Matrix& A, double norm) {
    double square = 0.0;
    for (Index i = 0; i < A.size(); ++i) {
        square += A(i) * A(i);
    }
    ensure(square > 0.0, "softmax_teacher: a draw of Theta is zero");
    return A * (norm / std::sqrt(square));
}

Matrix normal(Index rows, Index cols, const Stream& stream) {
    return grid_matrix(grid_normal(), rows, cols, stream);
}

/// A·B/√cols(A) with entries of variance 1/d: what a layer of `heads` heads starts from.
Matrix initial_product(Index d, Index heads, const Stream& stream) {
    const Index inner = std::max<Index>(1, d / heads);
    return product(normal(d, inner, stream.child("left")),
                   normal(inner, d, stream.child("right"))) *
           (1.0 / static_cast<double>(d));
}

Matrix draw_theta(const SoftmaxTeacherOptions& options, const Stream& stream) {
    const Index d = options.d;
    switch (options.theta) {
        case ThetaKind::dense:
            return normal(d, d, stream);
        case ThetaKind::diagonal:
            return Vector(normal(d, 1, stream)).asDiagonal();
        case ThetaKind::block: {
            Matrix Theta = normal(d, d, stream);
            for (Index i = 0; i < d; ++i) {
                for (Index j = 0; j < d; ++j) {
                    Theta(i, j) = i / 2 == j / 2 ? Theta(i, j) : 0.0;
                }
            }
            return Theta;
        }
        case ThetaKind::low_rank:
            return product(normal(d, options.rank, stream.child("left")),
                           normal(options.rank, d, stream.child("right")));
        case ThetaKind::symmetric: {
            const Matrix A = normal(d, d, stream);
            return A + A.transpose();
        }
        case ThetaKind::transformer_init:
            break;
    }
    return initial_product(d, options.heads, stream);
}

std::vector<Matrix> draw_values(const SoftmaxTeacherOptions& options, const Stream& stream) {
    std::vector<Matrix> values;
    for (Index i = 0; i < options.heads; ++i) {
        values.push_back(options.value == ValueKind::transformer_init
                             ? initial_product(options.d, options.heads, stream.child(i))
                             : random_orthogonal(options.d, stream.child(i)));
    }
    if (options.value == ValueKind::singular &&
        (values[0].transpose() * values[1]).determinant() > 0.0) {
        values[1].col(0) = -values[1].col(0);
    }
    return values;
}

bool well_conditioned(const std::vector<Matrix>& values) {
    Matrix sum = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
        sum += values[i];
    }
    return scaled_least_sigma(sum) >= kConditioned;
}

}  // namespace

SoftmaxHeads softmax_teacher(const SoftmaxTeacherOptions& options, const Stream& stream) {
    require(options.d >= 1 && options.heads >= 1 && options.norm > 0.0 && options.rank >= 1 &&
                options.rank <= options.d,
            "softmax_teacher: expected d, heads and norm above 0 and rank from 1 to d");
    require(options.value != ValueKind::singular || options.heads == 2,
            "softmax_teacher: got {} heads, expected 2 for singular values",
            options.heads);
    std::vector<Matrix> values;
    for (Index draw = 0;; ++draw) {
        require(draw < kMostDraws,
                "softmax_teacher: no conditioned values in {} draws; use another d or another kind "
                "of values",
                kMostDraws);
        values = draw_values(options, stream.child("W").child(draw));
        if (options.value != ValueKind::conditioned || well_conditioned(values)) {
            break;
        }
    }
    SoftmaxHeads heads;
    for (Index i = 0; i < options.heads; ++i) {
        heads.push_back(
            {scaled_to(draw_theta(options, stream.child("Theta").child(i)), options.norm),
             values[static_cast<std::size_t>(i)]});
    }
    return heads;
}

SoftmaxHeads parity_heads(Index d, const std::vector<Index>& S, double beta) {
    require(beta > 0.0, "parity_heads: expected beta above 0");
    const auto n = static_cast<Index>(S.size());
    SoftmaxHeads heads;
    for (Index t = 0; t < 2 * n; ++t) {
        SoftmaxHead head{Matrix::Zero(d, d), Matrix::Zero(d, d)};
        Index previous = 0;
        for (const Index v : S) {
            require(v > previous && v < d,
                    "parity_heads: got coordinate {}, expected S ascending in 1 to d-1",
                    v);
            head.Theta(0, v) = beta / 2.0;
            previous = v;
        }
        head.Theta(0, 0) = -beta / 2.0 * (0.5 + static_cast<double>(t - n));
        head.W(0, 0) = t % 2 == 0 ? 1.0 : -1.0;
        heads.push_back(std::move(head));
    }
    return heads;
}

Matrix parity_target(const Matrix& X, const std::vector<Index>& S) {
    require(X.cols() == 2, "parity_target: got {} tokens, expected 2", X.cols());
    double parity = S.size() % 2 == 0 ? 1.0 : -1.0;
    for (const Index v : S) {
        parity *= X(v, 0) * X(v, 1);
    }
    Matrix Y = Matrix::Zero(X.rows(), 2);
    Y(0, 0) = (X(0, 0) - X(0, 1)) / 2.0 * (1.0 - parity);
    Y(0, 1) = -Y(0, 0);
    return Y;
}

}  // namespace attest
