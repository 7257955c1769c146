#include "proofs_check/claims/certificates/coverage_laws.hpp"

#include "core/layers/parse_layer.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

#include <numeric>
#include <utility>

namespace attest::certificates {

namespace {

/// A span over Q, by elimination of one row after the other.
class RationalSpan {
public:
    [[nodiscard]] Index rank() const { return std::ssize(rows_); }

    /// The row less a combination of those that were added: 0 iff it is one.
    [[nodiscard]] RationalVector reduced(RationalVector row) const {
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            const Rational factor = row(pivots_[k]);
            if (factor != 0) {
                row -= factor * rows_[k];
            }
        }
        return row;
    }

    void add(const RationalVector& row) {
        const RationalVector left = reduced(row);
        for (Index j = 0; j < left.size(); ++j) {
            if (left(j) != 0) {
                rows_.emplace_back(left / left(j));
                pivots_.push_back(j);
                return;
            }
        }
    }

private:
    std::vector<RationalVector> rows_;  ///< 1 at its pivot; 0 at those of the rows before
    std::vector<Index> pivots_;
};

/// Rows of features as supplied moments: s the row, u = 1.
Dataset as_moments(const RationalMatrix& features) {
    Dataset data;
    data.layer = layer_named("moments");
    data.tokens = Matrix(0, features.rows());
    data.offsets.resize(static_cast<std::size_t>(features.rows()) + 1);
    std::iota(data.offsets.begin(), data.offsets.end(), Index{0});
    data.columns.s =
        features.transpose().unaryExpr([](const Rational& x) { return x.convert_to<double>(); });
    data.columns.u = Matrix::Ones(1, features.rows());
    return data;
}

CoverageLaw law_of_features(const std::string& name,
                            std::vector<std::uint64_t> weights,
                            const RationalMatrix& features) {
    return {name, std::move(weights), features, as_moments(features)};
}

/// Types: each is determined iff it has been seen.
CoverageLaw law_of_types(const std::string& name, std::vector<std::uint64_t> weights) {
    const Index count = std::ssize(weights);
    return law_of_features(name, std::move(weights), RationalMatrix::Identity(count, count));
}

/// One input of weight 1/2, and eight planes with a, b, a + b and a − b of weight 1/64 each.
CoverageLaw law_of_planes() {
    RationalMatrix features = RationalMatrix::Zero(33, 17);
    features(0, 16) = 1;
    for (Index plane = 0; plane < 8; ++plane) {
        const RationalMatrix four{{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        features.block(1 + 4 * plane, 2 * plane, 4, 2) = four;
    }
    std::vector<std::uint64_t> weights(33, 1);
    weights.front() = 32;
    return law_of_features("planes, two of four points determine one", weights, features);
}

/// Fifteen sequences of two tokens with entries 0 and 1, none all zero, of weight 1/64 each.
CoverageLaw law_of_sequences() {
    std::vector<Matrix> examples;
    std::vector<RationalMatrix> exact;
    for (Index number = 1; number < 16; ++number) {
        const auto digit = [&](Index place) { return static_cast<double>(number / place % 2); };
        Matrix Z(2, 2);
        Z << digit(1), digit(2), digit(4), digit(8);
        examples.push_back(Z);
        exact.emplace_back(Z.cast<Rational>());
    }
    std::vector<std::uint64_t> weights(15, 1);
    weights.front() = 50;
    return {"two tokens with entries 0 and 1", weights, feature_rows(exact), sequences(examples)};
}

}  // namespace

CoverageLaw::CoverageLaw(std::string name,
                         std::vector<std::uint64_t> weights,
                         RationalMatrix features,
                         Dataset inputs)
    : name_(std::move(name)),
      weights_(std::move(weights)),
      features_(std::move(features)),
      inputs_(std::move(inputs)) {}

std::uint64_t CoverageLaw::total_weight() const {
    return std::accumulate(weights_.begin(), weights_.end(), std::uint64_t{0});
}

CoverageLaw CoverageLaw::repeated() const {
    CoverageLaw law = *this;
    law.name_ += ", one draw repeated";
    law.repeats_ = true;
    return law;
}

std::vector<Index> CoverageLaw::draw(Index count, const Stream& stream) const {
    Draws draws(stream);
    const std::uint64_t total = total_weight();
    std::vector<Index> drawn;
    for (Index i = 0; i < count; ++i) {
        if (repeats_ && i > 0) {
            drawn.push_back(drawn.front());
            continue;
        }
        std::uint64_t left = draws.below(total);
        std::size_t input = 0;
        while (left >= weights_[input]) {
            left -= weights_[input++];
        }
        drawn.push_back(static_cast<Index>(input));
    }
    return drawn;
}

Dataset CoverageLaw::data(const std::vector<Index>& drawn) const {
    return select_sequences(inputs_, drawn);
}

CoverageTruth CoverageLaw::truth(const std::vector<Index>& drawn) const {
    RationalSpan span;
    for (const Index input : drawn) {
        span.add(features_.row(input));
    }
    std::uint64_t open = 0;
    for (Index input = 0; input < features_.rows(); ++input) {
        const bool determined = span.reduced(features_.row(input)).isZero(Rational(0));
        open += determined ? 0 : weights_[static_cast<std::size_t>(input)];
    }
    return {span.rank(), static_cast<double>(open) / static_cast<double>(total_weight())};
}

std::vector<CoverageLaw> coverage_laws() {
    std::vector<std::uint64_t> coupons(25, 1);
    coupons.front() = 40;
    return {law_of_types("types of weights 1/2, 1/4, 1/8, ...", {32, 16, 8, 4, 2, 2}),
            law_of_types("types of nearly equal weight", {11, 11, 11, 11, 10, 10}),
            law_of_types("five types of weight 1/64", {59, 1, 1, 1, 1, 1}),
            law_of_types("coupons, 24 of weight 1/64", coupons),
            law_of_planes(),
            law_of_sequences()};
}

}  // namespace attest::certificates
