#include "bench/experiments/sketch/sketches.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/base/timer.hpp"
#include "core/rng/sample.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace attest {

namespace {

/// To features of mean square 1; 0 for those that vanish.
Vector unit_scale(const Moments& moments) {
    return moments.Lambda.diagonal().unaryExpr(
        [](double square) { return square > 0.0 ? 1.0 / std::sqrt(square) : 0.0; });
}

Matrix unit_columns(Index psi, const std::vector<Index>& chosen) {
    Matrix B = Matrix::Zero(psi, std::ssize(chosen));
    for (Index k = 0; k < B.cols(); ++k) {
        B(chosen[static_cast<std::size_t>(k)], k) = 1.0;
    }
    return B;
}

Matrix leading_eigenvectors(const Moments& train, Index m) {
    const Vector scale = unit_scale(train);
    const SymmetricEigen eigen =
        symmetric_eigen(scale.asDiagonal() * train.Lambda * scale.asDiagonal());
    return scale.asDiagonal() * eigen.vectors.rightCols(m);
}

Matrix largest_features(const Moments& train, Index m) {
    const Vector squares = train.Lambda.diagonal();
    std::vector<Index> order(static_cast<std::size_t>(squares.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(
        order.begin(), order.end(), [&](Index a, Index b) { return squares(a) > squares(b); });
    order.resize(static_cast<std::size_t>(m));
    return unit_columns(squares.size(), order);
}

/// Each time the feature that takes most off the risk if it is added alone.
Matrix pursued_features(const Moments& train, Index m) {
    const Vector squares = train.Lambda.diagonal();
    std::vector<Index> chosen;
    Matrix slope = train.cross;
    while (std::ssize(chosen) < m) {
        Vector gain = slope.rowwise().squaredNorm().cwiseQuotient(
            squares.cwiseMax(std::numeric_limits<double>::min()));
        for (const Index taken : chosen) {
            gain(taken) = -1.0;
        }
        Index best = 0;
        gain.maxCoeff(&best);
        chosen.push_back(best);
        const Matrix columns = train.Lambda(Eigen::all, chosen);
        Matrix gram = columns(chosen, Eigen::all);
        // Features that repeat others would stop the factorisation.
        gram.diagonal() *= 1.0 + 1e-9;
        slope = train.cross -
                columns * cholesky_solve(cholesky(gram), Matrix(train.cross(chosen, Eigen::all)));
    }
    return unit_columns(squares.size(), chosen);
}

double random_sign(Draws& draws) {
    return draws.below(2) == 0 ? 1.0 : -1.0;
}

Matrix count_sketch(const Moments& train, Index m, const Stream& stream) {
    Draws draws(stream);
    const Vector scale = unit_scale(train);
    Matrix B = Matrix::Zero(scale.size(), m);
    for (Index i = 0; i < scale.size(); ++i) {
        const auto bucket = static_cast<Index>(draws.below(static_cast<std::uint64_t>(m)));
        B(i, bucket) = random_sign(draws) * scale(i);
    }
    return B;
}

/// A hash and a sign for each coordinate of a token.
struct CoordinateHash {
    std::vector<Index> bucket;
    std::vector<double> sign;

    CoordinateHash(Index d, Index m, const Stream& stream) {
        Draws draws(stream);
        for (Index j = 0; j < d; ++j) {
            bucket.push_back(static_cast<Index>(draws.below(static_cast<std::uint64_t>(m))));
            sign.push_back(random_sign(draws));
        }
    }
};

/// S ⊗ z by three hashes: their sum is the bucket, their signs' product the sign.
Matrix tensor_sketch(Index d, Index m, const Stream& stream) {
    std::vector<CoordinateHash> hashes;
    for (Index k = 0; k < 3; ++k) {
        hashes.emplace_back(d, m, stream.child(k));
    }
    Matrix B = Matrix::Zero(feature_dim(d), m);
    for (Index j = 0; j < d; ++j) {
        for (Index k = 0; k < d; ++k) {
            for (Index l = 0; l < d; ++l) {
                const std::array<Index, 3> factors{j, k, l};
                Index bucket = 0;
                double sign = 1.0;
                for (std::size_t f = 0; f < 3; ++f) {
                    const auto at = static_cast<std::size_t>(factors[f]);
                    bucket += hashes[f].bucket[at];
                    sign *= hashes[f].sign[at];
                }
                B(pack_index(d, j, k) * d + l, bucket % m) += sign;
            }
        }
    }
    return B;
}

/// The features of Gᵀz: entry (a, b, c) is Σ G_ja G_kb G_lc S_jk z_l, and S is symmetric.
Matrix projected_tokens(Index d, Index m, const Stream& stream) {
    Index k = 1;
    while (k < d && feature_dim(k + 1) <= m) {
        ++k;
    }
    const Matrix G = grid_matrix(grid_normal(), d, k, stream);
    Matrix B = Matrix::Zero(feature_dim(d), feature_dim(k));
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
            for (Index a = 0; a < k; ++a) {
                for (Index b = a; b < k; ++b) {
                    B.block(pack_index(d, std::min(i, j), std::max(i, j)) * d,
                            pack_index(k, a, b) * k,
                            d,
                            k) += G(i, a) * G(j, b) * G;
                }
            }
        }
    }
    return B;
}

constexpr Index kSketchDraws = 5;
/// Keeps the factorisation of dependent features going; on features of mean square 1.
constexpr double kSketchRidge = 1e-9;

}  // namespace

std::string_view to_string(SketchKind kind) {
    return name_of(kSketchKinds, kind);
}

bool is_random(SketchKind kind) {
    return kind == SketchKind::count_sketch || kind == SketchKind::tensor_sketch ||
           kind == SketchKind::projection || kind == SketchKind::tokens;
}

Matrix sketch(SketchKind kind, const Moments& train, Index d, Index m, const Stream& stream) {
    require(m >= 1 && m <= feature_dim(d) && train.Lambda.rows() == feature_dim(d),
            "sketch: got m = {} and {} features, expected 1 to {} of {}",
            m,
            train.Lambda.rows(),
            feature_dim(d),
            feature_dim(d));
    switch (kind) {
        case SketchKind::eigenvectors:
            return leading_eigenvectors(train, m);
        case SketchKind::pursuit:
            return pursued_features(train, m);
        case SketchKind::mean_square:
            return largest_features(train, m);
        case SketchKind::count_sketch:
            return count_sketch(train, m, stream);
        case SketchKind::tensor_sketch:
            return tensor_sketch(d, m, stream);
        case SketchKind::projection:
            return unit_scale(train).asDiagonal() *
                   grid_matrix(grid_normal(), feature_dim(d), m, stream);
        case SketchKind::tokens:
            return projected_tokens(d, m, stream);
    }
    throw BrokenInvariant("sketch: unknown kind");
}

Moments sketched(const Moments& moments, const Matrix& B) {
    return {B.transpose() * (moments.Lambda * B),
            B.transpose() * moments.cross,
            moments.label_power,
            moments.num_examples};
}

double relative_risk(const Matrix& P, const Moments& moments) {
    const double slope = 2.0 * P.cwiseProduct(moments.cross).sum();
    const double curvature = P.cwiseProduct(moments.Lambda * P).sum();
    const double rounding = static_cast<double>(P.rows()) * std::numeric_limits<double>::epsilon() *
                            std::max({moments.label_power, std::abs(slope), curvature});
    const double risk = moments.label_power - slope + curvature;
    return (risk < 0.0 && risk > -rounding ? 0.0 : risk) / moments.label_power;
}

Matrix scaled_ridge(const Moments& moments, double ridge) {
    Vector scale = moments.Lambda.diagonal();
    for (double& entry : scale) {
        entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 0.0;
    }
    Matrix scaled = scale.asDiagonal() * moments.Lambda * scale.asDiagonal();
    scaled.diagonal().array() += ridge;
    const CholeskyFactor factor = cholesky(scaled);
    if (!factor.positive) {
        throw NotAvailable(formatted(
            "scaled_ridge: the second moment is singular; expected a ridge above {}", ridge));
    }
    return scale.asDiagonal() * cholesky_solve(factor, Matrix(scale.asDiagonal() * moments.cross));
}

Stream SketchChoice::stream(const Stream& root) const {
    return root.child(to_string(kind)).child(draw);
}

void SketchChoice::name(CaseKey& key, const Stream& root) const {
    key.learner = to_string(kind);
    key.learner_parameters = {{"features", std::int64_t{features}}};
    key.stream = stream(root).path();
    key.repetition = draw;
}

std::vector<SketchChoice> sketch_choices(Index most) {
    std::vector<SketchChoice> choices;
    for (const auto& [kind, name] : kSketchKinds) {
        for (Index m = 4; m < 4 * most; m *= 4) {
            for (Index draw = 0; draw < (is_random(kind) ? kSketchDraws : 1); ++draw) {
                choices.push_back({kind, std::min(m, most), draw});
            }
        }
    }
    return choices;
}

Metrics measure_sketch(const SketchChoice& choice,
                       const Moments& train,
                       const Moments& test,
                       Index d,
                       const Stream& root) {
    const Timer timer;
    const Matrix B = sketch(choice.kind, train, d, choice.features, choice.stream(root));
    Metrics metrics;
    metrics["choose_cpu_seconds"] = {timer.cpu_seconds(), {}, "s"};
    const Moments small = sketched(train, B);
    const Matrix P = scaled_ridge(small, kSketchRidge);
    const double rounding =
        static_cast<double>(choice.features) * std::numeric_limits<double>::epsilon();
    metrics["train_risk"] = zero_up_to(rounding, relative_risk(P, small));
    metrics["test_risk"] = {relative_risk(P, sketched(test, B))};
    return metrics;
}

Table sketch_table(const std::vector<Row>& rows, std::vector<KeyColumn> groups) {
    const NumberFormat four{NumberFormat::Style::fixed, 4};
    groups.emplace_back("learner");
    groups.emplace_back("features", "m");
    return group_table(rows,
                       groups,
                       {{"train_risk", four, "training risk", Statistic::mean},
                        {"test_risk", four, "test risk", Statistic::mean},
                        {"test_risk", four, "± s.e.", Statistic::standard_error},
                        {"choose_cpu_seconds", kThreeDigits, "CPU s to choose", Statistic::mean}});
}

Panel sketch_panel(const std::vector<Row>& rows,
                   const std::string& metric,
                   const std::string& title) {
    Panel panel;
    panel.title = formatted("{}, {}", title, spaced(metric));
    panel.x = {"features m", Scale::log10};
    panel.y = {"relative risk"};
    panel.legend = Legend::none;
    panel.series = series_from_rows(rows, {"features", metric, {"learner"}});
    return panel;
}

Derived sketch_derived(const std::string& name,
                       Table table,
                       std::vector<Panel> panels,
                       const std::string& title) {
    Derived derived{{{name, std::move(table)}}, {}};
    std::erase_if(panels, [](const Panel& panel) { return panel.series.empty(); });
    if (panels.empty()) {
        return derived;
    }
    Figure figure;
    figure.title = title;
    figure.columns = 2;
    figure.panel_width = 560;
    figure.legend = Legend::below;
    figure.panels = std::move(panels);
    derived.figures.push_back({name, std::move(figure)});
    return derived;
}

}  // namespace attest
