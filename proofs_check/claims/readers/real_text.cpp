#include "core/base/text.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/claims/yau2024/training_rows.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::readers {

namespace {

constexpr const char* kCommitted = "double, committed rows";

double mean_of(const std::vector<Row>& rows, const char* metric) {
    return group_rows(rows, {}, metric).front().summary.mean;
}

std::vector<Row> rows_of(const std::vector<Row>& rows,
                         const std::string& labels,
                         const std::string& learner) {
    return select_rows(
        select_rows(select_rows(rows, "labels", labels), "d", "8"), "learner", learner);
}

/// Accepted: the learner names the next word less often than the tuned bigram table, by more than
/// two standard errors of one sample.
Answer below_bigram(const std::vector<Row>& rows,
                    const std::string& labels,
                    const std::string& learner) {
    const std::vector<Row> mine = rows_of(rows, labels, learner);
    const std::vector<Row> table = rows_of(rows, labels, "bigram");
    const double gap = mean_of(table, "accuracy") - mean_of(mine, "accuracy");
    const double error =
        std::hypot(mean_of(table, "accuracy_error"), mean_of(mine, "accuracy_error"));
    return {gap > 2.0 * error,
            formatted("labels {}, {}: accuracy {} in {} rows, bigram {}; two standard errors {}",
                      labels,
                      learner,
                      mean_of(mine, "accuracy"),
                      mine.size(),
                      mean_of(table, "accuracy"),
                      2.0 * error)};
}

/// σ_ψ over a rounding of σ_1, as beside every proof of `attest certify`; 0 without full rank.
double roundings_to_lower_rank(const Row& row) {
    const auto condition = row.metrics.find("condition");
    return condition == row.metrics.end() ? 0.0 : 0x1p53 / condition->second.value;
}

/// Accepted: every row of the text in this representation has full rank, proved, and what its word
/// vectors were rounded from has it too.
Answer certified(const std::vector<Row>& rows, const std::string& representation) {
    const std::vector<Row> mine =
        select_rows(select_rows(rows, "source", "text"), "representation", representation);
    Index full = 0;
    double roundings = std::numeric_limits<double>::infinity();
    for (const Row& row : mine) {
        full += row.metrics.at("rank").exact == row.metrics.at("psi").exact &&
                        row.metrics.at("proved").exact == "1"
                    ? 1
                    : 0;
        roundings = std::min(roundings, roundings_to_lower_rank(row));
    }
    const bool is_full = !mine.empty() && full == std::ssize(mine);
    return {is_full && roundings > 1.0,
            formatted("{}: full rank over Q in {} of {} rows{}",
                      representation,
                      full,
                      mine.size(),
                      is_full ? formatted("; a lower rank is at least {} roundings of the "
                                          "features away",
                                          roundings)
                              : "")};
}

Evidence test_real_text(const ClaimContext& context) {
    const std::vector<Row> ranks = yau2024::training_rows(context, "text_identifiability");
    const std::vector<Row> learned = yau2024::training_rows(context, "text_learning");
    Evidence evidence;
    const SharedTest identified(evidence, certified, "exact, committed rows");
    for (const char* representation : {"ppmi", "gaussian hash", "ppmi, constant"}) {
        identified.check(Form::tested, ranks, std::string(representation));
    }
    for (const char* representation :
         {"one-hot", "signs", "characters", "ppmi, constant, position"}) {
        identified.control(ranks, std::string(representation));
    }
    const SharedTest loses(evidence, below_bigram, kCommitted);
    for (const char* learner : {"least_squares", "ridge", "heads", "softmax", "linear_ridge"}) {
        loses.check(Form::tested, learned, std::string("ppmi"), std::string(learner));
    }
    for (const char* learner : {"least_squares", "ridge", "linear_ridge"}) {
        loses.check(Form::tested, learned, std::string("one_hot"), std::string(learner));
    }
    loses.control(learned, std::string("one_hot"), std::string("trigram"));
    return evidence;
}

}  // namespace

Claim real_text() {
    return {
        .id = "readers/real_text",
        .paper = "docs/text.md",
        .place = "Is what is identified good?",
        .printed = "Learn a small layer on real language and compare it with gradient descent",
        .tested =
            "on Debian's licences, split by family, dense word vectors certify the layer, and one "
            "of d = 8 names the next word less often than a bigram table tuned on the same "
            "validation text, however it is learned",
        .deviation = "a question; the answer holds for this text",
        .depends_on = "readers/real_text_rank",
        .method = Method::experiment,
        .explain =
            "Ranks are proved over the rationals by text_identifiability, of word vectors in "
            "doubles: how far a lower rank is says that they hold for what was rounded as well. "
            "Accuracies are those of "
            "text_learning on families of documents that no learner saw. Identified is not good: "
            "a certificate says that the minimiser is one function, not that a layer of this "
            "width is a model of the text.",
        .run = test_real_text,
    };
}

}  // namespace attest::readers
