#include "programs/learning/learning_curve.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

using Row = std::span<const IntegerEntry>;

ColumnClasses observe_all(const TraceSource& source, Index d, const CurveOptions& options) {
    ColumnClasses classes(feature_dim(d));
    TraceRows rows(d, options.mask);
    for (Index i = 0; i < options.most_traces; ++i) {
        rows.visit(source(i), [&](Row row, Row /*label*/) { classes.observe(row); });
    }
    classes.close();
    return classes;
}

/// Test tokens, judged again and again while the learner takes more rows.
class TestTokens {
public:
    TestTokens(const TraceSource& test, Index d, const CurveOptions& options)
        : test_(test), count_(options.test_traces), rows_(d, options.mask) {}

    /// `point` with its shares. A row of the row space stays there, and while labels are consistent
    /// so does its judgement: only the others are judged again.
    [[nodiscard]] LearningPoint judge(const ExactLearner& learner, LearningPoint point) {
        std::size_t token = 0;
        Index right = 0;
        for (Index i = 0; i < count_; ++i) {
            rows_.visit(test_(i), [&](Row row, Row label) {
                if (token == last_.size()) {
                    last_.push_back(RowJudgement::outside);
                }
                RowJudgement& judgement = last_[token++];
                if (judgement == RowJudgement::outside) {
                    judgement = learner.judge(row, label);
                }
                right += judgement == RowJudgement::fitted || (judgement == RowJudgement::outside &&
                                                               learner.predicts(row, label))
                             ? 1
                             : 0;
            });
        }
        const auto total = static_cast<double>(last_.size());
        const Index outside = std::count(last_.begin(), last_.end(), RowJudgement::outside);
        point.accuracy = static_cast<double>(right) / total;
        point.certified = (total - static_cast<double>(outside)) / total;
        point.wrong_certified = std::count(last_.begin(), last_.end(), RowJudgement::refuted);
        return point;
    }

private:
    const TraceSource& test_;
    Index count_;
    TraceRows rows_;
    std::vector<RowJudgement> last_;
};

}  // namespace

LearningCurve learning_curve(const TraceSource& training,
                             const TraceSource& test,
                             Index d,
                             const CurveOptions& options) {
    const ColumnClasses classes = observe_all(training, d, options);
    ExactLearner learner(classes, d);
    TraceRows rows(d, options.mask);
    TestTokens tokens(test, d, options);
    LearningCurve curve{{}, d, classes.num_active(), classes.num_classes()};
    Index next_point = 8;
    for (Index i = 0; i < options.most_traces; ++i) {
        rows.visit(training(i), [&](Row row, Row label) { learner.append(row, label); });
        if (i + 1 < next_point && i + 1 < options.most_traces) {
            continue;
        }
        throw_if_interrupted("learning_curve");
        learner.flush();
        require(learner.num_inconsistent() == 0,
                "learning_curve: {} labels contradict the others; nothing is certified",
                learner.num_inconsistent());
        curve.points.push_back(
            tokens.judge(learner, {i + 1, learner.num_rows(), learner.rank(), 0.0, 0.0, 0}));
        if (curve.points.back().certified >= 1.0) {
            break;
        }
        next_point =
            std::max(i + 2, static_cast<Index>(static_cast<double>(i + 1) * options.growth));
    }
    return curve;
}

const LearningPoint* first_accurate(const LearningCurve& curve, double level) {
    const auto found =
        std::find_if(curve.points.begin(), curve.points.end(), [&](const LearningPoint& point) {
            return point.accuracy >= level;
        });
    return found == curve.points.end() ? nullptr : &*found;
}

const LearningPoint* first_certified(const LearningCurve& curve) {
    const auto found =
        std::find_if(curve.points.begin(), curve.points.end(), [](const LearningPoint& point) {
            return point.certified >= 1.0;
        });
    return found == curve.points.end() ? nullptr : &*found;
}

TraceSource random_dfa_traces(const DfaProgram& program, const Stream& stream) {
    return [&program, stream](Index i) {
        const DfaShape& shape = program.shape();
        Draws draws(stream.child(i));
        Automaton automaton = random_automaton(draws, shape.states, shape.letters);
        automaton.start = static_cast<Index>(draws.below(static_cast<std::uint64_t>(shape.states)));
        std::vector<Index> word;
        for (Index p = 0; p < shape.length; ++p) {
            word.push_back(
                static_cast<Index>(draws.below(static_cast<std::uint64_t>(shape.letters))));
        }
        return program.expected(automaton, word);
    };
}

}  // namespace attest
