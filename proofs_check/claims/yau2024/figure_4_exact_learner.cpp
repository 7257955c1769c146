#include "core/base/text.hpp"
#include "programs/learning/learning_curve.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/claims/yau2024/training_rows.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest::yau2024 {

namespace {

const std::array<std::string, 3> kSizes{"states", "letters", "length"};

DfaShape with_size(DfaShape shape, const std::string& size, Index value) {
    (size == "states" ? shape.states : size == "letters" ? shape.letters : shape.length) = value;
    return shape;
}

/// The sizes of the full profile; the other two are 4.
constexpr std::array<Index, 5> kValues{2, 3, 4, 6, 8};

using Along = std::array<double, 5>;

std::string listed(const Along& y) {
    std::string text;
    for (const double value : y) {
        text += formatted("{}{}", text.empty() ? "" : ", ", round_trip(value));
    }
    return text;
}

/// Accepted: the cubic through the points at 2, 3, 4, 6 meets the one at 8 within 1 %.
Answer is_cubic(const Along& y, const std::string& what) {
    const double predicted = -5.0 * y[0] + 16.0 * y[1] - 15.0 * y[2] + 5.0 * y[3];
    return {std::abs(predicted - y[4]) <= 0.01 * y[4],
            formatted("{} at 2, 3, 4, 6, 8: {}; the cubic through the first four gives {} at 8",
                      what,
                      listed(y),
                      predicted)};
}

/// Accepted: from 4 to 8 it grows, by a factor of 8 at most, as no cubic exceeds in the limit; the
/// exponential 2^x grows by 16.
Answer is_at_most_cubic(const Along& y, const std::string& what) {
    return {y[4] > y[2] && y[4] <= 8.0 * y[2],
            formatted("{} at 2, 3, 4, 6, 8: {}; from 4 to 8 by a factor of {}, 8 for a cubic, 16 "
                      "for 2^x",
                      what,
                      listed(y),
                      y[4] / y[2])};
}

/// The last trace prints one entry too many.
TraceSource with_a_fault(TraceSource traces, Index last, Index row) {
    return [traces = std::move(traces), last, row](Index i) {
        Trace trace = traces(i);
        if (i == last) {
            std::vector<TokenEntry> entries = trace.generated.back();
            entries.push_back({row, 1});
            trace.generated.back() = make_token(std::move(entries));
        }
        return trace;
    };
}

struct Learned {
    double rank = 0.0;
    Index wrong = 0;
    bool reached = true;
    Index test_tokens = 0;
};

enum class Tests : std::uint8_t { right, one_wrong };

Learned learn(const DfaShape& shape, const Stream& stream, Tests tests) {
    constexpr Index kTestTraces = 64;
    const Dfa2 program(shape);
    const Index d = program.program().schema.dim();
    TraceSource test = random_dfa_traces(program, stream.child("test"));
    if (tests == Tests::one_wrong) {
        test = with_a_fault(std::move(test), kTestTraces - 1, d - 1);
    }
    const LearningCurve curve = learning_curve(random_dfa_traces(program, stream.child("train")),
                                               test,
                                               d,
                                               {.most_traces = 2048, .test_traces = kTestTraces});
    Learned learned;
    for (const LearningPoint& point : curve.points) {
        learned.wrong += point.wrong_certified;
    }
    learned.reached = first_accurate(curve, 0.99) != nullptr && first_certified(curve) != nullptr;
    learned.rank = static_cast<double>(curve.points.back().rank);
    learned.test_tokens = kTestTraces * (2 * shape.length - 1);
    return learned;
}

/// Small automata afresh: all sizes 2 but one. Accepted: in the end every test token is certified,
/// and no certified token was wrong on the way.
Answer certified_and_right(const std::string& size, Tests tests, const Stream& stream) {
    Index wrong = 0;
    Index tokens = 0;
    bool reached = true;
    const Index largest = tests == Tests::right ? 4 : 2;
    for (Index value = 2; value <= largest; ++value) {
        const Learned learned =
            learn(with_size({2, 2, 2}, size, value), stream.child(size).child(value), tests);
        wrong += learned.wrong;
        tokens += learned.test_tokens;
        reached = reached && learned.reached;
    }
    return {reached && wrong == 0,
            formatted("{} = 2 to {}, the others 2{}: {} of {} test tokens are certified in the "
                      "end; certified but wrong on the way: {}",
                      size,
                      largest,
                      tests == Tests::right ? "" : ", one test token altered",
                      reached ? "all" : "not all",
                      tokens,
                      wrong)};
}

/// Medians of a metric over the repetitions, along one size.
Along medians(const std::vector<Row>& rows, const std::string& size, const std::string& metric) {
    std::vector<Row> along = select_rows(rows, "task", "dfa2");
    for (const std::string& other : kSizes) {
        along = other == size ? along : select_rows(along, other, "4");
    }
    Along values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::vector<RowGroup> group =
            group_rows(select_rows(along, size, std::to_string(kValues.at(i))), {size}, metric);
        require(group.size() == 1 && group[0].summary.count >= 3,
                "figure_4: got fewer than 3 rows for {} = {}",
                size,
                kValues.at(i));
        values.at(i) = group[0].summary.median;
    }
    return values;
}

void check_committed(Evidence& evidence, const ClaimContext& context) {
    const std::vector<Row> rows = full_rows(context, "fig4");
    const std::string precision = "modulo 4194301, committed rows";
    double wrong = 0.0;
    double least = std::numeric_limits<double>::infinity();
    for (const Row& row : rows) {
        wrong += row.metrics.at("certified_but_wrong").value;
        least = std::min(least,
                         row.metrics.at("tokens_certified").value / row.metrics.at("rank").value);
    }
    evidence.check(Form::tested,
                   !(wrong > 0.0) && least >= 1.0,
                   formatted("{} learning curves: tokens until all test tokens are certified, in "
                             "units of the rank: {} at least; certified but wrong: {}",
                             rows.size(),
                             round_trip(least),
                             round_trip(wrong)),
                   precision);
    const SharedTest cubic(evidence, is_cubic, precision);
    const SharedTest at_most_cubic(evidence, is_at_most_cubic, precision);
    for (const std::string& size : kSizes) {
        cubic.check(Form::tested, medians(rows, size, "rank"), "rank along " + size);
        for (const std::string metric : {"tokens_99", "tokens_certified"}) {
            at_most_cubic.check(
                Form::tested, medians(rows, size, metric), formatted("{} along {}", metric, size));
        }
    }
    const Along exponential{4.0, 8.0, 16.0, 64.0, 256.0};
    cubic.control(exponential, "planted: 2^x");
    at_most_cubic.control(exponential, "planted: 2^x");
    at_most_cubic.control(Along{561.0, 1630.0, 994.0, 900.0, 950.0}, "planted: noise");
}

Evidence test_figure_4_exact_learner(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest afresh(
        evidence,
        [&](const std::string& size, Tests tests) {
            return certified_and_right(size, tests, context.stream);
        },
        "modulo 4194301");
    for (const std::string& size : kSizes) {
        afresh.check(Form::tested, size, Tests::right);
    }
    afresh.control("states", Tests::one_wrong);
    check_committed(evidence, context);
    return evidence;
}

}  // namespace

Claim figure_4_exact_learner() {
    return {
        .id = "yau2024/figure_4_exact_learner",
        .place = "Beside Figure 4",
        .tested =
            "to simulate every automaton with one layer of linear attention, learned exactly, the "
            "rank of the data grows like a cubic in each of Q, V and L, and the tokens needed for "
            "99 % next-token accuracy, and for the certificate, by a factor of at most 8 from 4 to "
            "8",
        .deviation =
            "Figure 4 trains a transformer of 4 layers on another encoding and reports tokens for "
            "99 %, sub-exponential by eye; that experiment is not repeated here",
        .depends_on = "yau2024/lemma_a8_traces yau2024/lemma_f1",
        .method = Method::experiment,
        .explain =
            "Rows that are certified lie in the row space, whose dimension is at most psi(d), a "
            "polynomial in Q, V and L; so fewer than that many informative tokens exist. What "
            "remains is how long random words take to show them all. Medians of three seeds; the "
            "ranks are those of the data drawn, nearly all that there is.",
        .run = test_figure_4_exact_learner,
    };
}

}  // namespace attest::yau2024
