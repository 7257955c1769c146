#pragma once

#include "core/algebra/matrix.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace attest {

/// d×T numbers in somebody else's memory: entry (j, t) stands at first[t·stride + j].
struct BorrowedColumns {
    const double* first = nullptr;
    Index rows = 0;
    Index cols = 0;
    Index stride = 0;                    ///< at least `rows`
    std::shared_ptr<const void> keeper;  ///< keeps the memory while anybody reads it
};

/// The tokens of a data set, d×T: a matrix of its own, or columns that stay where they lie, which
/// are read and never written. A copy of borrowed columns borrows them too.
class TokenMatrix {
public:
    using View = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

    TokenMatrix() = default;

    // NOLINTNEXTLINE(google-explicit-constructor): tokens are mostly a matrix
    TokenMatrix(Matrix tokens) : owned_(std::move(tokens)) {}

    template <class Derived>
    // NOLINTNEXTLINE(google-explicit-constructor): or an expression of one
    TokenMatrix(const Eigen::EigenBase<Derived>& tokens) : owned_(tokens.derived()) {}

    /// Throws InvalidInput where nobody keeps the memory, or columns would overlap.
    explicit TokenMatrix(BorrowedColumns columns);

    [[nodiscard]] bool is_borrowed() const { return borrowed_.keeper != nullptr; }

    [[nodiscard]] View view() const {
        return is_borrowed()
                   ? View(borrowed_.first, borrowed_.rows, borrowed_.cols, {borrowed_.stride})
                   : View(owned_.data(), owned_.rows(), owned_.cols(), {owned_.rows()});
    }

    [[nodiscard]] Index rows() const { return is_borrowed() ? borrowed_.rows : owned_.rows(); }

    [[nodiscard]] Index cols() const { return is_borrowed() ? borrowed_.cols : owned_.cols(); }

    [[nodiscard]] Index size() const { return rows() * cols(); }

    [[nodiscard]] double operator()(Index j, Index t) const { return view()(j, t); }

    [[nodiscard]] auto col(Index t) const { return view().col(t); }

    // NOLINTNEXTLINE(readability-identifier-naming): as Eigen calls it
    [[nodiscard]] auto middleCols(Index first, Index count) const {
        return view().middleCols(first, count);
    }

    /// A matrix of its own, to change; what was borrowed is copied first. O(T d) then.
    [[nodiscard]] Matrix& own();

private:
    Matrix owned_;
    BorrowedColumns borrowed_;
};

/// The binary exponents e, 2^e ≤ |x| < 2^(e+1), between which the nonzero entries of something lie.
struct ExponentRange {
    static constexpr int kNone = 1 << 20;

    int low = kNone;
    int high = -kNone;

    void include(const ExponentRange& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }

    /// No entry, or zeros only.
    [[nodiscard]] bool empty() const { return low > high; }

    /// Whether every nonzero entry has an exponent from `least` to `most`.
    [[nodiscard]] bool within(int least, int most) const {
        return empty() || (low >= least && high <= most);
    }
};

/// The range of the nonzero, finite entries; denormal numbers have exponents down to −1074.
[[nodiscard]] ExponentRange exponent_range(const Eigen::Ref<const Matrix>& A);

}  // namespace attest
