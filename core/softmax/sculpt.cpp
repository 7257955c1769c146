#include "core/softmax/sculpt.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/softmax/best_rows.hpp"
#include "core/softmax/pattern_fit.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace attest
