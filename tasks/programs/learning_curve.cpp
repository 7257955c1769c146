#include "tasks/programs/learning_curve.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

using Row = std::span<const IntegerEntry>;

ColumnClasses observe_all(const TraceSource& source, Index count, Index d) {
    ColumnClasses classes(feature_dim(d));
    TraceRows rows(d);
    for (Index i = 0; i < count; ++i) {
        rows.visit(source(i), [&](Row row, Row /*label*/) { classes.observe(row); });
    }
    classes.close();
    return classes;
}

CurvePoint judge_tests(const ExactLearner& learner,
                       const TraceSource& test,
                       const CurveOptions& options,
                       Index d) {
    CurvePoint point;
    TraceRows rows(d);
    Index total = 0;
    Index right = 0;
    Index certified = 0;
    for (Index i = 0; i < options.test_traces; ++i) {
        rows.visit(test(i), [&](Row row, Row label) {
            ++total;
            switch (learner.judge(row, label)) {
                case RowJudgement::outside:
                    right += learner.predicts(row, label) ? 1 : 0;
                    break;
                case RowJudgement::fitted:
                    ++right;
                    ++certified;
                    break;
                case RowJudgement::refuted:
                    ++certified;
                    ++point.wrong_certified;
                    break;
            }
        });
    }
    point.rank = learner.rank();
    point.tokens = learner.num_rows();
    point.accuracy = static_cast<double>(right) / static_cast<double>(total);
    point.certified = static_cast<double>(certified) / static_cast<double>(total);
    return point;
}

}  // namespace

LearningCurve learning_curve(const TraceSource& training,
                             const TraceSource& test,
                             Index d,
                             const CurveOptions& options) {
    const ColumnClasses classes = observe_all(training, options.most_traces, d);
    ExactLearner learner(classes, d);
    TraceRows rows(d);
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
                concat("learning_curve: ",
                       learner.num_inconsistent(),
                       " labels contradict the others; nothing is certified"));
        CurvePoint point = judge_tests(learner, test, options, d);
        point.traces = i + 1;
        curve.points.push_back(point);
        if (point.certified >= 1.0) {
            break;
        }
        next_point =
            std::max(i + 2, static_cast<Index>(static_cast<double>(i + 1) * options.growth));
    }
    return curve;
}

const CurvePoint* first_accurate(const LearningCurve& curve, double level) {
    const auto found =
        std::find_if(curve.points.begin(), curve.points.end(), [&](const CurvePoint& point) {
            return point.accuracy >= level;
        });
    return found == curve.points.end() ? nullptr : &*found;
}

const CurvePoint* first_certified(const LearningCurve& curve) {
    const auto found = std::find_if(curve.points.begin(),
                                    curve.points.end(),
                                    [](const CurvePoint& point) { return point.certified >= 1.0; });
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
