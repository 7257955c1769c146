#include "bench/experiments/text/one_hot_layer.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"

#include <algorithm>
#include <limits>

namespace attest {

namespace {

/// ⟨x, x'⟩ of the counts of two windows.
double shared_words(const WordWindow& a, const WordWindow& b) {
    double count = 0.0;
    for (const Index i : a.words) {
        for (const Index j : b.words) {
            count += i == j ? 1.0 : 0.0;
        }
    }
    return count;
}

struct Inverse {
    Matrix inverse;
    Index rank = 0;
    double condition = 1.0;
};

/// (G + shift)⁻¹, or G⁺ for shift 0.
Inverse shifted_inverse(Matrix G, double shift) {
    const Index size = G.rows();
    if (shift > 0.0) {
        // ‖G‖ ≤ trace, and G has no negative eigenvalue.
        const double condition = (G.trace() + shift) / shift;
        G.diagonal().array() += shift;
        const CholeskyFactor factor = cholesky(G);
        ensure(factor.positive, "shifted_inverse: a Gram matrix with a ridge is not positive");
        return {cholesky_solve(factor, Matrix::Identity(size, size)), size, condition};
    }
    const SymmetricEigen eigen = symmetric_eigen(G);
    const double largest = eigen.values(size - 1);
    const double threshold =
        static_cast<double>(size) * std::numeric_limits<double>::epsilon() * largest;
    const Index rank = (eigen.values.array() > threshold).count();
    const auto vectors = eigen.vectors.rightCols(rank);
    const Vector values = eigen.values.tail(rank);
    return {vectors * values.cwiseInverse().asDiagonal() * vectors.transpose(),
            rank,
            largest / values(0)};
}

}  // namespace

std::vector<WordWindow> word_windows(const VocabularyText& text,
                                     std::span<const TextWindow> windows,
                                     Index n) {
    std::vector<WordWindow> result;
    for (const TextWindow& window : windows) {
        const auto& words = text.documents[static_cast<std::size_t>(window.document)].words;
        const auto end = words.begin() + window.end;
        result.push_back({std::vector<Index>(end - n, end), *end});
    }
    return result;
}

OneHotLayer::OneHotLayer(Index vocabulary,
                         std::vector<WordWindow> training,
                         const RidgeTarget& target,
                         double ridge)
    : vocabulary_(vocabulary),
      training_(std::move(training)),
      groups_(static_cast<std::size_t>(vocabulary)) {
    require(!training_.empty() && ridge >= 0.0,
            "OneHotLayer: got {} windows and the ridge {}, expected some and 0 or more",
            training_.size(),
            ridge);
    for (std::size_t i = 0; i < training_.size(); ++i) {
        groups_.at(static_cast<std::size_t>(training_[i].query())).members.push_back(i);
    }
    double doubles = 0.0;
    for (const Group& group : groups_) {
        const auto size = static_cast<double>(std::min(std::ssize(group.members), vocabulary_));
        doubles += size * size;
    }
    require_memory(8.0 * doubles, "OneHotLayer", "tell fewer words apart (--vocabulary)");
    for (Index v = 0; v < vocabulary_; ++v) {
        Group& group = groups_[static_cast<std::size_t>(v)];
        group.prior = target.tables == nullptr ? Vector(Vector::Zero(vocabulary_))
                                               : target.tables->bigram(v, target.bigram_weight);
        fit(group, ridge);
    }
}

Matrix OneHotLayer::gram(const Group& group) const {
    const Index count = std::ssize(group.members);
    if (!group.primal) {
        Matrix G(count, count);
        for (Index i = 0; i < count; ++i) {
            const WordWindow& a = training_[group.members[static_cast<std::size_t>(i)]];
            for (Index j = 0; j <= i; ++j) {
                G(i, j) = shared_words(a, training_[group.members[static_cast<std::size_t>(j)]]);
                G(j, i) = G(i, j);
            }
        }
        return G;
    }
    Matrix G = Matrix::Zero(vocabulary_, vocabulary_);
    for (const std::size_t member : group.members) {
        for (const Index i : training_[member].words) {
            for (const Index j : training_[member].words) {
                G(i, j) += 1.0;
            }
        }
    }
    return G;
}

void OneHotLayer::fit(Group& group, double ridge) {
    if (group.members.empty()) {
        return;
    }
    group.primal = std::ssize(group.members) > vocabulary_;
    Inverse found = shifted_inverse(gram(group), static_cast<double>(training_.size()) * ridge);
    group.inverse = std::move(found.inverse);
    rank_ += found.rank;
    condition_ = std::max(condition_, found.condition);
}

/// c: how much of each training window of the group the output takes.
Vector OneHotLayer::factors(const Group& group, const WordWindow& window) const {
    const Index count = std::ssize(group.members);
    if (!group.primal) {
        Vector shared(count);
        for (Index i = 0; i < count; ++i) {
            shared(i) = shared_words(training_[group.members[static_cast<std::size_t>(i)]], window);
        }
        return group.inverse * shared;
    }
    Vector solved = Vector::Zero(vocabulary_);
    for (const Index word : window.words) {
        solved += group.inverse.col(word);
    }
    Vector c = Vector::Zero(count);
    for (Index i = 0; i < count; ++i) {
        for (const Index word : training_[group.members[static_cast<std::size_t>(i)]].words) {
            c(i) += solved(word);
        }
    }
    return c;
}

Vector OneHotLayer::predict(const WordWindow& window) const {
    const Group& group = groups_.at(static_cast<std::size_t>(window.query()));
    if (group.members.empty()) {
        return group.prior;
    }
    const Vector c = factors(group, window);
    Vector output = (1.0 - c.sum()) * group.prior;
    for (Index i = 0; i < c.size(); ++i) {
        output(training_[group.members[static_cast<std::size_t>(i)]].next) += c(i);
    }
    return output;
}

}  // namespace attest
