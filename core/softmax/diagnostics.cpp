#include "core/softmax/diagnostics.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/softmax/net_search.hpp"
#include "core/softmax/polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace attest {

namespace {

constexpr double kSparse = 0.99;

/// The largest difference between heads, the least probability, and whether all are 1-sparse on one
/// token, for row a.
struct RowPatterns {
    double spread = 0.0;
    double least = 1.0;
    double sparsest = 0.0;  ///< max_j min_i p_j^i
};

RowPatterns row_patterns(const std::vector<Matrix>& patterns, Index a) {
    RowPatterns row;
    for (Index j = 0; j < patterns.front().rows(); ++j) {
        double low = 1.0;
        double high = 0.0;
        for (const Matrix& P : patterns) {
            low = std::min(low, P(j, a));
            high = std::max(high, P(j, a));
        }
        row.spread = std::max(row.spread, high - low);
        row.least = std::min(row.least, low);
        row.sparsest = std::max(row.sparsest, low);
    }
    return row;
}

constexpr std::size_t kMostMatched = 8;

double relative_distance(const Matrix& estimate, const Matrix& truth) {
    return (estimate - truth).norm() / truth.norm();
}

// Two heads that stand for one, Θ ± δ, fit to relative squared error O(δ⁴): at the polish's 10⁻²⁶ δ
// is about 3·10⁻⁷. From that far the Gauss–Newton steps converge quadratically.
constexpr Index kSteps = 10;

/// The weights w with Σ w = 1 of the affine combination of least norm: proportional to the Gram
/// matrix's inverse times 1, when the points are linearly independent.
Vector affine_weights(const Matrix& points) {
    const Svd s = svd(points);
    const Vector inverse = s.sigma.unaryExpr(
        [&](double sigma) { return sigma > 1e-12 * s.sigma(0) ? 1.0 / (sigma * sigma) : 0.0; });
    const Vector w = s.V * (inverse.asDiagonal() * (s.V.transpose() * Vector::Ones(points.cols())));
    return w / w.sum();
}

double least_sigma_of_units(const Matrix& columns) {
    return singular_values(columns.colwise().normalized()).minCoeff();
}

constexpr double kLeastProbability = 1e-3;

/// Weighted normal equations of one head's Θ.
struct ThetaNormal {
    Matrix A;
    Vector b;
};

/// The probabilities of all heads on one row, m(k−1) steps: least squares of y − Σ_i W_iᵀ x_0.
Vector unmixed_row(const SoftmaxHeads& heads, const Matrix& X, const Vector& y) {
    const auto m = static_cast<Index>(heads.size());
    const Index steps = X.cols() - 1;
    Matrix design(X.rows(), m * steps);
    Vector target = y;
    const Matrix differences = X.rightCols(steps).colwise() - X.col(0);
    for (Index i = 0; i < m; ++i) {
        const Matrix& W = heads[static_cast<std::size_t>(i)].W;
        design.middleCols(i * steps, steps) = W.transpose() * differences;
        target -= W.transpose() * X.col(0);
    }
    const ThinQr qr = thin_qr(design);
    if (!(qr.R.diagonal().cwiseAbs().minCoeff() > 1e-12)) {
        return Vector();  // equal tokens: the row says nothing
    }
    return solve_upper(qr.R, qr.Q.transpose() * target);
}

void add_row(ThetaNormal& normal, const Vector& q, const Matrix& X, Index a) {
    const double p0 = 1.0 - q.sum();
    const Index d = X.rows();
    if (!(p0 > kLeastProbability && q.minCoeff() > kLeastProbability)) {
        return;
    }
    Vector v(d * d);
    for (Index j = 0; j < q.size(); ++j) {
        const double weight = q(j) * p0 * q(j) * p0;
        for (Index u = 0; u < d; ++u) {
            v.segment(u * d, d) = X(u, a) * (X.col(j + 1) - X.col(0));
        }
        normal.A.selfadjointView<Eigen::Lower>().rankUpdate(v, weight);
        normal.b += weight * std::log(q(j) / p0) * v;
    }
}

}  // namespace

Rarity agreement(const SoftmaxHeads& heads,
                 const SoftmaxSource& source,
                 const std::vector<double>& epsilons,
                 double least_probability) {
    require(!heads.empty(), "agreement: got no heads, expected at least one");
    Rarity rarity{0, std::vector<Index>(epsilons.size(), 0), 0};
    std::vector<Matrix> patterns(heads.size());
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        for (Index i = 0; i < block.count(); ++i) {
            const Matrix X = block.X.middleCols(i * block.k, block.k);
            for (std::size_t h = 0; h < heads.size(); ++h) {
                patterns[h] = attention_weights(heads[h].Theta, X);
            }
            for (Index a = 0; a < block.k; ++a) {
                const RowPatterns row = row_patterns(patterns, a);
                ++rarity.rows;
                rarity.sparse += row.sparsest > kSparse ? 1 : 0;
                for (std::size_t e = 0; e < epsilons.size(); ++e) {
                    rarity.agreeing[e] +=
                        row.least >= least_probability && row.spread <= epsilons[e] ? 1 : 0;
                }
            }
        }
    });
    return rarity;
}

double rarity_slope(const Rarity& rarity, const std::vector<double>& epsilons, Index fewest) {
    double weight = 0.0;
    double x = 0.0;
    double y = 0.0;
    double xx = 0.0;
    double xy = 0.0;
    Index used = 0;
    for (std::size_t e = 0; e < epsilons.size(); ++e) {
        if (rarity.agreeing[e] < fewest) {
            continue;
        }
        const auto count = static_cast<double>(rarity.agreeing[e]);
        const double u = std::log(epsilons[e]);
        const double v = std::log(count / static_cast<double>(rarity.rows));
        weight += count;
        x += count * u;
        y += count * v;
        xx += count * u * u;
        xy += count * u * v;
        ++used;
    }
    if (used < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return (weight * xy - x * y) / (weight * xx - x * x);
}

RecoveryError recovery_error(const SoftmaxHeads& learned, const SoftmaxHeads& planted) {
    require(learned.size() == planted.size() && !planted.empty() && planted.size() <= kMostMatched,
            "recovery_error: got {} learned and {} planted heads, expected as many, from 1 to {}",
            learned.size(),
            planted.size(),
            kMostMatched);
    std::vector<std::size_t> order(planted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RecoveryError best{std::numeric_limits<double>::infinity(), 0.0};
    do {
        RecoveryError error;
        for (std::size_t i = 0; i < planted.size(); ++i) {
            const SoftmaxHead& head = learned[order[i]];
            error.theta = std::max(error.theta, relative_distance(head.Theta, planted[i].Theta));
            error.value = std::max(error.value, relative_distance(head.W, planted[i].W));
        }
        if (error.worst() < best.worst()) {
            best = error;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

SoftmaxOutcome outcome_against(SoftmaxOutcome outcome,
                               const SoftmaxHeads& learned,
                               const SoftmaxHeads& planted) {
    if (learned.size() == planted.size()) {
        return outcome;
    }
    return outcome == SoftmaxOutcome::recovered || outcome == SoftmaxOutcome::predicts
               ? SoftmaxOutcome::predicts
               : SoftmaxOutcome::failed;
}

Matrix flattened_thetas(const SoftmaxHeads& heads) {
    require(!heads.empty(), "flattened_thetas: got no heads, expected at least one");
    Matrix thetas(heads.front().Theta.size(), static_cast<Index>(heads.size()));
    for (std::size_t i = 0; i < heads.size(); ++i) {
        thetas.col(static_cast<Index>(i)) = flatten(heads[i].Theta);
    }
    return thetas;
}

HullError hull_error(const ThetaHull& hull, const SoftmaxHeads& planted) {
    const Matrix thetas = flattened_thetas(planted);
    require(hull.found && hull.x0.size() == thetas.rows() &&
                hull.directions.cols() + 1 == thetas.cols(),
            "hull_error: expected a hull of as many heads of the same size");
    HullError error;
    for (Index i = 0; i < thetas.cols(); ++i) {
        Vector off = thetas.col(i) - hull.x0;
        off -= hull.directions * (hull.directions.transpose() * off);
        error.distance = std::max(error.distance, off.norm() / thetas.col(i).norm());
    }
    if (thetas.cols() > 1) {
        const AffineHull own = affine_hull(thetas);
        const Matrix outside =
            own.directions - hull.directions * (hull.directions.transpose() * own.directions);
        const double sine = std::min(1.0, singular_values(outside)(0));
        error.angle_degrees = std::asin(sine) * 180.0 / std::numbers::pi;
    }
    return error;
}

double sum_error(const Matrix& W, const SoftmaxHeads& planted) {
    return relative_distance(W, sum_of_values(planted));
}

double error_without_a_head(const SoftmaxHeads& heads,
                            const SoftmaxExamples& training,
                            const SoftmaxExamples& held_out) {
    double least = std::numeric_limits<double>::infinity();
    FitControl control = polish_control();
    control.max_iterations = kSteps;
    for (std::size_t left_out = 0; heads.size() > 1 && left_out < heads.size(); ++left_out) {
        std::vector<Matrix> thetas;
        for (std::size_t i = 0; i < heads.size(); ++i) {
            if (i != left_out) {
                thetas.push_back(heads[i].Theta);
            }
        }
        const SoftmaxFit fit = polish(thetas, training, control);
        least = std::min(least, relative_error(fit.heads, held_out));
    }
    return least;
}

double scaled_least_sigma(const Matrix& W) {
    const double norm = W.norm();
    if (!(norm > 0.0)) {
        return 0.0;
    }
    return singular_values(W).minCoeff() * std::sqrt(static_cast<double>(W.rows())) / norm;
}

NonDegeneracy non_degeneracy(const SoftmaxHeads& heads, Index k) {
    const Matrix thetas = flattened_thetas(heads);
    const Index m = thetas.cols();
    Matrix values(thetas.rows(), m);
    NonDegeneracy result;
    result.effective_rank = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < m; ++i) {
        const SoftmaxHead& head = heads[static_cast<std::size_t>(i)];
        values.col(i) = flatten(head.W);
        const double spectral = singular_values(head.Theta).maxCoeff();
        require(spectral > 0.0 && values.col(i).norm() > 0.0,
                "non_degeneracy: got a head with Theta = 0 or W = 0, expected neither");
        result.effective_rank =
            std::min(result.effective_rank, head.Theta.squaredNorm() / (spectral * spectral));
    }
    const double largest = largest_theta(heads);
    result.theta_distance = m == 1 ? 1.0 : std::numeric_limits<double>::infinity();
    for (Index i = 0; i < m; ++i) {
        for (Index j = i + 1; j < m; ++j) {
            const double product = thetas.col(i).dot(thetas.col(j));
            const double norms = thetas.col(i).norm() * thetas.col(j).norm();
            result.largest_cosine = std::max(result.largest_cosine, std::abs(product) / norms);
            result.theta_distance =
                std::min(result.theta_distance, (thetas.col(i) - thetas.col(j)).norm() / largest);
        }
    }
    result.theta_sigma = least_sigma_of_units(thetas);
    result.value_sigma = least_sigma_of_units(values);
    const Vector weights = affine_weights(thetas);
    result.proxy_weight = weights.minCoeff();
    result.proxy_norm = (thetas * weights).norm() / largest;
    result.sum_sigma = scaled_least_sigma(sum_of_values(heads));
    result.rows_injective = rows_are_injective(heads.front().Theta.rows(), k, m);
    return result;
}

bool rows_are_injective(Index d, Index k, Index m) {
    return d >= m * (k - 1);
}

Unmixing unmix(const SoftmaxHeads& start, const SoftmaxExamples& examples, Index rounds) {
    const Index d = examples.d();
    const Index k = examples.k;
    const auto m = static_cast<Index>(start.size());
    require(m >= 1 && rows_are_injective(d, k, m),
            "unmix: got d = {}, m = {}, k = {}, expected d >= m(k-1)",
            d,
            m,
            k);
    Unmixing result{start, {}};
    for (Index round = 0; round < rounds; ++round) {
        std::vector<ThetaNormal> normals(static_cast<std::size_t>(m),
                                         {Matrix::Zero(d * d, d * d), Vector::Zero(d * d)});
        for (Index column = 0; column < examples.X.cols(); ++column) {
            const Matrix X = examples.X.middleCols((column / k) * k, k);
            const Vector q = unmixed_row(result.heads, X, examples.Y.col(column));
            for (Index i = 0; i < m && q.size() > 0; ++i) {
                add_row(normals[static_cast<std::size_t>(i)],
                        q.segment(i * (k - 1), k - 1),
                        X,
                        column % k);
            }
        }
        Matrix thetas(d * d, m);
        for (Index i = 0; i < m; ++i) {
            const CholeskyFactor factor = cholesky(normals[static_cast<std::size_t>(i)].A);
            if (!factor.positive) {
                return result;  // too few rows are left to determine Θ: what was reached stands
            }
            thetas.col(i) = cholesky_solve(factor, normals[static_cast<std::size_t>(i)].b);
        }
        NetTuple fitted = fit_values_to(thetas, examples);
        result.heads = std::move(fitted.heads);
        result.errors.push_back(fitted.relative_error);
    }
    return result;
}

}  // namespace attest
