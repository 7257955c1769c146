#include "bench/experiments/certificates/robustness_problem.hpp"

#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/teacher.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr Index kFreshDegraded = 4000;
constexpr Index kValidationSequences = 1000;

/// Data sets of one repetition share the subspace.
Dataset draw(const RobustnessSetting& setting, Index count, const Stream& stream) {
    return degraded_sequences({setting.violation, setting.degree, setting.d, setting.n},
                              count,
                              stream,
                              setting.stream().child("subspace"));
}

Dataset with_noisy_labels(Dataset data, const Matrix& truth, double sigma, const Stream& noise) {
    data.y = predict(truth, DatasetSource(data)) +
             sigma * grid_matrix(grid_normal(), truth.cols(), data.num_sequences(), noise);
    data.labels = LabelKind::per_sequence;
    return data;
}

}  // namespace

Stream RobustnessSetting::stream() const {
    return Stream(seed)
        .child("robustness")
        .child(name_of(kViolations, violation))
        .child(static_cast<Index>(std::llround(1e6 * degree)))
        .child(repetition);
}

RobustnessProblem robustness_problem(const RobustnessSetting& setting) {
    const Stream stream = setting.stream();
    const Index d = setting.d;
    TeacherOptions teacher;
    teacher.d = d;
    teacher.o = d;
    teacher.heads = 2;
    RobustnessProblem problem;
    problem.truth = coefficients(random_teacher(teacher, stream.child("teacher")));
    const Dataset data = with_noisy_labels(draw(setting, setting.N, stream.child("train")),
                                           problem.truth,
                                           setting.sigma,
                                           stream.child("noise"));
    problem.factor = triangular_factor(DatasetSource(data));
    problem.spectrum = numerical_spectrum(problem.factor);
    const Dataset fresh = draw(setting, kFreshDegraded, stream.child("fresh"));
    problem.fresh = structured_moments(DatasetSource(fresh), {}).Lambda;
    problem.validation =
        with_noisy_labels(draw(setting, kValidationSequences, stream.child("validation")),
                          problem.truth,
                          setting.sigma,
                          stream.child("validation_noise"));
    problem.elsewhere = gaussian_second_moment(d, setting.n);
    if (problem.spectrum.nullity() == 0) {
        problem.predicted = noise_excess(problem.factor, problem.elsewhere, setting.sigma, d);
    }
    return problem;
}

}  // namespace attest
