#include "core/exact/float_echelon.hpp"

#include "core/algebra/product.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/exact/float_residues.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace attest {

namespace {

/// Rows that are eliminated one by one: fewer make more passes over all columns, more leave less to
/// products.
constexpr Index kEchelonFew = 8;

using Strided = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

}  // namespace

FloatEchelon::FloatEchelon(const Modulus& p, Index num_columns, Index block_rows)
    : p_(p),
      prime_(static_cast<double>(p.prime())),
      num_columns_(num_columns),
      buffer_(num_columns, block_rows) {
    require(p.prime() < kFloatPrimeBound, "FloatEchelon: the prime is not below 2^22");
    require(num_columns >= 1 && block_rows >= 1 && block_rows < kFloatTerms,
            "FloatEchelon: needs at least one column, and 1 to {} rows a block",
            kFloatTerms - 1);
}

void FloatEchelon::append(const ModularMatrix& rows) {
    require(rows.cols() == num_columns_,
            "append: got rows of {} entries, expected {}",
            rows.cols(),
            num_columns_);
    for (Index i = 0; i < rows.rows(); ++i) {
        const auto at = static_cast<Index>(buffered_.size());
        const Residue* from = rows.row(i);
        std::transform(from, from + num_columns_, buffer_.col(at).data(), BalancedResidue(p_));
        if (!is_screened(buffer_.col(at))) {
            buffered_.push_back(num_rows_);
        }
        ++num_rows_;
        if (static_cast<Index>(buffered_.size()) == buffer_.cols()) {
            flush();
        }
    }
}

void FloatEchelon::flush() {
    if (buffered_.empty()) {
        return;
    }
    const auto count = static_cast<Index>(buffered_.size());
    Matrix E = buffer_.leftCols(count);
    subtract_known(E);
    std::vector<Index> pivot_of(buffered_.size(), -1);
    eliminate_within(E, 0, count, pivot_of);
    keep(E, pivot_of);
    const bool some_depend = std::find(pivot_of.begin(), pivot_of.end(), -1) != pivot_of.end();
    if (some_depend || screens_.cols() > 0) {
        renew_screens();
    }
    buffered_.clear();
}

void FloatEchelon::reduce(Strided X) const {
    for (Index j = 0; j < X.cols(); ++j) {
        balance(X.col(j).array(), prime_);
    }
}

/// Takes the rows of all earlier blocks away, so that E is zero modulo p at their pivots. Only the
/// entries at the pivots of the next block are reduced each time.
void FloatEchelon::subtract_known(Matrix& E) const {
    Index terms = 1;
    for (const Block& block : blocks_) {
        throw_if_stopped("FloatEchelon");
        const Index below = num_columns_ - block.first_column;
        if (terms + block.rows.cols() > kFloatTerms) {
            // Whole rows: a later block may begin further left than this one.
            reduce(E);
            terms = 1;
        }
        Matrix C(block.rows.cols(), E.cols());
        for (Index k = 0; k < C.rows(); ++k) {
            C.row(k) = -E.row(block.pivots[static_cast<std::size_t>(k)]);
        }
        reduce(C);
        accumulate_product<double>(
            E.bottomRows(below), block.rows, Transpose::no, C, Transpose::no);
        terms += C.rows();
    }
    reduce(E);
}

/// Gauss and Jordan among columns first … last−1 of E, which are reduced afterwards; pivot_of says
/// where each has its 1, −1 for what became zero. By halves, so that most of it is products. Each
/// column takes fewer multiples of others than a block has rows: until its turn comes only the
/// entries at pivots are reduced.
void FloatEchelon::eliminate_within(Matrix& E,
                                    Index first,
                                    Index last,
                                    std::vector<Index>& pivot_of) const {
    if (last - first <= kEchelonFew) {
        eliminate_few(E, first, last, pivot_of);
        return;
    }
    const Index middle = first + (last - first) / 2;
    eliminate_within(E, first, middle, pivot_of);
    (void)clear_pivots(E, pivot_of, {first, middle}, {middle, last});
    eliminate_within(E, middle, last, pivot_of);
    const Index changed = clear_pivots(E, pivot_of, {middle, last}, {first, middle});
    reduce(E.block(num_columns_ - changed, first, changed, middle - first));
}

void FloatEchelon::eliminate_few(Matrix& E,
                                 Index first,
                                 Index last,
                                 std::vector<Index>& pivot_of) const {
    for (Index i = first; i < last; ++i) {
        balance(E.col(i).array(), prime_);
        const std::span<const double> row(E.col(i).data(), static_cast<std::size_t>(E.rows()));
        const auto found =
            std::find_if_not(row.begin(), row.end(), [](double value) { return is_zero(value); });
        if (found == row.end()) {
            continue;
        }
        const Index pivot = found - row.begin();
        const Index below = E.rows() - pivot;
        const Residue inverse = p_.inverse(p_.reduce(static_cast<std::int64_t>(*found)));
        Eigen::Map<Eigen::ArrayXd> own(E.col(i).data() + pivot, below);
        own *= static_cast<double>(p_.balanced(inverse));
        balance(own, prime_);
        for (Index j = first; j < last; ++j) {
            double factor = E(pivot, j);
            balance(factor, prime_);
            if (j != i && !is_zero(factor)) {
                Eigen::Map<Eigen::ArrayXd>(E.col(j).data() + pivot, below) -= factor * own;
            }
        }
        pivot_of[static_cast<std::size_t>(i)] = pivot;
    }
    reduce(E.middleCols(first, last - first));
}

/// Takes multiples of the columns `by`, which are reduced, from the columns `of`, so that these are
/// zero modulo p at the former's pivots. Returns the number of last rows of E that it changed.
Index FloatEchelon::clear_pivots(Matrix& E,
                                 const std::vector<Index>& pivot_of,
                                 std::pair<Index, Index> by,
                                 std::pair<Index, Index> of) const {
    Matrix C = Matrix::Zero(by.second - by.first, of.second - of.first);
    Index top = num_columns_;
    for (Index i = by.first; i < by.second; ++i) {
        const Index pivot = pivot_of[static_cast<std::size_t>(i)];
        if (pivot >= 0) {
            C.row(i - by.first) = -E.row(pivot).segment(of.first, C.cols());
            top = std::min(top, pivot);
        }
    }
    reduce(C);
    const Index below = num_columns_ - top;
    if (below > 0) {
        accumulate_product<double>(E.block(top, of.first, below, C.cols()),
                                   E.block(top, by.first, below, C.rows()),
                                   Transpose::no,
                                   C,
                                   Transpose::no);
    }
    return below;
}

void FloatEchelon::keep(const Matrix& E, const std::vector<Index>& pivot_of) {
    Block block;
    block.first_column = num_columns_;
    std::vector<Index> columns;
    for (Index i = 0; i < E.cols(); ++i) {
        const Index pivot = pivot_of[static_cast<std::size_t>(i)];
        if (pivot >= 0) {
            columns.push_back(i);
            block.pivots.push_back(pivot);
            block.first_column = std::min(block.first_column, pivot);
            pivot_rows_.push_back(buffered_[static_cast<std::size_t>(i)]);
        }
    }
    if (columns.empty()) {
        return;
    }
    block.rows.resize(num_columns_ - block.first_column, std::ssize(columns));
    for (Index k = 0; k < block.rows.cols(); ++k) {
        block.rows.col(k) = E.col(columns[static_cast<std::size_t>(k)]).tail(block.rows.rows());
    }
    // As ModularRowBasis finds them: within a panel from left to right.
    for (Index from = 0; from < E.cols(); from += kPanelRows) {
        const auto begin = std::lower_bound(columns.begin(), columns.end(), from);
        const auto end = std::lower_bound(columns.begin(), columns.end(), from + kPanelRows);
        std::vector<Index> panel(block.pivots.begin() + (begin - columns.begin()),
                                 block.pivots.begin() + (end - columns.begin()));
        std::sort(panel.begin(), panel.end());
        pivots_.insert(pivots_.end(), panel.begin(), panel.end());
    }
    blocks_.push_back(std::move(block));
}

bool FloatEchelon::is_screened(const Eigen::Ref<const Vector>& row) const {
    for (Index s = 0; s < screens_.cols(); ++s) {
        double sum = 0.0;
        for (Index at = 0; at < num_columns_; at += kFloatTerms - 1) {
            const Index count = std::min(kFloatTerms - 1, num_columns_ - at);
            sum += row.segment(at, count).dot(screens_.col(s).segment(at, count));
            balance(sum, prime_);
        }
        if (!is_zero(sum)) {
            return false;
        }
    }
    return screens_.cols() > 0;
}

/// Random numbers off the pivots; those at the pivots follow from the last block to the first,
/// whose rows are zero at the pivots of earlier ones.
void FloatEchelon::renew_screens() {
    screens_.resize(num_columns_, screens_for(p_));
    for (Index k = 0; k < screens_.size(); ++k) {
        screens_.data()[k] = static_cast<double>(p_.balanced(split_mix(++draws_) % p_.prime()));
    }
    for (const Index pivot : pivots_) {
        screens_.row(pivot).setZero();
    }
    std::for_each(blocks_.rbegin(), blocks_.rend(), [&](const Block& block) {
        Matrix sums = Matrix::Zero(block.rows.cols(), screens_.cols());
        for (Index at = 0; at < block.rows.rows(); at += kFloatTerms - 1) {
            const Index count = std::min(kFloatTerms - 1, block.rows.rows() - at);
            accumulate_product<double>(sums,
                                       block.rows.middleRows(at, count),
                                       Transpose::yes,
                                       screens_.middleRows(block.first_column + at, count),
                                       Transpose::no);
            reduce(sums);
        }
        for (Index k = 0; k < sums.rows(); ++k) {
            screens_.row(block.pivots[static_cast<std::size_t>(k)]) = -sums.row(k);
        }
    });
}

}  // namespace attest
