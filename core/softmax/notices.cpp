#include "core/softmax/notices.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr Choices<SoftmaxOutcome, 4> kSoftmaxOutcomeNames{
    {{SoftmaxOutcome::recovered, "recovered"},
     {SoftmaxOutcome::predicts, "predicts"},
     {SoftmaxOutcome::recovered_by_polish, "recovered_by_polish"},
     {SoftmaxOutcome::failed, "failed"}}};

struct NoticeText {
    SoftmaxNotice notice;
    std::string_view name;
    std::string_view line;
};

constexpr std::array kNotices{
    NoticeText{
        SoftmaxNotice::rows_not_injective,
        "rows_not_injective",
        "d < m(k-1): a row that fits one common pattern need not come from heads that agree; "
        "use shorter sequences or a larger d"},
    NoticeText{SoftmaxNotice::sum_zero,
               "sum_zero",
               "the estimate of the sum of the W_i vanishes beside the labels, so no row can be "
               "regressed on it; the heads' values cancel"},
    NoticeText{SoftmaxNotice::sum_singular,
               "sum_singular",
               "the sum of the W_i is nearly singular: rows that differ along its kernel cannot be "
               "told apart"},
    NoticeText{SoftmaxNotice::too_few_constraints,
               "too_few_constraints",
               "fewer than d^2 + m constraints survive sculpting; give more examples"},
    NoticeText{SoftmaxNotice::coverage,
               "coverage",
               "the rows on which the heads look at one token do not cover every direction; give "
               "more examples"},
    NoticeText{
        SoftmaxNotice::no_hull,
        "no_hull",
        "no candidate gives an affine hull within the norm window: agreement of the heads is "
        "too rare in these data; give more examples"},
    NoticeText{SoftmaxNotice::weak_gap,
               "weak_gap",
               "the singular values show no clear gap at m, so the hull may be wrong; check m, or "
               "give more examples"},
    NoticeText{SoftmaxNotice::net_empty,
               "net_empty",
               "the hull is farther from 0 than the norm window reaches; raise the window"},
    NoticeText{
        SoftmaxNotice::budget,
        "budget",
        "the net has more tuples than allowed; use fewer points per axis or raise the limit"},
    NoticeText{SoftmaxNotice::net_inaccurate,
               "net_inaccurate",
               "the best tuple of the net does not predict held-out labels: the algorithm failed "
               "before any polish"},
    NoticeText{SoftmaxNotice::not_validated,
               "not_validated",
               "the result does not predict held-out labels"},
    NoticeText{
        SoftmaxNotice::redundant_head,
        "redundant_head",
        "the labels come from fewer heads than asked for, so these heads are not determined; "
        "ask for fewer"},
};

const NoticeText& text_of(SoftmaxNotice notice) {
    const auto* const found = std::find_if(
        kNotices.begin(), kNotices.end(), [&](const NoticeText& t) { return t.notice == notice; });
    ensure(found != kNotices.end(), "a notice without a text");
    return *found;
}

}  // namespace

std::string_view to_string(SoftmaxNotice notice) {
    return text_of(notice).name;
}

std::string_view explanation(SoftmaxNotice notice) {
    return text_of(notice).line;
}

std::string_view to_string(SoftmaxOutcome outcome) {
    return name_of(kSoftmaxOutcomeNames, outcome);
}

}  // namespace attest
