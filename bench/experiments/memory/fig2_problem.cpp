#include "bench/experiments/memory/fig2_problem.hpp"

#include "core/features/coefficients.hpp"
#include "core/model/forward.hpp"
#include "core/rng/sample.hpp"
#include "tasks/associative_memory.hpp"

namespace attest {

namespace {

constexpr Index kFreshSequences = 1000;

AssociativeMemoryOptions options_of(const Fig2Setting& setting) {
    AssociativeMemoryOptions options;
    options.d = setting.d;
    options.num_gaussian = setting.num_gaussian;
    options.teacher = setting.teacher == "paper" ? MemoryTeacher::paper : MemoryTeacher::random;
    return options;
}

/// The data's labels three times over: exact, with noise, and without the query column's own
/// contribution, which is what equation 14 prints.
Dataset with_three_labels(const Dataset& data, double sigma, const Stream& noise) {
    const Parameters& theta = *data.truth.heads;
    const Index o = theta.o;
    Dataset labelled = data;
    labelled.y.resize(3 * o, data.num_sequences());
    labelled.y.topRows(o) = data.y;
    labelled.y.middleRows(o, o) =
        data.y + sigma * grid_matrix(grid_normal(), o, data.num_sequences(), noise);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Matrix Z = data.sequence(i);
        const Matrix memories = Z.leftCols(Z.cols() - 1);
        labelled.y.col(i).tail(o) = attend<double>(theta, memories, Z.col(Z.cols() - 1));
    }
    return labelled;
}

}  // namespace

TriangularFactor Fig2Problem::with_labels(Fig2Labels labels) const {
    TriangularFactor chosen = factor;
    const Index o = truth.cols();
    chosen.C = factor.C.middleCols(static_cast<Index>(labels) * o, o);
    return chosen;
}

CaseKey fig2_key(const Fig2Setting& setting) {
    CaseKey key;
    key.task = "associative_memory";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"num_sequences", std::int64_t{setting.N}},
                      {"num_gaussian", std::int64_t{setting.num_gaussian}},
                      {"teacher", setting.teacher}};
    key.seed = setting.seed;
    key.repetition = setting.repetition;
    return key;
}

Fig2Problem fig2_problem(const Fig2Setting& setting) {
    const Stream root = Stream(setting.seed).child("fig2").child("data").child(setting.repetition);
    const AssociativeMemory task(options_of(setting), root);
    Fig2Problem problem;
    problem.data = materialise(task, 0, setting.N, 1);
    problem.truth = coefficients(*problem.data.truth.heads);
    const Dataset labelled = with_three_labels(problem.data, setting.sigma, root.child("noise"));
    problem.factor = triangular_factor(DatasetSource(labelled));
    problem.spectrum = numerical_spectrum(problem.factor);
    Fig2Setting gaussian = setting;
    gaussian.num_gaussian = setting.N + kFreshSequences;
    // Sequences from N on were not trained on.
    problem.fresh =
        materialise(AssociativeMemory(options_of(gaussian), root), setting.N, kFreshSequences, 1);
    return problem;
}

}  // namespace attest
