#include "core/softmax/sculpt.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attest {

namespace {

constexpr Choices<SculptMode, 2> kSculptModeNames{
    {{SculptMode::full, "full"}, {SculptMode::pairs, "pairs"}}};

/// Walks the rows of a stream and keeps the best.
class Sculptor {
public:
    Sculptor(const Matrix& W, Index k, const SculptOptions& options)
        : W_(W),
          options_(options),
          d_(W.rows()),
          k_(k),
          steps_(options.mode == SculptMode::full ? k - 1 : 1),
          min_design_(options.min_design * W.norm() / std::sqrt(static_cast<double>(d_))),
          best_(options.rows, 3 * d_ + steps_ * (d_ + 1)),
          fit_(d_, steps_ + 1) {}

    void visit(const SoftmaxExamples& block, Index first) {
        const Matrix values = W_.transpose() * block.X;
        for (Index i = 0; i < block.count(); ++i) {
            for (Index a = 0; a < k_; ++a) {
                if (options_.mode == SculptMode::full) {
                    offer(block, values, {0.0, first + i, a, 0, 1}, i);
                    continue;
                }
                for (Index l = 0; l < k_; ++l) {
                    for (Index j = l + 1; j < k_; ++j) {
                        offer(block, values, {0.0, first + i, a, l, j}, i);
                    }
                }
            }
        }
    }

    [[nodiscard]] SculptedRows result() const {
        const BestRows::Result best = best_.sorted();
        const auto T = static_cast<Index>(best.keys.size());
        SculptedRows rows{
            d_, steps_, Vector(T), {}, {}, {}, Matrix(d_, T * steps_), Vector(T * steps_)};
        rows.tokens = best.payloads.topRows(d_);
        rows.labels = best.payloads.middleRows(d_, d_);
        rows.mixtures = best.payloads.middleRows(2 * d_, d_);
        for (Index t = 0; t < T; ++t) {
            rows.scores(t) = best.keys[static_cast<std::size_t>(t)].score;
            rows.differences.middleCols(t * steps_, steps_) =
                best.payloads.col(t).segment(3 * d_, d_ * steps_).reshaped(d_, steps_);
            rows.logits.segment(t * steps_, steps_) = best.payloads.col(t).tail(steps_);
        }
        return rows;
    }

private:
    /// Fits the label of token key.token by the pattern's tokens and keeps the row if it is good.
    void offer(const SoftmaxExamples& block, const Matrix& values, BestRows::Key key, Index i) {
        const double* label = block.Y.data() + (i * k_ + key.token) * d_;
        fit_.start(label, values.data() + (i * k_ + key.first) * d_);
        for (Index s = 0; s < steps_; ++s) {
            fit_.add(s, values.data() + (i * k_ + key.second + s) * d_);
        }
        if (!fit_.solve(min_design_, options_.min_probability)) {
            return;
        }
        key.score = fit_.score();
        if (best_.accepts(key)) {
            fill(best_.keep(key), block, key, i);
        }
    }

    void fill(double* payload,
              const SoftmaxExamples& block,
              const BestRows::Key& key,
              Index i) const {
        const auto token = [&](Index j) { return block.X.col(i * k_ + j); };
        Eigen::Map<Vector> all(payload, 3 * d_ + steps_ * (d_ + 1));
        all.head(d_) = token(key.token);
        all.segment(d_, d_) = block.Y.col(i * k_ + key.token);
        all.segment(2 * d_, d_) = fit_.probability(0) * token(key.first);
        for (Index s = 0; s < steps_; ++s) {
            all.segment(2 * d_, d_) += fit_.probability(s + 1) * token(key.second + s);
            all.segment((3 + s) * d_, d_) = token(key.second + s) - token(key.first);
            all((3 + steps_) * d_ + s) = std::log(fit_.probability(s + 1) / fit_.probability(0));
        }
    }

    const Matrix& W_;
    const SculptOptions& options_;
    Index d_;
    Index k_;
    Index steps_;
    double min_design_;
    BestRows best_;
    PatternFit fit_;
};

constexpr double kWide = 0.1;

/// The token of the sequence whose value is nearest to the label of column `row`.
Index nearest_value(const Matrix& values, const Matrix& labels, Index first, Index row, Index k) {
    Index nearest = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < k; ++j) {
        const double to_value = (labels.col(row) - values.col(first + j)).squaredNorm();
        if (to_value < distance) {
            distance = to_value;
            nearest = j;
        }
    }
    return nearest;
}

double distance_to_others(const Matrix& values, Index first, Index j, Index k) {
    double least = std::numeric_limits<double>::infinity();
    for (Index l = 0; l < k; ++l) {
        if (l != j) {
            least = std::min(least, (values.col(first + j) - values.col(first + l)).norm());
        }
    }
    return least;
}

/// Calls visit(block, row, first, j) for every row whose label is the value of token j = first + …,
/// within `residual` of the distance to the nearest other value.
template <class Visit>
void for_each_saturated(const SoftmaxSource& source,
                        const Matrix& W,
                        double residual,
                        const Visit& visit) {
    const Index k = source.k;
    for_each_block(source, [&](const SoftmaxExamples& block, Index) {
        const Matrix values = W.transpose() * block.X;
        for (Index row = 0; row < block.X.cols(); ++row) {
            const Index first = row - row % k;
            const Index j = nearest_value(values, block.Y, first, row, k);
            const double distance = (block.Y.col(row) - values.col(first + j)).norm();
            if (distance <= residual * distance_to_others(values, first, j, k)) {
                visit(block, row, first, j);
            }
        }
    });
}

void check_shapes(const SoftmaxSource& source, const Matrix& W, const SaturatedOptions& options) {
    require(source.k >= 2 && W.rows() == source.d && W.cols() == source.d && options.most >= 1,
            "saturated_rows: expected at least 2 tokens, a d×d W and room for one inequality");
}

}  // namespace

std::string_view to_string(SculptMode mode) {
    return name_of(kSculptModeNames, mode);
}

std::vector<SculptMode> sculpt_modes(Index d, Index k) {
    if (k == 2) {
        return {SculptMode::full};
    }
    if (k > d) {
        return {SculptMode::pairs};
    }
    return {SculptMode::full, SculptMode::pairs};
}

SculptedRows sculpt(const SoftmaxSource& source, const Matrix& W, const SculptOptions& options) {
    require(source.k >= 2, "sculpt: got sequences of {} tokens, expected at least 2", source.k);
    require(options.mode == SculptMode::pairs || source.k - 1 <= source.d,
            "sculpt: got mode full with k = {} and d = {}, expected k - 1 <= d; use pairs",
            source.k,
            source.d);
    require(W.rows() == source.d && W.cols() == source.d && options.rows >= 1,
            "sculpt: expected a d×d W and at least one row to keep");
    Sculptor sculptor(W, source.k, options);
    for_each_block(
        source, [&](const SoftmaxExamples& block, Index first) { sculptor.visit(block, first); });
    return sculptor.result();
}

BestRows::BestRows(Index capacity, Index payload)
    : capacity_(static_cast<std::size_t>(capacity)), payload_(payload) {
    require(capacity >= 1 && payload >= 0, "best_rows: expected a positive capacity");
}

bool BestRows::accepts(const Key& key) const {
    return heap_.size() < capacity_ || key < heap_.front().key;
}

double* BestRows::keep(const Key& key) {
    Index slot = size();
    if (heap_.size() == capacity_) {
        std::pop_heap(heap_.begin(), heap_.end());
        slot = heap_.back().slot;
        heap_.back() = {key, slot};
    } else {
        heap_.push_back({key, slot});
        payloads_.resize(payloads_.size() + static_cast<std::size_t>(payload_));
    }
    std::push_heap(heap_.begin(), heap_.end());
    return payloads_.data() + slot * payload_;
}

BestRows::Result BestRows::sorted() const {
    std::vector<Entry> order = heap_;
    std::sort(order.begin(), order.end());
    Result result{{}, Matrix(payload_, size())};
    for (const Entry& entry : order) {
        result.payloads.col(static_cast<Index>(result.keys.size())) =
            Eigen::Map<const Vector>(payloads_.data() + entry.slot * payload_, payload_);
        result.keys.push_back(entry.key);
    }
    return result;
}

PatternFit::PatternFit(Index d, Index tokens)
    : d_(d), steps_(tokens - 1), target_(d), base_(d), design_(d, tokens - 1), p_(tokens) {
    require(tokens >= 2 && steps_ <= kMostSteps,
            "pattern fit: got {} tokens, expected 2 to {}",
            tokens,
            kMostSteps + 1);
}

void PatternFit::start(const double* label, const double* value) {
    for (Index c = 0; c < d_; ++c) {
        base_(c) = value[c];
        target_(c) = label[c] - value[c];
    }
}

void PatternFit::add(Index step, const double* value) {
    for (Index c = 0; c < d_; ++c) {
        design_(c, step) = value[c] - base_(c);
    }
}

bool PatternFit::solve(double min_design, double min_probability) {
    return steps_ == 1 ? solve_one(min_design, min_probability)
                       : solve_many(min_design, min_probability);
}

bool PatternFit::solve_one(double min_design, double min_probability) {
    double square = 0.0;
    double product = 0.0;
    for (Index c = 0; c < d_; ++c) {
        square += design_(c, 0) * design_(c, 0);
        product += design_(c, 0) * target_(c);
    }
    if (!(square >= min_design * min_design) || !(square > 0.0)) {
        return false;
    }
    const double q = product / square;
    p_(0) = 1.0 - q;
    p_(1) = q;
    if (!(p_(0) >= min_probability && p_(1) >= min_probability)) {
        return false;
    }
    target_ -= q * design_.col(0);
    score_by(std::sqrt(square), min_probability);
    return true;
}

bool PatternFit::solve_many(double min_design, double min_probability) {
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostSteps, kMostSteps>;
    using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostSteps, 1>;
    Small gram(steps_, steps_);
    gram.noalias() = design_.transpose().lazyProduct(design_);
    const Eigen::SelfAdjointEigenSolver<Small> eigen(gram);
    const double least = eigen.eigenvalues()(0);
    if (!(least >= min_design * min_design) || !(least > 0.0)) {
        return false;
    }
    SmallVector q = design_.transpose().lazyProduct(target_);
    SmallVector rotated = eigen.eigenvectors().transpose().lazyProduct(q);
    rotated.array() /= eigen.eigenvalues().array();
    q = eigen.eigenvectors().lazyProduct(rotated);
    p_(0) = 1.0 - q.sum();
    p_.tail(steps_) = q;
    if (!(p_.minCoeff() >= min_probability)) {
        return false;
    }
    target_ -= design_.lazyProduct(q);
    score_by(std::sqrt(least), min_probability);
    return true;
}

void PatternFit::score_by(double sigma, double min_probability) {
    const double least = p_.minCoeff();
    score_ = target_.norm() / (sigma * std::max(least, min_probability));
}

SaturatedRows saturated_rows(const SoftmaxSource& source,
                             const Matrix& W,
                             const SaturatedOptions& options) {
    check_shapes(source, W, options);
    const Index d = source.d;
    SaturatedRows found;
    std::vector<double> entries;
    const auto keep = [&](const auto& token, const auto& difference) {
        const double length = token.norm() * difference.norm();
        if (!(length > 0.0) || found.count++ >= options.most) {
            return;
        }
        for (Index u = 0; u < d; ++u) {
            for (Index v = 0; v < d; ++v) {
                entries.push_back(token(u) * difference(v) / length);
            }
        }
    };
    for_each_saturated(source,
                       W,
                       options.residual,
                       [&](const SoftmaxExamples& block, Index row, Index first, Index j) {
                           for (Index l = 0; l < source.k; ++l) {
                               if (l != j) {
                                   keep(block.X.col(row),
                                        block.X.col(first + j) - block.X.col(first + l));
                               }
                           }
                       });
    found.v = Eigen::Map<const Matrix>(
        entries.data(), d * d, static_cast<Index>(entries.size()) / (d * d));
    return found;
}

Matrix refine_by_saturation(const SoftmaxSource& source,
                            const Matrix& W,
                            const SaturatedOptions& options) {
    check_shapes(source, W, options);
    Matrix refined = W;
    for (const double residual :
         {kWide, kWide, options.residual, options.residual, options.residual}) {
        Matrix gram = Matrix::Zero(source.d, source.d);
        Matrix cross = Matrix::Zero(source.d, source.d);
        for_each_saturated(source,
                           refined,
                           residual,
                           [&](const SoftmaxExamples& block, Index row, Index first, Index j) {
                               const auto token = block.X.col(first + j);
                               gram += token * token.transpose();
                               cross += token * block.Y.col(row).transpose();
                           });
        const CholeskyFactor factor = cholesky(gram);
        if (!factor.positive) {
            break;  // the rows do not span R^d
        }
        refined = cholesky_solve(factor, cross);
    }
    return refined;
}

}  // namespace attest
