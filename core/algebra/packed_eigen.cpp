#include "core/algebra/packed_cholesky.hpp"

#include <Eigen/Cholesky>

namespace attest {

namespace {

/// The three blocks of a rectangular full packed lower triangle: the leading triangle, the
/// rectangle below it, and the trailing triangle, which stands transposed above the leading one.
template <class Scalar, class Pointer>
struct Blocks {
    using Block = Eigen::Map<std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>,
                                                const MatrixOf<Scalar>,
                                                MatrixOf<Scalar>>,
                             0,
                             Eigen::OuterStride<>>;

    Blocks(Pointer data, Index n)
        : leading(data + (n % 2 == 0 ? 1 : 0), (n + 1) / 2, (n + 1) / 2, stride(n)),
          below(data + (n + 1) / 2 + (n % 2 == 0 ? 1 : 0), n / 2, (n + 1) / 2, stride(n)),
          trailing(data + (n % 2 == 0 ? 0 : n), n / 2, n / 2, stride(n)) {}

    static Eigen::OuterStride<> stride(Index n) {
        return Eigen::OuterStride<>(n % 2 == 0 ? n + 1 : n);
    }

    Block leading;
    Block below;
    Block trailing;
};

template <class Scalar>
bool factor(VectorOf<Scalar>& A, Index n) {
    using Ref = Eigen::Ref<MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;
    Blocks<Scalar, Scalar*> blocks(A.data(), n);
    Ref leading(blocks.leading);
    if (Eigen::LLT<Ref, Eigen::Lower>(leading).info() != Eigen::Success) {
        return false;
    }
    if (n < 2) {
        return true;
    }
    blocks.leading.template triangularView<Eigen::Lower>()
        .transpose()
        .template solveInPlace<Eigen::OnTheRight>(blocks.below);
    blocks.trailing.template selfadjointView<Eigen::Upper>().rankUpdate(blocks.below, Scalar(-1));
    Ref trailing(blocks.trailing);
    return Eigen::LLT<Ref, Eigen::Upper>(trailing).info() == Eigen::Success;
}

template <class Scalar>
void solve(const VectorOf<Scalar>& L, MatrixOf<Scalar>& B) {
    const Index n = B.rows();
    const Blocks<Scalar, const Scalar*> blocks(L.data(), n);
    auto top = B.topRows((n + 1) / 2);
    auto bottom = B.bottomRows(n / 2);
    blocks.leading.template triangularView<Eigen::Lower>().solveInPlace(top);
    bottom.noalias() -= blocks.below * top;
    blocks.trailing.transpose().template triangularView<Eigen::Lower>().solveInPlace(bottom);
    blocks.trailing.template triangularView<Eigen::Upper>().solveInPlace(bottom);
    top.noalias() -= blocks.below.transpose() * bottom;
    blocks.leading.transpose().template triangularView<Eigen::Upper>().solveInPlace(top);
}

}  // namespace

bool factor_packed(Vector& A, Index n) {
    return factor<double>(A, n);
}

bool factor_packed(VectorOf<float>& A, Index n) {
    return factor<float>(A, n);
}

void solve_packed(const Vector& L, Matrix& B) {
    solve<double>(L, B);
}

void solve_packed(const VectorOf<float>& L, MatrixOf<float>& B) {
    solve<float>(L, B);
}

}  // namespace attest
