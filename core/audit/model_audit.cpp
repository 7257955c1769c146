#include "core/audit/model_audit.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/features/model_coefficients.hpp"
#include "core/features/predict.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

double ModelAudit::may_differ_by_at_most() const {
    double worst = 0.0;
    for (const ModelOnQuery& query : queries) {
        worst = std::max(worst, query.may_differ_by);
    }
    return worst;
}

Index ModelAudit::same_tokens() const {
    return std::count_if(queries.begin(), queries.end(), [](const ModelOnQuery& query) {
        return query.same_token();
    });
}

ModelAudit audit_model(const FactoredSource& data,
                       const Model& model,
                       std::string_view name,
                       const Dataset* queries) {
    const SourceShape shape = data.source().shape();
    const SequenceSource* const sequences = data.source().sequences();
    const bool same_layer = sequences == nullptr || sequences->shape().layer == model.layer;
    require(same_layer && model.layout() == shape.layout && shape.o > 0 && model.o == shape.o,
            "{}: layer {}, d = {} and o = {} do not match the labelled data",
            name,
            to_string(model.layer),
            model.d,
            model.o);
    const Matrix P = coefficients(model, name);
    ModelAudit found;
    const Risk seen = empirical_risk(P, data.source());
    found.risk = std::ldexp(seen.risk, seen.exponent);
    const double floor = std::ldexp(data.factor().residual, 2 * data.scaled().scale.labels);
    // The model is one of those that the least is taken over; only rounding puts the floor above.
    found.least_risk = std::min(floor, found.risk);
    require(std::isfinite(found.risk) && std::isfinite(floor) &&
                (is_zero(seen.risk) || std::isnormal(found.risk)),
            "certify: --model: the risk of {}, {} * 2^{}, leaves the range of doubles; bring the "
            "labels nearer to 1 by a power of two",
            name,
            seen.risk,
            seen.exponent);
    if (queries == nullptr) {
        return found;
    }
    const double excess = found.risk - found.least_risk;
    const DatasetSource inputs(*queries);
    const Vector leverages = data.leverage().of(*data.in_its_units(*queries));
    const Matrix outputs = predict(P, inputs);
    const Matrix distance = outputs - predict(data.minimiser().P, inputs);
    for (Index k = 0; k < leverages.size(); ++k) {
        // Infinite outside the row space also where the excess is 0.
        const double leverage = leverages(k);
        found.queries.push_back(
            {std::isfinite(leverage) ? 2.0 * std::sqrt(excess * leverage) : leverage,
             distance.col(k).stableNorm(),
             (outputs.col(k).array() - 0.5).abs().minCoeff()});
    }
    return found;
}

}  // namespace attest
