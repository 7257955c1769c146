#include "bench/experiments/softmax/distil_problem.hpp"

#include "core/layers/parse_layer.hpp"
#include "core/rng/sample.hpp"
#include "tasks/iid_entries.hpp"

#include <cmath>

namespace attest {

namespace {

Dataset tokens(const DistilSetting& setting, const SoftmaxLayer& softmax, std::string_view name) {
    IidEntriesOptions options;
    options.d = setting.d;
    options.n = {setting.n, setting.n};
    const Stream stream = setting.stream().child(name);
    Dataset data = materialise(*iid_entries(options, stream), 0, setting.N, 1);
    data.layer = layer_named(setting.layer());
    return labelled_by(softmax, std::move(data));
}

}  // namespace

Stream DistilSetting::stream() const {
    return Stream(seed).child("distil").child(d).child(n);
}

DistilProblem distil_problem(const DistilSetting& setting) {
    const Index d = setting.d;
    const Stream stream = setting.stream();
    const Matrix V = grid_matrix(grid_normal(), d, d, stream.child("V"));
    const Matrix A = grid_matrix(grid_normal(), d, d, stream.child("A"));
    const auto root = std::sqrt(static_cast<double>(d));
    DistilProblem problem;
    problem.softmax = {d, d, false, {{V / V.norm() * root, A / A.norm()}}, {}, 1.0};
    const Head& head = problem.softmax.heads.front();
    problem.train = tokens(setting, problem.softmax, "train");
    problem.held_out = tokens(setting, problem.softmax, "held_out");
    problem.leading = setting.normalised() ? normalised_leading_risk(problem.softmax, problem.train)
                                           : leading_risk(problem.softmax, problem.train);
    const auto n = static_cast<double>(setting.n);
    problem.single_sum =
        (n - 1.0) * (n - 2.0) / (n * n * n * n) *
        (head.V.squaredNorm() * head.Q.squaredNorm() + (head.V * head.Q).squaredNorm());
    return problem;
}

}  // namespace attest
