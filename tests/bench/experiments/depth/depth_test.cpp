#include "bench/experiments/depth/stack_fit.hpp"
#include "bench/experiments/entries.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/stack_file.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// One residual layer of linear attention, d = 2, read at its last token.
Stack teacher_of_a_layer() {
    StackLayer layer;
    layer.residual = layer.causal = true;
    Stack teacher;
    teacher.shape.d = 2;
    teacher.shape.layers = {layer};
    teacher.shape.readout = Readout::last;
    teacher.constants.resize(1);
    const Matrix theta = grid_matrix(grid_normal(), 8, 1, Stream(3).child("teacher"));
    teacher.parameters.assign(theta.data(), theta.data() + theta.size());
    return teacher;
}

StackTargets labelled_by(const Stack& teacher, Index examples) {
    StackTargets targets;
    targets.y = Vector(2 * examples);
    for (Index i = 0; i < examples; ++i) {
        targets.inputs.emplace_back(
            grid_matrix(grid_normal(), 2, 3, Stream(3).child("inputs").child(i)));
        targets.y.segment(2 * i, 2) = outputs(teacher, targets.inputs.back());
    }
    return targets;
}

StackAt<double> moved(const Stack& teacher, double by) {
    StackAt<double> start = in_doubles(teacher);
    for (double& parameter : start.parameters) {
        parameter += by;
    }
    return start;
}

Row first_row(const Experiment& experiment,
              const std::string& learner,
              const ParameterMap& wanted,
              Index repetition) {
    for (const Case& one : experiment.cases) {
        bool same = one.key.learner == learner && one.key.repetition == repetition;
        for (const auto& [name, value] : wanted) {
            const ParameterMap& from =
                one.key.parameters.contains(name) ? one.key.parameters : one.key.learner_parameters;
            same = same && from.contains(name) && from.at(name) == value;
        }
        if (same) {
            Row row;
            row.key = one.key;
            row.metrics = one.run().metrics;
            return row;
        }
    }
    ADD_FAILURE() << "no such case";
    return {};
}

TEST(StackFitting, FindsTheTeachersOutputsFromNearby) {
    const Stack teacher = teacher_of_a_layer();
    const StackTargets targets = labelled_by(teacher, 6);
    EXPECT_GT(residuals(moved(teacher, 0.1), targets).norm(), 1e-3 * targets.y.norm());
    const StackFit fit = fit_stack(moved(teacher, 0.1), targets);
    EXPECT_LT(fit.relative, 1e-12);
    EXPECT_GT(fit.steps, 1);
}

TEST(StackFitting, ReadsAsManyOutputsAsThereAreTargets) {
    const Stack teacher = teacher_of_a_layer();
    StackTargets targets = labelled_by(teacher, 2);
    targets.y = Vector(targets.y.head(3));
    targets.y(2) += 1.0;
    const Vector r = residuals(in_doubles(teacher), targets);
    ASSERT_EQ(r.size(), 3);
    EXPECT_EQ(r(0), 0.0);
    EXPECT_EQ(r(2), -1.0);
    targets.y = Vector::Zero(5);
    EXPECT_REFUSED("5 targets, but inputs with 4 outputs", residuals(in_doubles(teacher), targets));
}

TEST(StackFitting, OfSignsAsksForAMarginAndNoMore) {
    const Stack teacher = teacher_of_a_layer();
    StackTargets targets = labelled_by(teacher, 3);
    targets.loss = StackLoss::signs;
    targets.y = targets.y.unaryExpr([](double y) { return y < 0.0 ? -1.0 : 1.0; });
    const StackFit fit = fit_stack(moved(teacher, 0.1), targets);
    ASSERT_LT(fit.relative, 1e-12);
    StackAt<double> student = in_doubles(teacher);
    student.parameters = fit.parameters;
    targets.loss = StackLoss::values;
    const Vector f = residuals(student, targets) + targets.y;
    for (Index k = 0; k < f.size(); ++k) {
        EXPECT_GT(f(k) * targets.y(k), 1.0 - 1e-9);
    }
}

TEST(StackFitting, EndsWhereStepsTakeNothingOff) {
    const Stack teacher = teacher_of_a_layer();
    StackTargets targets = labelled_by(teacher, 12);
    for (Index k = 0; k < targets.y.size(); ++k) {
        targets.y(k) += k % 2 == 0 ? 1.0 : -1.0;  // no layer has these outputs
    }
    const StackFit patient = fit_stack(moved(teacher, 0.1), targets, {1000, 1e-13, 1000});
    const StackFit impatient = fit_stack(moved(teacher, 0.1), targets, {1000, 1e-13, 5});
    EXPECT_GT(impatient.relative, 1e-3);
    EXPECT_LT(impatient.steps, patient.steps);
}

TEST(DepthTransition, HasItsJumpWhereTheRankOnTheDataReachesTheDimension) {
    const Experiment experiment = depth_transition().make(Profile::quick, 0);
    const auto run = [&](std::int64_t examples) {
        return first_row(experiment,
                         "near",
                         {{"layers", std::int64_t{2}},
                          {"a", std::int64_t{1}},
                          {"num_examples", examples}},
                         0)
            .metrics;
    };
    const Metrics few = run(4);
    const Metrics enough = run(6);
    EXPECT_EQ(few.at("dimension").value, 10.0);
    EXPECT_EQ(few.at("rank").value, 8.0);
    EXPECT_EQ(few.at("determined").value, 0.0);
    EXPECT_EQ(few.at("fitted").value, 1.0);
    EXPECT_GT(few.at("fresh_relative").value, 1e-6);
    EXPECT_EQ(enough.at("rank").value, 10.0);
    EXPECT_EQ(enough.at("determined").value, 1.0);
    EXPECT_EQ(enough.at("same_function").value, 1.0);
}

TEST(DepthTransition, CountsAStartThatIsStuckAsNoFit) {
    Row stuck = first_row(
        depth_transition().make(Profile::quick, 0),
        "near",
        {{"layers", std::int64_t{2}}, {"a", std::int64_t{1}}, {"num_examples", std::int64_t{6}}},
        0);
    Row far = stuck;
    far.key.learner = "far";
    far.metrics["fitted"].value = far.metrics["same_function"].value = 0.0;
    far.metrics["fresh_relative"].value = 77.0;
    const Derived derived = derive(depth_transition(), {stuck, far});
    const std::vector<Cell>& line = derived.tables.front().table.rows.front();
    EXPECT_EQ(full_text(line[8]), "1") << "near: one fit";
    EXPECT_EQ(full_text(line[10]), "0") << "far: none";
    EXPECT_EQ(full_text(line[11]), "") << "and no error of a fit";
}

TEST(Memorisation, OfNumbersIsBelowTheDimensionAndGrowsWithHeads) {
    const Experiment experiment = memorisation().make(Profile::quick, 0);
    const auto run = [&](std::int64_t heads) {
        return first_row(experiment,
                         "stack",
                         {{"labels", std::string("numbers")},
                          {"kind", std::string("linear, 1 layer")},
                          {"heads", heads}},
                         0)
            .metrics;
    };
    const Metrics one = run(1);
    const Metrics four = run(4);
    EXPECT_EQ(one.at("parameters").value, four.at("parameters").value);
    EXPECT_EQ(one.at("dimension").value, 31.0);
    EXPECT_EQ(four.at("dimension").value, 52.0);
    for (const Metrics& each : {one, four}) {
        EXPECT_LE(each.at("per_dimension").value, 1.0);
        EXPECT_GT(each.at("per_dimension").value, 0.8);
    }
    EXPECT_GT(four.at("labels").value, 1.3 * one.at("labels").value);
}

}  // namespace
}  // namespace attest
