#include "tasks/gaussian_population.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/moments/population.hpp"
#include "core/rng/sample.hpp"

#include <vector>

namespace attest {

namespace {

/// Sums over the whole grid, so taken once.
const EntryMoments& normal_moments() {
    static const EntryMoments kMoments = moments_of(grid_normal());
    return kMoments;
}

/// E of a product of up to six entries of one token, by their rows.
class TokenMoments {
public:
    TokenMoments() {
        for (const Rational& moment : normal_moments().m) {
            moments_.push_back(moment.convert_to<double>());
        }
    }

    [[nodiscard]] double second() const { return moments_[2]; }

    template <std::size_t Count>
    [[nodiscard]] double of(const std::array<Index, Count>& rows) const {
        double product = 1.0;
        for (std::size_t i = 0; i < Count; ++i) {
            std::size_t equal = 0;
            bool first = true;
            for (std::size_t j = 0; j < Count; ++j) {
                equal += rows[j] == rows[i] ? 1 : 0;
                first = first && (rows[j] != rows[i] || j >= i);
            }
            product *= first ? moments_[equal] : 1.0;
        }
        return product;
    }

private:
    std::vector<double> moments_;
};

/// (u_a)_b (v_a)_c (w_a)_e as a d³×o matrix: the cubic forms' coefficients.
Matrix form_coefficients(const std::array<Matrix, 3>& factors, Index d) {
    const Index o = factors[0].rows();
    Matrix C(d * d * d, o);
    for (Index i = 0; i < C.rows(); ++i) {
        for (Index a = 0; a < o; ++a) {
            C(i, a) = factors[0](a, i / (d * d)) * factors[1](a, i / d % d) * factors[2](a, i % d);
        }
    }
    return C;
}

/// E[H m], m the d³ monomials z_b z_c z_e of the query: (z_j z_k + (n−1) E[x_j x_k]) z_l m.
Matrix feature_moments(const TokenMoments& law, Index d, Index n) {
    Matrix M(feature_dim(d), d * d * d);
    const double others = static_cast<double>(n - 1) * law.second();
    for (Index f = 0; f < M.rows(); ++f) {
        const auto [j, k] = packed_pair(d, f / d);
        const Index l = f % d;
        for (Index i = 0; i < M.cols(); ++i) {
            const Index b = i / (d * d);
            const Index c = i / d % d;
            const Index e = i % d;
            M(f, i) = law.of<6>({j, k, l, b, c, e});
            if (j == k) {
                M(f, i) += others * law.of<4>({l, b, c, e});
            }
        }
    }
    return M;
}

/// E of the products of two monomials of one token, d³×d³.
Matrix monomial_moments(const TokenMoments& law, Index d) {
    Matrix M(d * d * d, d * d * d);
    for (Index i = 0; i < M.rows(); ++i) {
        for (Index j = 0; j < M.cols(); ++j) {
            M(i, j) = law.of<6>({i / (d * d), i / d % d, i % d, j / (d * d), j / d % d, j % d});
        }
    }
    return M;
}

}  // namespace

Matrix gaussian_second_moment(Index d, Index n) {
    const MatrixOf<Rational> exact = population_second_moment(normal_moments(), d, n);
    return exact.unaryExpr([](const Rational& entry) { return entry.convert_to<double>(); });
}

CubicPopulation cubic_population(const std::array<Matrix, 3>& factors, Index d, Index n) {
    static const TokenMoments law;
    const Matrix C = form_coefficients(factors, d);
    const Matrix cross = feature_moments(law, d, n) * C;
    CubicPopulation population;
    population.best = cholesky_solve(cholesky(gaussian_second_moment(d, n)), cross);
    // Forms of different tokens are independent with mean 0.
    const Matrix image = monomial_moments(law, d) * C;
    population.power = static_cast<double>(n) * C.cwiseProduct(image).sum();
    population.floor = population.power - cross.cwiseProduct(population.best).sum();
    return population;
}

}  // namespace attest
