#include "core/softmax/tuple_search.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <utility>

namespace attest {

namespace {

// Neighbouring net points give nearly dependent blocks; this keeps their Cholesky factors real.
constexpr double kRidge = 1e-11;

using BlockFactor = Eigen::LLT<Matrix>;

/// Blocks first … M−1 with the blocks chosen so far projected out: Gram matrix and products.
struct Reduced {
    Index first;
    Matrix G;
    Matrix b;
};

class TupleSearch {
public:
    TupleSearch(Index d, Index m, Index keep, double ridge)
        : d_(d), m_(m), keep_(static_cast<std::size_t>(keep)), ridge_(ridge) {}

    void descend(const Reduced& at, double explained) {
        const Index blocks = at.G.rows() / d_;
        const Index left = m_ - static_cast<Index>(chosen_.size());
        for (Index i = 0; i + left <= blocks; ++i) {
            Matrix pivot = at.G.block(i * d_, i * d_, d_, d_);
            pivot.diagonal().array() += ridge_;
            const BlockFactor factor(pivot);
            const Matrix half = factor.matrixL().solve(at.b.middleRows(i * d_, d_));
            const double now = explained + half.squaredNorm();
            chosen_.push_back(at.first + i);
            if (left == 1) {
                record(now);
            } else if (left == 2) {
                throw_if_interrupted("net_search");
                finish(at, i, factor, half, now);
            } else {
                descend(project_out(at, i, factor, half), now);
            }
            chosen_.pop_back();
        }
    }

    [[nodiscard]] std::vector<std::vector<Index>> best() const {
        std::vector<std::vector<Index>> result;
        for (const auto& entry : best_) {
            result.push_back(entry.second);
        }
        return result;
    }

private:
    /// The last block: only its own pivot and products are needed, for every candidate.
    void finish(const Reduced& at,
                Index i,
                const BlockFactor& factor,
                const Matrix& half,
                double explained) {
        const Index after = at.G.rows() - (i + 1) * d_;
        const Matrix coupling = factor.matrixL().solve(at.G.block(i * d_, (i + 1) * d_, d_, after));
        Matrix pivot(d_, d_);
        Matrix b(d_, at.b.cols());
        Eigen::LLT<Matrix> last(d_);
        for (Index j = 0; j < after / d_; ++j) {
            const auto X = coupling.middleCols(j * d_, d_);
            const Index at_j = (i + 1 + j) * d_;
            pivot = at.G.block(at_j, at_j, d_, d_);
            pivot.noalias() -= X.transpose().lazyProduct(X);
            pivot.diagonal().array() += ridge_;
            b = at.b.middleRows(at_j, d_);
            b.noalias() -= X.transpose().lazyProduct(half);
            last.compute(pivot);
            last.matrixL().solveInPlace(b);
            chosen_.push_back(at.first + i + 1 + j);
            record(explained + b.squaredNorm());
            chosen_.pop_back();
        }
    }

    [[nodiscard]] Reduced project_out(const Reduced& at,
                                      Index i,
                                      const BlockFactor& factor,
                                      const Matrix& half) const {
        const Index start = (i + 1) * d_;
        const Index after = at.G.rows() - start;
        const Matrix coupling = factor.matrixL().solve(at.G.block(i * d_, start, d_, after));
        Reduced next{
            at.first + i + 1, at.G.bottomRightCorner(after, after), at.b.bottomRows(after)};
        next.G.noalias() -= coupling.transpose() * coupling;
        next.b.noalias() -= coupling.transpose() * half;
        return next;
    }

    void record(double explained) {
        if (best_.size() == keep_ && !(explained > best_.back().first)) {
            return;
        }
        const auto place = std::find_if(
            best_.begin(), best_.end(), [&](const auto& entry) { return explained > entry.first; });
        best_.insert(place, {explained, chosen_});
        if (best_.size() > keep_) {
            best_.pop_back();
        }
    }

    Index d_;
    Index m_;
    std::size_t keep_;
    double ridge_;
    std::vector<Index> chosen_;
    std::vector<std::pair<double, std::vector<Index>>> best_;
};

}  // namespace

std::vector<std::vector<Index>> best_tuples(
    const Matrix& G, const Matrix& b, Index d, Index m, Index keep) {
    require(d >= 1 && G.rows() == G.cols() && G.rows() == b.rows() && G.rows() % d == 0 && m >= 1 &&
                m <= G.rows() / d && keep >= 1,
            "best_tuples: the shapes do not match, or there are fewer blocks than m");
    TupleSearch search(d, m, keep, kRidge * G.diagonal().mean());
    search.descend({0, G, b}, 0.0);
    return search.best();
}

}  // namespace attest
