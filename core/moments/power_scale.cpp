#include "core/moments/power_scale.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/sources/moments.hpp"
#include "core/data/token_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attest {

namespace {

// Features are cubes: 2^±150, their products with coefficients of labels below 2^±150 stay within
// 2^±450 and the squares of those within 2^±900.
constexpr int kTokenReach = 50;
constexpr int kLabelReach = 150;
constexpr int kQueryReach = 30;
constexpr int kCoordinateReach = 8;

/// Of every coordinate the largest exponent, over all tokens or over the queries.
struct Sizes {
    std::vector<int> tokens;
    std::vector<int> queries;
};

int exponent_of(double size) {
    return size > 0.0 ? std::ilogb(size) : -ExponentRange::kNone;
}

struct Largest {
    Vector tokens;
    Vector queries;
    int labels = -ExponentRange::kNone;  ///< exponent
};

Largest largest_of(const SequenceSource& data) {
    const SequenceShape all = data.shape();
    Largest largest{Vector::Zero(all.d), Vector::Zero(all.d)};
    Index asking = 0;  // the next sequence whose query is to come
    for_each_run(data, 0, all.num_tokens(), [&](const TokenRun& run) {
        // Column by column, as they lie in memory: row by row takes ten times as long.
        for (Index t = 0; t < run.tokens.cols(); ++t) {
            largest.tokens = largest.tokens.cwiseMax(run.tokens.col(t).cwiseAbs());
        }
        while (asking < all.num_sequences() && all.query_token(asking) < run.end()) {
            const auto query = run.tokens.col(all.query_token(asking) - run.first_token);
            largest.queries = largest.queries.cwiseMax(query.cwiseAbs());
            ++asking;
        }
        largest.labels = std::max(largest.labels, exponent_range(run.labels).high);
    });
    return largest;
}

Sizes sizes(const Largest& largest, LabelKind labels) {
    const Vector& queries = labels == LabelKind::per_prefix ? largest.tokens : largest.queries;
    Sizes result;
    for (Index j = 0; j < largest.tokens.size(); ++j) {
        result.tokens.push_back(exponent_of(largest.tokens(j)));
        result.queries.push_back(exponent_of(queries(j)));
    }
    return result;
}

/// Largest of the exponents, and least of those that are not of zeros; 0 where all are.
std::pair<int, int> ends(const std::vector<int>& exponents) {
    int low = ExponentRange::kNone;
    int high = -ExponentRange::kNone;
    for (const int e : exponents) {
        if (e > -ExponentRange::kNone) {
            low = std::min(low, e);
            high = std::max(high, e);
        }
    }
    return low > high ? std::pair(0, 0) : std::pair(low, high);
}

std::vector<int> queries_beside(const std::vector<int>& tokens, const std::vector<int>& queries) {
    std::vector<int> result = tokens;
    for (std::size_t j = 0; j < tokens.size(); ++j) {
        if (queries[j] > -ExponentRange::kNone && queries[j] < tokens[j] - kQueryReach) {
            result[j] = queries[j];
        }
    }
    return result;
}

PowerScale scale_together(const Sizes& seen) {
    const auto d = seen.tokens.size();
    const int high = ends(seen.tokens).second;
    const int query = ends(seen.queries).second;
    const bool small_query = query < high - kQueryReach;
    const bool far = std::abs(high) > kTokenReach || small_query;
    PowerScale scale{std::vector<int>(d, far ? high : 0), {}, 0};
    scale.queries = small_query ? std::vector<int>(d, query) : scale.tokens;
    return scale;
}

PowerScale scale_apart(const Sizes& seen) {
    const auto [low, high] = ends(seen.tokens);
    PowerScale scale = scale_together(seen);
    const bool small_query =
        queries_beside(seen.tokens, seen.queries) != seen.tokens && scale.queries == scale.tokens;
    if (high - low <= kCoordinateReach && !small_query) {
        return scale;
    }
    for (std::size_t j = 0; j < seen.tokens.size(); ++j) {
        scale.tokens[j] = seen.tokens[j] > -ExponentRange::kNone ? seen.tokens[j] : high;
    }
    scale.queries = queries_beside(scale.tokens, seen.queries);
    return scale;
}

Dataset divided(const Dataset& data, const PowerScale& scale) {
    Dataset result;
    Matrix tokens(data.d(), data.tokens.cols());
    for (Index t = 0; t < data.tokens.cols(); ++t) {
        for (Index j = 0; j < data.d(); ++j) {
            tokens(j, t) =
                std::ldexp(data.tokens(j, t), -scale.tokens[static_cast<std::size_t>(j)]);
        }
    }
    result.tokens = std::move(tokens);
    result.offsets = data.offsets;
    result.labels = data.labels;
    result.y = data.y.unaryExpr([&](double y) { return std::ldexp(y, -scale.labels); });
    result.query = data.query;
    return result;
}

/// The examples of sequences, in memory or not; these must outlive it.
std::unique_ptr<const MomentSource> plain_source(const SequenceSource& data) {
    if (data.whole() != nullptr) {
        return std::make_unique<DatasetSource>(*data.whole());
    }
    return std::make_unique<SlicedSource>(data);
}

/// Owns the divided data set where the data lie in memory, else divides each part when it comes.
class PowerScaledSource final : public MomentSource {
public:
    PowerScaledSource(const SequenceSource& data, const PowerScale& scale) {
        if (data.whole() != nullptr) {
            data_ = divided(*data.whole(), scale);
            plain_ = std::make_unique<DatasetSource>(data_);
        } else {
            changed_.emplace(data, [scale](Dataset& part) { part = divided(part, scale); });
            plain_ = std::make_unique<SlicedSource>(*changed_);
        }
        for (std::size_t j = 0; j < scale.tokens.size(); ++j) {
            query_shifts_.push_back(scale.tokens[j] - scale.queries[j]);
        }
        plain_queries_ = scale.queries == scale.tokens;
    }

    [[nodiscard]] SourceShape shape() const override { return plain_->shape(); }

    [[nodiscard]] MomentBatch block(Index b) const override {
        MomentBatch batch = plain_->block(b);
        if (!plain_queries_) {
            for (Index l = 0; l < batch.u.rows(); ++l) {
                for (Index i = 0; i < batch.u.cols(); ++i) {
                    batch.u(l, i) =
                        std::ldexp(batch.u(l, i), query_shifts_[static_cast<std::size_t>(l)]);
                }
            }
        }
        return batch;
    }

    [[nodiscard]] const Dataset* dataset() const override {
        return plain_queries_ ? plain_->dataset() : nullptr;
    }

    [[nodiscard]] const SequenceSource* sequences() const override {
        return plain_queries_ ? plain_->sequences() : nullptr;
    }

private:
    std::optional<ChangedSequences> changed_;
    Dataset data_;
    std::unique_ptr<const MomentSource> plain_;
    std::vector<int> query_shifts_;
    bool plain_queries_ = true;
};

}  // namespace

bool PowerScale::is_identity() const {
    const auto zero = [](int e) { return e == 0; };
    return labels == 0 && std::all_of(tokens.begin(), tokens.end(), zero) &&
           std::all_of(queries.begin(), queries.end(), zero);
}

std::vector<int> PowerScale::features() const {
    const auto d = static_cast<Index>(tokens.size());
    std::vector<int> exponents(static_cast<std::size_t>(feature_dim(d)));
    for (Index j = 0; j < d; ++j) {
        for (Index k = j; k < d; ++k) {
            for (Index l = 0; l < d; ++l) {
                exponents[static_cast<std::size_t>(pack_index(d, j, k) * d + l)] =
                    tokens[static_cast<std::size_t>(j)] + tokens[static_cast<std::size_t>(k)] +
                    queries[static_cast<std::size_t>(l)];
            }
        }
    }
    return exponents;
}

PowerScale power_scale(const SequenceSource& data, ScaleBy by) {
    const SequenceShape shape = data.shape();
    if (!shape.layer.is_linear()) {
        return {};
    }
    const Largest largest = largest_of(data);
    const Sizes seen = sizes(largest, shape.labels);
    PowerScale scale = by == ScaleBy::one_power ? scale_together(seen) : scale_apart(seen);
    if (largest.labels > -ExponentRange::kNone && std::abs(largest.labels) > kLabelReach) {
        scale.labels = largest.labels;
    }
    return scale;
}

std::unique_ptr<const MomentSource> scaled_source(const SequenceSource& data,
                                                  const PowerScale& scale) {
    if (scale.is_identity()) {
        return plain_source(data);
    }
    const Index d = data.shape().d;
    require(scale.tokens.size() == static_cast<std::size_t>(d) &&
                scale.queries.size() == scale.tokens.size(),
            "scaled_source: tokens have {} entries, expected {}",
            d,
            scale.tokens.size());
    return std::make_unique<PowerScaledSource>(data, scale);
}

}  // namespace attest
