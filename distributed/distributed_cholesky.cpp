#include "distributed/distributed_cholesky.hpp"

#include "core/algebra/inverse_norm.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

// ScaLAPACK's, with Fortran's calling convention.
// NOLINTBEGIN(readability-identifier-naming): and its names
extern "C" {
void pdpotrf_(const char*, const int*, double*, const int*, const int*, const int*, int*);
void pspotrf_(const char*, const int*, float*, const int*, const int*, const int*, int*);
void pdpotrs_(const char*,
              const int*,
              const int*,
              const double*,
              const int*,
              const int*,
              const int*,
              double*,
              const int*,
              const int*,
              const int*,
              int*);
void pspotrs_(const char*,
              const int*,
              const int*,
              const float*,
              const int*,
              const int*,
              const int*,
              float*,
              const int*,
              const int*,
              const int*,
              int*);
double pdlansy_(const char*,
                const char*,
                const int*,
                const double*,
                const int*,
                const int*,
                const int*,
                double*);
float pslansy_(
    const char*, const char*, const int*, const float*, const int*, const int*, const int*, float*);
}

// NOLINTEND(readability-identifier-naming)

namespace attest {

namespace {

constexpr int kOne = 1;

/// The routines of one precision.
template <class Scalar>
struct Routines;

template <>
struct Routines<double> {
    static constexpr auto kFactor = pdpotrf_;
    static constexpr auto kSolve = pdpotrs_;
    static constexpr auto kNorm = pdlansy_;
};

template <>
struct Routines<float> {
    static constexpr auto kFactor = pspotrf_;
    static constexpr auto kSolve = pspotrs_;
    static constexpr auto kNorm = pslansy_;
};

using Descriptor = std::array<int, 9>;

/// Of an n×k matrix in tiles of rows×cols: type, context, sizes, tiles, first process, leading
/// dimension.
Descriptor descriptor(const ProcessGrid& grid, Index n, Index k, Index rows, Index cols) {
    const Index local = CyclicIndex{rows, grid.rows()}.count(n, grid.row());
    return {1,
            grid.context(),
            static_cast<int>(n),
            static_cast<int>(k),
            static_cast<int>(rows),
            static_cast<int>(cols),
            0,
            0,
            static_cast<int>(std::max<Index>(local, 1))};
}

template <class Scalar>
Descriptor descriptor(const ProcessGrid& grid, const MatrixShareOf<Scalar>& A) {
    return descriptor(grid, A.n, A.n, A.edge, A.edge);
}

int accepted(int info, const char* routine) {
    if (info < 0) {
        throw BrokenInvariant(formatted("{} rejects its argument {}", routine, -info));
    }
    return info;
}

/// ‖A‖₁ of the lower triangle.
template <class Scalar>
double one_norm(const ProcessGrid& grid, const MatrixShareOf<Scalar>& A) {
    const int n = static_cast<int>(A.n);
    const Descriptor desc = descriptor(grid, A);
    // 2·Nq0 + Np0 + ldw, where ldw is at most a column of tiles of the whole matrix.
    const Index tiles = A.n / A.edge + 1;
    VectorOf<Scalar> work(3 * (A.entries.rows() + A.entries.cols()) + (tiles + 4) * 2 * A.edge);
    return static_cast<double>(Routines<Scalar>::kNorm(
        "1", "L", &n, A.entries.data(), &kOne, &kOne, desc.data(), work.data()));
}

/// Rank 0's number on every rank: decisions hang on it.
double agreed(const Communicator& ranks, double value) {
    std::array<double, 1> number{value};
    ranks.broadcast(std::span<double>(number), 0);
    return number[0];
}

/// visit(i, local row, local column) for the entries of the diagonal that the rank has.
template <class Visit>
void for_diagonal(const ProcessGrid& grid, Index n, Index edge, const Visit& visit) {
    const CyclicIndex down{edge, grid.rows()};
    const CyclicIndex across{edge, grid.cols()};
    for (Index i = 0; i < n; ++i) {
        if (down.owner(i) == grid.row() && across.owner(i) == grid.col()) {
            visit(i, down.local(i), across.local(i));
        }
    }
}

}  // namespace

template <class Scalar>
VectorOf<Scalar> shared_diagonal(const Communicator& ranks,
                                 const ProcessGrid& grid,
                                 const MatrixShareOf<Scalar>& A) {
    VectorOf<Scalar> diagonal = VectorOf<Scalar>::Zero(A.n);
    for_diagonal(grid, A.n, A.edge, [&](Index i, Index row, Index col) {
        diagonal(i) = A.entries(row, col);
    });
    ranks.unite(std::span<Scalar>(diagonal.data(), static_cast<std::size_t>(A.n)));
    return diagonal;
}

template <class Scalar>
void add_to_shared_diagonal(const ProcessGrid& grid,
                            MatrixShareOf<Scalar>& A,
                            const Vector& entries) {
    for_diagonal(grid, A.n, A.edge, [&](Index i, Index row, Index col) {
        A.entries(row, col) += static_cast<Scalar>(entries(i));
    });
}

template <class Scalar>
DistributedCholeskyOf<Scalar>::DistributedCholeskyOf(const Communicator& ranks,
                                                     const ProcessGrid& grid,
                                                     MatrixShareOf<Scalar> A)
    : ranks_(ranks), grid_(grid), share_(std::move(A)) {
    trace_ = shared_diagonal(ranks, grid, share_).template cast<double>().sum();
    norm1_ = agreed(ranks, one_norm(grid, share_));
    const int n = static_cast<int>(share_.n);
    const Descriptor desc = descriptor(grid, share_);
    int info = 0;
    Routines<Scalar>::kFactor("L", &n, share_.entries.data(), &kOne, &kOne, desc.data(), &info);
    // A pivot that is not positive is seen by those ranks first that have it.
    std::array<double, 1> worst{static_cast<double>(accepted(info, "p?potrf"))};
    ranks.largest(worst);
    positive_ = !(worst[0] > 0.0);
    if (positive_) {
        // Not by p?pocon, whose estimate is off by a factor of 8 where this one is not.
        rcond_ = 1.0 / (norm1_ * inverse_norm1<Scalar>(share_.n, [this](const MatrixOf<Scalar>& B) {
                            return solve(B);
                        }));
    }
}

template <class Scalar>
MatrixOf<Scalar> DistributedCholeskyOf<Scalar>::solve(const MatrixOf<Scalar>& B) const {
    ensure(positive_ && B.rows() == share_.n, "DistributedCholesky: nothing to solve with");
    const Index k = B.cols();
    const Index width = std::max<Index>((k + grid_.cols() - 1) / grid_.cols(), 1);
    const CyclicIndex down{share_.edge, grid_.rows()};
    const CyclicIndex across{width, grid_.cols()};
    const Index rows = down.count(share_.n, grid_.row());
    MatrixOf<Scalar> mine(rows, across.count(k, grid_.col()));
    const auto for_mine = [&](const auto& visit) {
        for (Index a = 0; a < k; ++a) {
            for (Index i = 0; i < share_.n && across.owner(a) == grid_.col(); ++i) {
                if (down.owner(i) == grid_.row()) {
                    visit(i, a, mine(down.local(i), across.local(a)));
                }
            }
        }
    };
    for_mine([&](Index i, Index a, Scalar& entry) { entry = B(i, a); });
    const int n = static_cast<int>(share_.n);
    const int columns = static_cast<int>(k);
    const Descriptor factor = descriptor(grid_, share_);
    const Descriptor right = descriptor(grid_, share_.n, k, share_.edge, width);
    int info = 0;
    Routines<Scalar>::kSolve("L",
                             &n,
                             &columns,
                             share_.entries.data(),
                             &kOne,
                             &kOne,
                             factor.data(),
                             mine.data(),
                             &kOne,
                             &kOne,
                             right.data(),
                             &info);
    accepted(info, "p?potrs");
    MatrixOf<Scalar> X = MatrixOf<Scalar>::Zero(share_.n, k);
    for_mine([&](Index i, Index a, const Scalar& entry) { X(i, a) = entry; });
    ranks_.unite(std::span<Scalar>(X.data(), static_cast<std::size_t>(X.size())));
    return X;
}

template class DistributedCholeskyOf<double>;
template class DistributedCholeskyOf<float>;
template VectorOf<double> shared_diagonal(const Communicator&,
                                          const ProcessGrid&,
                                          const MatrixShareOf<double>&);
template VectorOf<float> shared_diagonal(const Communicator&,
                                         const ProcessGrid&,
                                         const MatrixShareOf<float>&);
template void add_to_shared_diagonal(const ProcessGrid&, MatrixShareOf<double>&, const Vector&);
template void add_to_shared_diagonal(const ProcessGrid&, MatrixShareOf<float>&, const Vector&);

}  // namespace attest
