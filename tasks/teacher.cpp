#include "tasks/teacher.hpp"

#include "core/base/bitwise.hpp"
#include "core/rng/sample.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr double kUnit = 0x1p20;

Matrix small_integers(Index rows, Index cols, const Stream& stream) {
    Draws draws(stream);
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            A(i, j) = static_cast<double>(draws.below(5)) - 2.0;
        }
    }
    return A;
}

Matrix draw(TeacherKind kind, Index rows, Index cols, double norm, const Stream& stream) {
    switch (kind) {
        case TeacherKind::plain:
            return grid_matrix(grid_normal(), rows, cols, stream);
        case TeacherKind::normalised:
            return random_direction(rows, cols, norm, stream);
        case TeacherKind::small:
            return small_integers(rows, cols, stream);
    }
    throw BrokenInvariant("random_teacher: unknown kind");
}

}  // namespace

Parameters random_teacher(const TeacherOptions& options, const Stream& stream) {
    require(options.d >= 1 && options.o >= 1 && options.heads >= 0,
            "random_teacher: got d = {}, o = {}, heads = {}, expected d, o of at least 1 and heads "
            "of at least 0",
            options.d,
            options.o,
            options.heads);
    require(options.scale >= 0x1p-10 && options.scale <= 0x1p10,
            "random_teacher: got scale {}, expected 2^-10 to 2^10",
            round_trip(options.scale));
    const double norm_V = std::sqrt(static_cast<double>(options.o));
    const double norm_Q = std::sqrt(static_cast<double>(options.d));
    Parameters theta{options.d, options.o, {}};
    for (Index h = 0; h < options.heads; ++h) {
        const Stream head = stream.child(h);
        const Matrix V = draw(options.kind, options.o, options.d, norm_V, head.child("V"));
        const Matrix Q = draw(options.kind, options.d, options.d, norm_Q, head.child("Q"));
        theta.heads.push_back(
            {round_to_teacher_grid(V * options.scale), round_to_teacher_grid(Q * options.scale)});
    }
    return theta;
}

Matrix random_direction(Index rows, Index cols, double norm, const Stream& stream) {
    Matrix A;
    double square = 0.0;
    // A draw of zeros has no direction; it is passed over.
    for (Index attempt = 0; is_zero(square); ++attempt) {
        A = grid_matrix(grid_normal(), rows, cols, stream.child(attempt));
        for (Index i = 0; i < A.size(); ++i) {
            square += A(i) * A(i);
        }
    }
    return round_to_teacher_grid(A * (norm / std::sqrt(square)));
}

Matrix round_to_teacher_grid(const Matrix& A) {
    return A.unaryExpr([](double x) { return std::round(x * kUnit) / kUnit; });
}

}  // namespace attest
