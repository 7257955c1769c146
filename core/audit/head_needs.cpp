#include "core/audit/head_needs.hpp"

#include "core/audit/head_reduction.hpp"
#include "core/audit/model_of.hpp"
#include "core/base/text.hpp"
#include "core/heads/scaled_coefficients.hpp"

namespace attest {

namespace {

// Beyond, one step of the search takes minutes.
constexpr Index kMostSearchedFeatures = 1000;

std::string why_not_sought(const FactoredSource& data, const Matrix& P) {
    if (!is_linear(data.source())) {
        return "fewer heads are sought for the layer linear only";
    }
    if (P.rows() > kMostSearchedFeatures) {
        return formatted("{} features, sought up to {}; attest heads --to K --data takes more",
                         P.rows(),
                         kMostSearchedFeatures);
    }
    return P.isZero(0.0) ? "the layer is zero" : "";
}

}  // namespace

HeadNeeds head_needs(const FactoredSource& data,
                     const Model& model,
                     const Matrix& P,
                     double budget,
                     const Stream& stream) {
    HeadNeeds needs;
    needs.has = num_heads(model);
    needs.not_sought = why_not_sought(data, P);
    if (!needs.not_sought.empty()) {
        return needs;
    }
    const FitTarget target = head_target(scaled_coefficients(P).P, data, {});
    const HeadReduction fewest =
        reduce_heads(target, {HeadChoice::fewest, 0, budget, 0}, stream.child("fewest"), {});
    needs.at_least = fewest.bound->num_heads;
    if (fewest.loss.same_on_data()) {
        needs.found = fewest.heads.num_heads();
        needs.same_everywhere = fewest.loss.same_function();
        needs.proved_fewest = fewest.search->end == HeadSearchEnd::proved;
    }
    const HeadReduction curve =
        reduce_heads(target, {HeadChoice::elbow, 0, budget, 0}, stream.child("curve"), {});
    for (const HeadCurvePoint& point : curve.curve) {
        if (point.num_heads > 0) {
            needs.fewer.push_back({point.num_heads, point.loss});
        }
    }
    return needs;
}

}  // namespace attest
