#include "core/softmax/sign_search.hpp"

#include "core/softmax/saturated_rows.hpp"

namespace attest {

namespace {

struct SaturatingSum {
    Matrix W;
    SaturatedRows rows;
};

SaturatingSum most_saturating(const SoftmaxSource& source,
                              const std::vector<HullCandidate>& candidates) {
    SaturatingSum best;
    for (const HullCandidate& candidate : candidates) {
        const SaturatedOptions options;
        Matrix W = refine_by_saturation(source, candidate.sum.W, options);
        SaturatedRows rows = saturated_rows(source, W, options);
        if (rows.count > best.rows.count) {
            best = {std::move(W), std::move(rows)};
        }
    }
    return best;
}

}  // namespace

SignSearch search_by_signs(const SoftmaxSource& source,
                           const std::vector<HullCandidate>& candidates,
                           const SoftmaxExamples& training,
                           const SignSearchOptions& options) {
    SignSearch search;
    const SaturatingSum sum = most_saturating(source, candidates);
    if (sum.rows.count == 0) {
        return search;
    }
    SculptOptions sculpting;
    sculpting.mode = sculpt_modes(source.d, source.k).front();
    sculpting.rows = options.rows;
    search.cone = sign_cone(sum.rows.v, sculpt(source, sum.W, sculpting), options.cone);
    if (search.cone.found) {
        search.net = search_tuples(search.cone.points, search.cone.m, training, options.net);
    }
    return search;
}

}  // namespace attest
