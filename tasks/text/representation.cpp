#include "tasks/text/representation.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {

namespace {

constexpr Choices<Embedding, 4> kEmbeddings{{{Embedding::ppmi, "ppmi"},
                                             {Embedding::gaussian, "gaussian"},
                                             {Embedding::signs, "signs"},
                                             {Embedding::one_hot, "one_hot"}}};
constexpr Index kFarthest = 4;
constexpr double kGrid = 0x1p10;

/// How often words stand at distances 1 to 4 in training documents; symmetric.
Matrix neighbour_counts(const VocabularyText& text) {
    Matrix counts = Matrix::Zero(text.size(), text.size());
    for (const WordList& document : text.documents) {
        if (document.part != TextPart::train) {
            continue;
        }
        const Index length = std::ssize(document.words);
        for (Index i = 0; i < length; ++i) {
            const Index a = document.words[static_cast<std::size_t>(i)];
            for (Index j = i + 1; j <= std::min(length - 1, i + kFarthest); ++j) {
                const Index b = document.words[static_cast<std::size_t>(j)];
                counts(a, b) += 1.0;
                counts(b, a) += 1.0;
            }
        }
    }
    return counts;
}

/// The bytes in hex: a name that every stream accepts.
std::string stream_name(const std::string& word) {
    std::string name = "w";
    for (const char byte : word) {
        name += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return name;
}

double mean_square(const Matrix& E, const VocabularyText& text) {
    double sum = 0.0;
    double tokens = 0.0;
    for (Index i = 0; i < text.size(); ++i) {
        const auto count = static_cast<double>(text.counts[static_cast<std::size_t>(i)]);
        sum += count * E.col(i).squaredNorm();
        tokens += count;
    }
    return sum / (tokens * static_cast<double>(E.rows()));
}

Matrix one_hot(Index width, Index words) {
    Matrix E = Matrix::Zero(width, words);
    for (Index i = 0; i < words; ++i) {
        // Word 0 is <unk>: it shares the last coordinate with the rarer words.
        E(i >= 1 && i < width ? i - 1 : width - 1, i) = 1.0;
    }
    return E;
}

}  // namespace

std::string_view to_string(Embedding embedding) {
    return name_of(kEmbeddings, embedding);
}

Matrix positive_mutual_information(const VocabularyText& text) {
    Matrix M = neighbour_counts(text);
    const Vector sums = M.rowwise().sum();
    const double total = sums.sum();
    for (Index j = 0; j < M.cols(); ++j) {
        for (Index i = 0; i < M.rows(); ++i) {
            M(i, j) = M(i, j) > 0.0 ? std::max(0.0, std::log(M(i, j) * total / (sums(i) * sums(j))))
                                    : 0.0;
        }
    }
    return M;
}

Matrix spectral_embedding(const Matrix& symmetric, const VocabularyText& text, Index width) {
    require(width >= 1 && width <= symmetric.rows(),
            "text: got an embedding of width {}, expected 1 to the {} words of the vocabulary",
            width,
            symmetric.rows());
    const SymmetricEigen eigen = symmetric_eigen(symmetric);
    std::vector<Index> order(static_cast<std::size_t>(symmetric.rows()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        return std::abs(eigen.values(a)) > std::abs(eigen.values(b));
    });
    Matrix E(width, symmetric.rows());
    for (Index i = 0; i < width; ++i) {
        const Index k = order[static_cast<std::size_t>(i)];
        const Vector column = eigen.vectors.col(k);
        Index largest = 0;
        column.cwiseAbs().maxCoeff(&largest);
        const double root = std::sqrt(std::abs(eigen.values(k)));
        E.row(i) = (column(largest) < 0.0 ? -root : root) * column.transpose();
    }
    const double size = mean_square(E, text);
    require(size > 0.0,
            "text: no word attracts another within distance {}; give more text, or another "
            "representation",
            kFarthest);
    const double scale = kGrid / std::sqrt(size);
    return E.unaryExpr([scale](double x) { return std::nearbyint(x * scale) / kGrid; });
}

Matrix embed(Embedding embedding, const VocabularyText& text, Index width, const Stream& stream) {
    if (embedding == Embedding::ppmi) {
        return spectral_embedding(positive_mutual_information(text), text, width);
    }
    require(width >= 1, "text: got an embedding of width {}, expected at least 1", width);
    if (embedding == Embedding::one_hot) {
        return one_hot(width, text.size());
    }
    Matrix E(width, text.size());
    for (Index i = 0; i < text.size(); ++i) {
        const Stream own = stream.child(stream_name(text.vocabulary[static_cast<std::size_t>(i)]));
        E.col(i) = embedding == Embedding::gaussian
                       ? Vector(grid_matrix(grid_normal(), width, 1, own))
                       : random_signs(width, own);
    }
    return E;
}

}  // namespace attest
