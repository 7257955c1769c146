#include "core/distil/distil.hpp"

#include "core/base/error.hpp"
#include "core/distil/ridge_choice.hpp"
#include "core/questions/audit_budget.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

/// Of least squares: without a penalty, with it, and those that try_ridges makes.
double num_fits(RidgeBy by) {
    switch (by) {
        case RidgeBy::none:
            return 1.0;
        case RidgeBy::number:
            return 2.0;
        case RidgeBy::held_back:
            return 11.0;
    }
    return 1.0;
}

RidgeFit fit_with_ridge(const Dataset& data,
                        const Dataset* held_out,
                        const FactoredSource& factored,
                        LearnRequest learning,
                        const DistilRequest& request) {
    learning.solve.ridge = request.ridge_by == RidgeBy::number
                               ? request.ridge
                               : best_ridge(try_ridges(data, learning)).ridge;
    Learned learned = learn(factored, learning, {});
    RidgeFit found{learning.solve.ridge, std::move(learned.model), learned.risk, {}};
    if (held_out != nullptr) {
        found.held_out = empirical_risk(found.model.P, DatasetSource(*held_out));
    }
    return found;
}

}  // namespace

double distil_seconds(const Dataset& data, const DistilRequest& request, double machine_speed) {
    LearnRequest learning;
    learning.solver = request.solver;
    learning.solve.threads = request.threads;
    const double solving = solve_seconds(DatasetSource(data).shape(), learning);
    AuditSize size = audit_size(sequence_shape(data));
    size.machine_speed = machine_speed;
    return num_fits(request.ridge_by) * solving + estimated_seconds(AuditPart::rank, size) +
           (training_seconds(data, request.contenders) + floor_seconds(data, request.floor)) /
               machine_speed;
}

bool Distilled::fits_the_data_too_well() const {
    return held_out && num_examples < 4 * model.P.rows() &&
           held_out->relative > 4.0 * train.relative && held_out->relative > kNoResidual;
}

Distilled distil(const Dataset& data, const Dataset* held_out, const DistilRequest& request) {
    const DatasetSource source(data);
    const FactoredSource factored(source);
    LearnRequest learning;
    learning.solver = request.solver;
    learning.solve.threads = request.threads;
    Learned learned = learn(factored, learning, {});
    Distilled found;
    found.num_examples = data.num_examples();
    found.fit = std::move(learned.fit);
    found.model = std::move(learned.model);
    found.train = learned.risk;
    require(found.train.exponent == 0, "distil: the risk is beyond the range of doubles");
    if (held_out != nullptr) {
        found.held_out = empirical_risk(found.model.P, DatasetSource(*held_out));
    }
    found.floor = risk_floor(data, found.model.P, found.train.risk, request.floor);
    CertifyRequest certifying;
    certifying.level = CertifyLevel::exact;
    const Certification certified = certify(factored, certifying);
    found.uniqueness = certified.verdict;
    const ExactEvidence& exact = *certified.exact();
    found.rank = exact.rank.rank_lower;
    found.determined_on_lengths_seen =
        certified.verdict == DataVerdict::determined ||
        (exact.structure && exact.structure->determined_on_seen(exact.rank));
    found.contenders = train_contenders(data, held_out, request.contenders);
    if (request.ridge_by != RidgeBy::none) {
        found.ridge = fit_with_ridge(data, held_out, factored, learning, request);
    }
    return found;
}

DistilledNormalised distil_normalised(const Dataset& data, const Dataset* held_out) {
    const NormalisedExamples examples = normalised_examples(data);
    DistilledNormalised found;
    found.fit = fit_normalised_layer(examples, data.layer.affine);
    found.power = data.y.squaredNorm() / static_cast<double>(data.num_sequences());
    if (held_out != nullptr) {
        const NormalisedExamples other = normalised_examples(*held_out);
        const double power =
            held_out->y.squaredNorm() / static_cast<double>(held_out->num_sequences());
        found.held_out_relative = normalised_risk(found.fit.layer, other) / power;
    }
    return found;
}

SplitData split_off(const Dataset& data, double share) {
    require(share > 0.0 && share < 1.0,
            "the held-out share: got {}, expected a number between 0 and 1",
            share);
    const Index N = data.num_sequences();
    require(N >= 2, "got one sequence, expected at least two: one is held out");
    const auto wanted = static_cast<Index>(std::floor(share * static_cast<double>(N)));
    const Index held = std::clamp<Index>(wanted, 1, N - 1);
    return {subset(data, 0, N - held), subset(data, N - held, held)};
}

}  // namespace attest
