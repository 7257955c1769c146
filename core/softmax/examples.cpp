#include "core/softmax/examples.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace attest {

namespace {

constexpr Index kTokensOfABlock = 50000;
constexpr Index kMostBits = 62;

bool is_sign(double x) {
    return bitwise_equal(x, 1.0) || bitwise_equal(x, -1.0);
}

}  // namespace

void check(const SoftmaxExamples& examples) {
    require(examples.k >= 1 && examples.X.cols() >= examples.k &&
                examples.X.cols() % examples.k == 0 && examples.X.rows() >= 1 &&
                examples.Y.rows() == examples.X.rows() && examples.Y.cols() == examples.X.cols(),
            "softmax examples: got tokens {}x{} and labels {}x{}, expected the same shape and "
            "whole sequences of {} tokens",
            examples.X.rows(),
            examples.X.cols(),
            examples.Y.rows(),
            examples.Y.cols(),
            examples.k);
}

SoftmaxExamples subset(const SoftmaxExamples& examples, Index first, Index count) {
    require(first >= 0 && count >= 0 && first + count <= examples.count(),
            "softmax examples: got {} examples from {}, expected at most {}",
            count,
            first,
            examples.count());
    const Index k = examples.k;
    return {k,
            examples.X.middleCols(first * k, count * k),
            examples.Y.middleCols(first * k, count * k)};
}

SoftmaxSource source_of(SoftmaxExamples examples) {
    check(examples);
    const auto held = std::make_shared<const SoftmaxExamples>(std::move(examples));
    return {held->d(), held->k, held->count(), [held](Index first, Index count) {
                return subset(*held, first, count);
            }};
}

SoftmaxSource held_in_memory(SoftmaxSource source, double bytes) {
    const auto needed = 16.0 * static_cast<double>(source.d * source.k * source.count);
    return needed <= bytes ? source_of(source.draw(0, source.count)) : std::move(source);
}

void for_each_block(const SoftmaxSource& source,
                    const std::function<void(const SoftmaxExamples&, Index)>& visit) {
    const Index size = std::max<Index>(1, kTokensOfABlock / source.k);
    for (Index first = 0; first < source.count; first += size) {
        throw_if_interrupted("softmax");
        visit(source.draw(first, std::min(size, source.count - first)), first);
    }
}

bool is_boolean(const SoftmaxSource& source) {
    if (source.d * source.k > kMostBits || source.count == 0) {
        return false;
    }
    const Matrix X = source.draw(0, 1).X;
    return std::all_of(X.data(), X.data() + X.size(), is_sign);
}

SoftmaxExamples distinct_boolean(const SoftmaxSource& source) {
    require(source.d * source.k <= kMostBits,
            "distinct_boolean: got {} entries in a sequence, expected at most {}",
            source.d * source.k,
            kMostBits);
    const Index size = source.d * source.k;
    std::unordered_set<std::uint64_t> seen;
    std::vector<double> X;
    std::vector<double> Y;
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        for (Index i = 0; i < block.count(); ++i) {
            const double* x = block.X.data() + i * size;
            const double* y = block.Y.data() + i * size;
            std::uint64_t code = 0;
            for (Index e = 0; e < size; ++e) {
                require(is_sign(x[e]), "distinct_boolean: got an entry other than 1 and -1");
                code = code << 1U | static_cast<std::uint64_t>(x[e] * x[0] > 0.0);
            }
            if (seen.insert(code).second) {
                std::transform(
                    x, x + size, std::back_inserter(X), [&](double e) { return e * x[0]; });
                std::transform(
                    y, y + size, std::back_inserter(Y), [&](double e) { return e * x[0]; });
            }
        }
    });
    const auto tokens = static_cast<Index>(X.size()) / source.d;
    return {source.k,
            Eigen::Map<const Matrix>(X.data(), source.d, tokens),
            Eigen::Map<const Matrix>(Y.data(), source.d, tokens)};
}

}  // namespace attest
