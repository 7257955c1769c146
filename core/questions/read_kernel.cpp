#include "core/questions/read_kernel.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/consistency.hpp"
#include "core/certify/rank/structural_rank.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

namespace attest {

namespace {

/// Denominators of the fractions that are tried.
constexpr Index kLargestDenominator = 4096;

/// Column δ−1 is vec(P_δ), δ = 1 … L−1.
Matrix lag_columns(const Dataset& data, const Matrix& P) {
    const Index lags = num_sums(data.layer) - 1;
    const Index size = P.rows() / (lags + 1);
    Matrix columns(size * P.cols(), lags - 1);
    for (Index delta = 1; delta < lags; ++delta) {
        columns.col(delta - 1) = P.middleRows(delta * size, size).reshaped();
    }
    return columns;
}

/// c with P_{δ+r} = Σ_k c_k P_{δ+k} for every δ, in the least-squares sense, and what it leaves.
struct Recurrence {
    Vector c;
    double misfit = 0.0;
};

Recurrence recurrence(const Matrix& columns, Index r) {
    const Index steps = columns.cols() - r;
    Matrix A(columns.rows() * steps, r);
    Vector b(columns.rows() * steps);
    for (Index delta = 0; delta < steps; ++delta) {
        A.middleRows(delta * columns.rows(), columns.rows()) = columns.middleCols(delta, r);
        b.segment(delta * columns.rows(), columns.rows()) = columns.col(delta + r);
    }
    const ThinQr qr = thin_qr(A);
    const Vector c = solve_upper(qr.R, qr.Q.transpose() * b);
    return {c, (A * c - b).norm() / columns.norm()};
}

/// The shortest recurrence that leaves no more than its coefficients make of an error `threshold`
/// in every column, from length `least` on: decays of heads that are combinations of one another
/// are more than components. The one of length `least` where none does.
Recurrence shortest_recurrence(const Matrix& columns, Index least, double threshold) {
    for (Index r = least; 2 * r <= columns.cols(); ++r) {
        Recurrence law = recurrence(columns, r);
        const double steps = std::sqrt(static_cast<double>(columns.cols() - r));
        if (law.misfit * columns.norm() <= (1.0 + law.c.lpNorm<1>()) * steps * threshold) {
            return law;
        }
    }
    return recurrence(columns, least);
}

/// Roots of x^r = Σ_k c_k x^k.
Eigen::VectorXcd roots(const Vector& c) {
    const Index r = c.size();
    Matrix companion = Matrix::Zero(r, r);
    companion.diagonal(-1).setOnes();
    companion.col(r - 1) = c;
    return companion.eigenvalues();
}

/// The fraction of least denominator within `allowed` of x; none up to kLargestDenominator.
std::optional<Rational> simplest_fraction(double x, double allowed) {
    for (Index below = 1; below <= kLargestDenominator; ++below) {
        const double above = std::round(x * static_cast<double>(below));
        if (above >= 1.0 && above <= static_cast<double>(below) &&
            std::abs(above / static_cast<double>(below) - x) <= allowed) {
            return Rational(static_cast<std::int64_t>(above), below);
        }
    }
    return std::nullopt;
}

/// Three standard deviations of ‖P‖ for noise of the residual's size: σ (Σ 1/σ_i²)^½ / √N.
double noise_of_coefficients(const FactoredSource& source, const Risk& risk) {
    const NumericalSpectrum& spectrum = source.spectrum();
    const auto kept = spectrum.sigma.head(spectrum.rank);
    const auto N = static_cast<double>(source.source().shape().num_examples);
    const double free = std::max(1.0, N - static_cast<double>(spectrum.rank));
    const double variance = risk.risk * N / free;
    return 3.0 * std::sqrt(variance * kept.cwiseAbs2().cwiseInverse().sum() / N);
}

void read_decays(KernelReading& found, const Matrix& columns, Index rank) {
    if (2 * rank > columns.cols()) {
        found.note = formatted(
            "{} components in {} lags: more lags are needed to tell whether they are decays",
            rank,
            columns.cols());
        return;
    }
    const Recurrence law = shortest_recurrence(columns, rank, found.threshold);
    found.misfit = law.misfit;
    const Eigen::VectorXcd found_roots = roots(law.c);
    for (const std::complex<double>& root : found_roots) {
        const double slack = 1e-9 + 10.0 * found.threshold / found.strengths(0);
        if (std::abs(root.imag()) > slack || root.real() <= 0.0 || root.real() > 1.0 + slack) {
            found.decays.clear();
            found.note = formatted("not a sum of decays: the recurrence has the root {} + {}i",
                                   round_trip(root.real()),
                                   round_trip(root.imag()));
            return;
        }
        found.decays.push_back(root.real());
    }
    std::sort(found.decays.begin(), found.decays.end(), std::greater<>());
}

std::optional<Layer> layer_of(const KernelReading& found) {
    Layer layer;
    const auto kernels = static_cast<double>(found.decays.size());
    // The roots of a recurrence of length r are off by about r times what it leaves.
    const double allowed =
        std::max(1e-12, 1e3 * kernels * (found.misfit + found.threshold / found.strengths(0)));
    for (const double decay : found.decays) {
        const std::optional<Rational> rate = simplest_fraction(decay, std::min(allowed, 1e-3));
        if (!rate) {
            return std::nullopt;
        }
        layer.kernels.push_back({.kind = KernelKind::decay, .rate = *rate});
    }
    return layer;
}

void try_layer(KernelReading& found, const Dataset& data, Index most_features) {
    Dataset again = data;
    again.layer = *found.layer;
    const DatasetSource source(again);
    const LeastSquaresFit fit = fit_least_squares(source, "auto", {});
    if (fit.status != SolveStatus::refused) {
        found.relative_risk = empirical_risk(fit.P, source).relative;
    }
    if (again.layout().psi() <= most_features) {
        const ExactRank rank = certify_rank(again);
        found.exact = consistent_labels(again, rank).verdict == LabelConsistency::consistent &&
                      rank.rank_lower < again.num_examples();
    }
}

std::string numbers(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : ", ") + brief(value);
    }
    return text;
}

}  // namespace

KernelReading read_kernel(const FactoredSource& source,
                          const LeastSquaresFit& fit,
                          Index most_features) {
    const Dataset& data = source.dataset();
    const std::vector<Kernel>& kernels = data.layer.kernels;
    const bool lags = kernels.size() >= 4 && kernels.front().kind == KernelKind::lag &&
                      kernels.back().kind == KernelKind::beyond &&
                      kernels.back().width == std::ssize(kernels) - 1;
    require(lags && fit.P.size() > 0,
            "read_kernel: got the layer {}, expected lags=L with L at least 3",
            to_string(data.layer));
    const Matrix columns = lag_columns(data, fit.P);
    const Svd parts = svd(columns);
    KernelReading found;
    found.strengths = parts.sigma;
    const double size = parts.sigma(0);
    const Risk risk = empirical_risk(fit.P, source.source());
    found.lags_relative_risk = risk.relative;
    const double bound = std::isfinite(fit.error_bound) ? fit.error_bound : 0.0;
    found.threshold =
        fit.P.norm() * bound + noise_of_coefficients(source, risk) +
        static_cast<double>(columns.size()) * std::numeric_limits<double>::epsilon() * size;
    if (!(size > found.threshold)) {
        found.note = "no dependence on tokens before the last stands out of noise and rounding";
        return found;
    }
    const double first = parts.V(0, 0);
    for (Index delta = 0; delta < columns.cols(); ++delta) {
        found.profile.push_back(parts.V(delta, 0) / first);
    }
    const InputKind longest = input_kinds(data).back();
    if (longest.length > kernels.back().width) {
        found.note = formatted("sequences of {} tokens reach beyond the lags; take lags={}",
                               longest.length,
                               longest.length);
        return found;
    }
    const Index rank = (parts.sigma.array() > found.threshold).count();
    read_decays(found, columns, rank);
    if (!found.decays.empty()) {
        found.layer = layer_of(found);
        if (found.layer) {
            try_layer(found, data, most_features);
        } else {
            found.note = "no simple fractions are near enough to the decays";
        }
    }
    return found;
}

void describe(Output& output, const KernelReading& kernel) {
    const auto components = (kernel.strengths.array() > kernel.threshold).count();
    output.add("kernel_components",
               components,
               formatted("{}{}", components, components == 1 ? ": one kernel for all heads" : ""));
    output.add("kernel_profile",
               kernel.profile,
               formatted("{} (tokens 1, 2, ... before the last; the strongest component)",
                         numbers(kernel.profile)));
    if (!kernel.decays.empty()) {
        output.add(
            "decays",
            kernel.decays,
            formatted(
                "{}; the recurrence leaves {}", numbers(kernel.decays), brief(kernel.misfit)));
    }
    output.add_json("kernel_misfit", number_or_null(kernel.misfit));
    if (!kernel.layer) {
        output.add("kernel_layer", nullptr, formatted("none: {}", kernel.note));
        return;
    }
    output.add("kernel_layer",
               to_string(*kernel.layer),
               formatted("{}: relative risk {}, {}",
                         to_string(*kernel.layer),
                         brief(kernel.relative_risk),
                         kernel.exact ? "fits every label exactly (proved over Q)"
                                      : "numerical; labels rounded to double fit nothing exactly"));
    output.add_json("kernel_layer_is_exact", kernel.exact);
    output.add_json("kernel_layer_relative_risk", number_or_null(kernel.relative_risk));
}

}  // namespace attest
