#include "core/softmax/attention.hpp"

#include "core/base/error.hpp"
#include "core/base/portable_exp.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

// Plain loops: Eigen's order of additions depends on the machine.

/// Aᵀ x for a square A.
void transposed_times(const Matrix& A, const double* x, std::vector<double>& result) {
    const Index d = A.rows();
    for (Index v = 0; v < d; ++v) {
        double sum = 0.0;
        for (Index u = 0; u < d; ++u) {
            sum += A(u, v) * x[u];
        }
        result[static_cast<std::size_t>(v)] = sum;
    }
}

/// softmax_j(key · x_j) over the k tokens from `tokens` on, d apart; p has k entries to reuse.
std::vector<double> attention_to(const std::vector<double>& key,
                                 const double* tokens,
                                 std::vector<double> p) {
    const auto d = static_cast<Index>(key.size());
    for (std::size_t j = 0; j < p.size(); ++j) {
        const double* x = tokens + static_cast<Index>(j) * d;
        double score = 0.0;
        for (Index v = 0; v < d; ++v) {
            score += key[static_cast<std::size_t>(v)] * x[v];
        }
        p[j] = score;
    }
    return softmax_weights(std::move(p));
}

void require_block(const Matrix& Theta, const Matrix& X, Index k) {
    if (Theta.rows() != X.rows() || Theta.cols() != X.rows() || k < 1 || X.cols() % k != 0) {
        throw InvalidInput(
            formatted("softmax attention: got Theta {}x{} and tokens {}x{}, expected a square "
                      "Theta of the tokens' size and sequences of {} tokens",
                      Theta.rows(),
                      Theta.cols(),
                      X.rows(),
                      X.cols(),
                      k));
    }
}

}  // namespace

Matrix attention_weights(const Matrix& Theta, const Matrix& X) {
    require_block(Theta, X, X.cols());
    std::vector<double> key(static_cast<std::size_t>(X.rows()));
    std::vector<double> p(static_cast<std::size_t>(X.cols()));
    Matrix P(X.cols(), X.cols());
    for (Index a = 0; a < X.cols(); ++a) {
        transposed_times(Theta, X.col(a).data(), key);
        p = attention_to(key, X.data(), std::move(p));
        std::copy(p.begin(), p.end(), P.col(a).data());
    }
    return P;
}

Matrix mixed_tokens(const Matrix& Theta, const Matrix& X, Index k) {
    require_block(Theta, X, k);
    const Index d = X.rows();
    std::vector<double> key(static_cast<std::size_t>(d));
    std::vector<double> p(static_cast<std::size_t>(k));
    Matrix mixed = Matrix::Zero(d, X.cols());
    for (Index column = 0; column < X.cols(); ++column) {
        const double* tokens = X.data() + (column / k) * k * d;
        transposed_times(Theta, X.col(column).data(), key);
        p = attention_to(key, tokens, std::move(p));
        double* sum = mixed.col(column).data();
        for (Index j = 0; j < k; ++j) {
            for (Index v = 0; v < d; ++v) {
                sum[v] += p[static_cast<std::size_t>(j)] * tokens[j * d + v];
            }
        }
    }
    return mixed;
}

Matrix softmax_attention(const SoftmaxHeads& heads, const Matrix& X, Index k) {
    const Index d = X.rows();
    Matrix Y = Matrix::Zero(d, X.cols());
    std::vector<double> part(static_cast<std::size_t>(d));
    for (const SoftmaxHead& head : heads) {
        require_block(head.W, X, k);
        const Matrix mixed = mixed_tokens(head.Theta, X, k);
        for (Index column = 0; column < X.cols(); ++column) {
            transposed_times(head.W, mixed.col(column).data(), part);
            for (Index c = 0; c < d; ++c) {
                Y(c, column) += part[static_cast<std::size_t>(c)];
            }
        }
    }
    return Y;
}

Matrix sum_of_values(const SoftmaxHeads& heads) {
    require(!heads.empty(), "sum_of_values: got no heads, expected at least one");
    Matrix sum = heads.front().W;
    for (std::size_t i = 1; i < heads.size(); ++i) {
        sum += heads[i].W;
    }
    return sum;
}

double largest_theta(const SoftmaxHeads& heads) {
    double largest = 0.0;
    for (const SoftmaxHead& head : heads) {
        largest = std::max(largest, head.Theta.norm());
    }
    return largest;
}

std::vector<double> softmax_weights(std::vector<double> scores) {
    if (scores.empty()) {
        return scores;
    }
    const double highest = *std::max_element(scores.begin(), scores.end());
    double total = 0.0;
    for (double& weight : scores) {
        weight = portable_exp(weight - highest);
        total += weight;
    }
    for (double& weight : scores) {
        weight /= total;
    }
    return scores;
}

}  // namespace attest
