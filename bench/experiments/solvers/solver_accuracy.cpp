#include "bench/experiments/solvers/solver_accuracy.hpp"

#include "core/certify/minimum_eigenvalue.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/conditioned_data.hpp"

#include <cmath>
#include <memory>

namespace attest {

namespace {

/// One data set with its minimiser, made when the first solver asks for it.
class AccuracyProblem {
public:
    AccuracyProblem(Degeneracy degeneracy, ConditionedDataOptions options, Stream stream)
        : degeneracy_(degeneracy), options_(options), stream_(std::move(stream)) {}

    const Dataset& data() {
        if (data_ == nullptr) {
            data_ = std::make_unique<Dataset>(conditioned_data(degeneracy_, options_, stream_));
            const DatasetSource source(*data_);
            exact_ = fit_least_squares(source, "reference", {}).P;
            const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(source));
            condition_ = std::sqrt(spectrum.lambda_max / spectrum.lambda_min);
        }
        return *data_;
    }

    [[nodiscard]] const Matrix& exact() const { return exact_; }

    [[nodiscard]] double condition() const { return condition_; }

private:
    Degeneracy degeneracy_;
    ConditionedDataOptions options_;
    Stream stream_;
    std::unique_ptr<Dataset> data_;
    Matrix exact_;
    double condition_ = 0.0;
};

CaseOutcome measure(const Solver& solver, AccuracyProblem& problem) {
    const DatasetSource source(problem.data());
    CaseOutcome outcome;
    outcome.metrics["condition"] = {problem.condition()};
    const LeastSquaresFit fit = fit_least_squares(source, solver.name, {});
    if (problem.exact().size() == 0 || fit.status != SolveStatus::unique) {
        outcome.status = RowStatus::refused;
        outcome.message = fit.note.empty() ? "the reference refuses" : fit.note;
        return outcome;
    }
    const double error = (fit.P - problem.exact()).norm() / problem.exact().norm();
    outcome.metrics["relative_error"] = {error, fit.error_bound};
    return outcome;
}

Case accuracy_case(const Solver& solver,
                   Degeneracy degeneracy,
                   const ConditionedDataOptions& options,
                   const Stream& stream,
                   std::uint64_t seed,
                   const std::shared_ptr<AccuracyProblem>& problem) {
    CaseKey key;
    key.task = "conditioned_data";
    key.parameters = {{"degeneracy", std::string(to_string(degeneracy))},
                      {"d", std::int64_t{options.d}},
                      {"num_sequences", std::int64_t{options.num_sequences}},
                      {"condition", options.condition},
                      {"noise", options.noise}};
    key.learner = solver.name;
    key.seed = seed;
    key.stream = stream.path();
    return {key, [&solver, problem] { return measure(solver, *problem); }};
}

/// What answers N > ψ in doubles, and not Algorithm 1's od³ unknowns.
bool takes_part(const Solver& solver) {
    return solver.name != "reference" && solver.name != "dual" && solver.name != "literal";
}

}  // namespace

Experiment make_solver_accuracy(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"solver_accuracy", profile, seed};
    for (const Degeneracy degeneracy : {Degeneracy::dependent, Degeneracy::unitary}) {
        for (int exponent = 1; exponent <= 12; ++exponent) {
            ConditionedDataOptions options{quick ? Index{4} : Index{6}, 2, quick ? 160 : 504};
            options.condition = std::pow(10.0, exponent);
            const Stream stream =
                Stream(seed).child("solver_accuracy").child(to_string(degeneracy)).child(exponent);
            const auto problem = std::make_shared<AccuracyProblem>(degeneracy, options, stream);
            for (const Solver& solver : solvers()) {
                if (takes_part(solver)) {
                    experiment.cases.push_back(
                        accuracy_case(solver, degeneracy, options, stream, seed, problem));
                }
            }
        }
    }
    return experiment;
}

}  // namespace attest
