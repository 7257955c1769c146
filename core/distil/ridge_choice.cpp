#include "core/distil/ridge_choice.hpp"

#include "core/base/error.hpp"
#include "core/data/sources/moments.hpp"
#include "core/distil/distil.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr double kHeldBack = 0.2;
constexpr int kLeastPower = -10;
constexpr int kMostPower = 2;
constexpr int kCoarseStep = 2;

/// Mean square of a feature: mean ‖s‖²‖u‖² over ψ.
double feature_power(const MomentSource& source) {
    const MomentBatch batch = collect(source);
    const double sum =
        (batch.S.colwise().squaredNorm().array() * batch.u.colwise().squaredNorm().array()).sum();
    return sum / static_cast<double>(batch.size()) / static_cast<double>(source.shape().psi());
}

}  // namespace

std::vector<TriedRidge> try_ridges(const Dataset& data, const LearnRequest& request) {
    const SplitData split = split_off(data, kHeldBack);
    const DatasetSource fitted(split.train);
    const DatasetSource held_back(split.held_out);
    const double unit = feature_power(fitted);
    std::vector<TriedRidge> tried;
    const auto attempt = [&](int power) {
        SolveOptions options = request.solve;
        options.ridge = unit * std::pow(10.0, power);
        const Matrix P = fit_least_squares(fitted, request.solver, options).P;
        tried.push_back({options.ridge, empirical_risk(P, held_back).relative});
        return tried.back().relative;
    };
    int best = kLeastPower;
    double least = INFINITY;
    for (int power = kLeastPower; power <= kMostPower; power += kCoarseStep) {
        const double relative = attempt(power);
        if (relative < least) {
            least = relative;
            best = power;
        }
    }
    attempt(best - 1);
    attempt(best + 1);
    require(std::isfinite(best_ridge(tried).relative),
            "--ridge auto: got no finite risk on the last fifth of the data; are all of its labels "
            "zero?");
    return tried;
}

TriedRidge best_ridge(const std::vector<TriedRidge>& tried) {
    ensure(!tried.empty(), "best_ridge: nothing was tried");
    return *std::min_element(
        tried.begin(), tried.end(), [](const TriedRidge& a, const TriedRidge& b) {
            return a.relative < b.relative || (a.relative <= b.relative && a.ridge > b.ridge);
        });
}

}  // namespace attest
