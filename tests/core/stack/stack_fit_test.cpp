#include "core/stack/stack_fit.hpp"

#include "core/rng/sample.hpp"
#include "core/stack/stack_file.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
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

/// Of inputs Z and 2Z the mix (8, −1)/6 leaves of a layer Z + F(Z), F cubic, the part Z.
TEST(StackFitting, MixedResidualsOfScaledInputsAreThoseOfAPartOfOneDegree) {
    const Stack teacher = teacher_of_a_layer();
    StackTargets targets;
    targets.y = Vector::Zero(8);
    for (Index i = 0; i < 2; ++i) {
        const Matrix Z = grid_matrix(grid_normal(), 2, 3, Stream(3).child("scaled").child(i));
        targets.inputs.emplace_back(Z);
        targets.inputs.emplace_back(2.0 * Z);
    }
    targets.mix = (Matrix(1, 2) << 8.0 / 6.0, -1.0 / 6.0).finished();
    const Vector parts = residuals(in_doubles(teacher), targets);
    ASSERT_EQ(parts.size(), 4);
    for (Index i = 0; i < 2; ++i) {
        const Vector last = targets.inputs[static_cast<std::size_t>(2 * i)].col(2);
        EXPECT_LT((parts.segment(2 * i, 2) - last).norm(), 1e-12 * last.norm());
    }
    targets.inputs.pop_back();
    EXPECT_REFUSED("3 inputs in groups of 2", residuals(in_doubles(teacher), targets));
}

/// With the outputs themselves mixed to degree 3 the derivative is mixed too: the fit finds F.
TEST(StackFitting, FitsAMixedPart) {
    const Stack teacher = teacher_of_a_layer();
    StackTargets targets;
    targets.y = Vector(24);
    for (Index i = 0; i < 6; ++i) {
        const Matrix Z = grid_matrix(grid_normal(), 2, 3, Stream(3).child("scaled").child(i));
        for (Index k = 0; k < 2; ++k) {
            targets.inputs.emplace_back(static_cast<double>(k + 1) * Z);
            targets.y.segment(4 * i + 2 * k, 2) = outputs(teacher, targets.inputs.back());
        }
    }
    targets.mix = (Matrix(1, 2) << -2.0 / 6.0, 1.0 / 6.0).finished();
    const StackFit fit = fit_stack(moved(teacher, 0.1), targets);
    EXPECT_LT(fit.relative, 1e-12);
    StackAt<double> student = in_doubles(teacher);
    student.parameters = fit.parameters;
    targets.mix = Matrix();
    EXPECT_LT(residuals(student, targets).norm(), 1e-11 * targets.y.norm());
}

}  // namespace
}  // namespace attest::test
