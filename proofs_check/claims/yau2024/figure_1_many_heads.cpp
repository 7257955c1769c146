#include "core/base/text.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/train.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/claims/yau2024/training_rows.hpp"
#include "record/summary.hpp"
#include "tasks/random_linear_attention.hpp"

#include <algorithm>
#include <cmath>

namespace attest::yau2024 {

namespace {

constexpr double kFloor = 1e-20;  // of a relative mean squared error in double
constexpr Index kUpdates = 6400;

/// 64 sequences of 100 prefixes and d² heads: the relative mean squared error on the prefixes of 16
/// other sequences after so many updates.
double trained_error(Index d, OptimiserKind kind, Index updates, const Stream& stream) {
    const auto task = random_linear_attention(figure_1_options(d), stream);
    const PrefixData<double> data = prefix_data<double>(materialise(*task, 0, 64, 1));
    const PrefixData<double> held_out = prefix_data<double>(materialise(*task, 64, 16, 1));
    TrainOptions training;
    training.optimiser.kind = kind;
    training.updates = updates;
    training.curve_points = 1;
    return train(HeadsMoments<double>(data, d * d), held_out, training, stream.child("learner"))
        .curve.back()
        .loss;
}

/// Half the seeds at the floor, and the slowest one too when it has eight times the updates.
void check_seeds(Evidence& evidence, const ClaimContext& context, Index d) {
    const Index seeds = context.pick(5, 40);
    std::vector<double> errors;
    Index slowest = 0;
    for (Index i = 0; i < seeds; ++i) {
        const Stream stream = context.stream.child(d).child(i);
        errors.push_back(trained_error(d, OptimiserKind::adam, kUpdates, stream));
        slowest = errors.back() > errors[static_cast<std::size_t>(slowest)] ? i : slowest;
    }
    const auto within =
        std::count_if(errors.begin(), errors.end(), [](double error) { return error <= kFloor; });
    evidence.check(
        Form::printed,
        2 * within > seeds,
        formatted("d = {}, {} heads, Adam with half a cosine, {} updates: {} of {} seeds end at no "
                  "more than 1e-20 of the labels' mean square, the worst at {}",
                  d,
                  d * d,
                  kUpdates,
                  within,
                  seeds,
                  round_trip(errors[static_cast<std::size_t>(slowest)])),
        "double");
    const double longer =
        trained_error(d, OptimiserKind::adam, 8 * kUpdates, context.stream.child(d).child(slowest));
    evidence.check(Form::tested,
                   longer <= kFloor,
                   formatted("d = {}, the slowest of these seeds with {} updates ends at {}",
                             d,
                             8 * kUpdates,
                             round_trip(longer)),
                   "double");
}

void check_fresh(Evidence& evidence, const ClaimContext& context) {
    for (const Index d : {2, 4}) {
        check_seeds(evidence, context, d);
    }
    const SharedTest one_seed(
        evidence,
        [&](OptimiserKind kind) -> Answer {
            const double error =
                trained_error(4, kind, kUpdates, context.stream.child(Index{4}).child(Index{0}));
            return {error <= kFloor,
                    formatted("d = 4, 16 heads, {} (appendix G.1: {}), one seed: ends at {}",
                              kind == OptimiserKind::adam ? "Adam" : "AdamW, weight decay 0.01",
                              kind == OptimiserKind::adam ? "the text" : "the table",
                              round_trip(error))};
        },
        "double");
    one_seed.check(Form::tested, OptimiserKind::adam);
    one_seed.check(Form::printed, OptimiserKind::adamw);
}

void check_rows(Evidence& evidence, const ClaimContext& context) {
    const std::vector<Row> rows = training_rows(context, "fig1");
    for (const Index d : {2, 4}) {
        double worst = 0.0;
        const std::vector<Row> trained = trainings(rows, d, "heads", d * d);
        for (const Row& row : trained) {
            worst = std::max(worst, final_error(row));
        }
        double solved = 0.0;
        for (const Row& row : select_rows(rows, "learner", "algorithm_1")) {
            if (field(row, "d") == ParameterValue{std::int64_t{d}}) {
                solved = std::max(solved, final_error(row));
            }
        }
        evidence.check(Form::printed,
                       worst <= kFloor && solved <= kFloor && trained.size() >= 5,
                       formatted("fig1, d = {}: the worst of {} trainings of {} heads ends at {}, "
                                 "the worst run of Algorithm 1 at {}",
                                 d,
                                 trained.size(),
                                 d * d,
                                 round_trip(worst),
                                 round_trip(solved)),
                       "double, committed rows");
    }
}

/// The other rate of the paper's grid, rows of the full profile.
void check_rates(Evidence& evidence, const ClaimContext& context) {
    const std::vector<Row> rows = full_rows(context, "fig1");
    const SharedTest at_floor(
        evidence,
        [&](Index d, double rate) -> Answer {
            std::vector<double> errors;
            for (const Row& row : trainings_at(rows, {d, "heads", d * d, rate, 32})) {
                errors.push_back(final_error(row));
            }
            return {median_of(errors) <= kFloor,
                    formatted("fig1, full, d = {}, {} heads, rate {}: median of {} trainings {}",
                              d,
                              d * d,
                              rate,
                              errors.size(),
                              round_trip(median_of(errors)))};
        },
        "double, committed rows");
    for (const Index d : {2, 4}) {
        at_floor.check(Form::tested, Index{d}, 0.01);
        at_floor.check(Form::printed, Index{d}, 0.001);
    }
}

Evidence test_figure_1_many_heads(const ClaimContext& context) {
    Evidence evidence;
    check_fresh(evidence, context);
    check_rows(evidence, context);
    check_rates(evidence, context);
    return evidence;
}

}  // namespace

Claim figure_1_many_heads() {
    return {
        .id = "yau2024/figure_1_many_heads",
        .place = "Figure 1",
        .printed =
            "with d^2 heads (d = 2, 4) gradient descent is comparable with Algorithm 1 and "
            "approaches floating-point error; Adam or AdamW, rate 0.01 or 0.001",
        .tested =
            "with Adam, without weight decay, at rate 0.01: a relative mean squared error of at "
            "most 1e-20 in most seeds after 6400 "
            "updates, and in the slowest of them with eight times as many",
        .deviation =
            "weight decay keeps AdamW, which the table of appendix G.1 names where its text names "
            "Adam, away from the floor; so does the rate 0.001 within 6400 updates",
        .depends_on = "yau2024/algorithm_1",
        .method = Method::experiment,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::convention,
        .explain =
            "Random linear attention with one output, labels at all 100 prefixes. The errors "
            "are those on sequences not trained on. The rate has to fall to 0: at a "
            "constant rate Adam reaches the floor and then leaves it in spikes. Seeds differ: at "
            "d = 2 three of 40 are above 1e-20, one at 1e-16, when the rate has fallen to 0; they "
            "need more updates, not more heads.",
        .run = test_figure_1_many_heads,
    };
}

}  // namespace attest::yau2024
