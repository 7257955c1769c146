#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"
#include "tasks/registry.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/tasks/contract_cases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::test {

namespace {

constexpr std::uint64_t kSeed = 20241014;

/// What every task in the registry promises, whatever its parameters.
class TaskContract : public testing::TestWithParam<ContractCase> {
protected:
    TaskContract() : task_(make_task(GetParam().task, GetParam().parameters, kSeed)) {}

    std::unique_ptr<Task> task_;
};

bool same(const Matrix& a, const Matrix& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) {
        return false;
    }
    for (Index i = 0; i < a.size(); ++i) {
        if (!bitwise_equal(a(i), b(i))) {
            return false;
        }
    }
    return true;
}

ParametersOf<Rational> exact(const Parameters& theta) {
    ParametersOf<Rational> result{theta.d, theta.o, {}};
    for (const Head& head : theta.heads) {
        result.heads.push_back({head.V.cast<Rational>(), head.Q.cast<Rational>()});
    }
    return result;
}

ParametersOf<Rational> magnitudes(const Parameters& theta) {
    ParametersOf<Rational> result{theta.d, theta.o, {}};
    for (const Head& head : theta.heads) {
        result.heads.push_back(
            {head.V.cwiseAbs().cast<Rational>(), head.Q.cwiseAbs().cast<Rational>()});
    }
    return result;
}

/// The truth's outputs at every label's column (o×labels), over Q; with magnitudes instead of
/// values when asked.
enum class Of { values, magnitudes };

/// A drawn sequence as its task's layer reads it.
Dataset data_of(const TaskTraits& traits, const Sequence& sequence) {
    Dataset data;
    data.layer = traits.layer;
    data.columns = sequence.columns;
    data.tokens = sequence.Z;
    data.offsets = {0, sequence.Z.cols()};
    data.labels = traits.labels;
    data.y = sequence.y;
    return data;
}

/// The same for the coefficients of another layer than the paper's.
MatrixOf<Rational> layer_outputs(const Matrix& P, Dataset data, Of of) {
    if (of == Of::magnitudes) {
        data.tokens = data.tokens.view().cwiseAbs().eval();
        data.columns.x = data.columns.x.cwiseAbs().eval();
    }
    const Matrix coefficients = of == Of::values ? P : Matrix(P.cwiseAbs());
    return coefficients.transpose().cast<Rational>() * features_by_definition(data).transpose();
}

MatrixOf<Rational> outputs(const GroundTruth& truth, const Sequence& sequence, Of of) {
    const Index n = sequence.Z.cols();
    MatrixOf<Rational> Y(sequence.y.rows(), sequence.y.cols());
    for (Index j = 0; j < Y.cols(); ++j) {
        Matrix Z = sequence.Z.leftCols(Y.cols() == n && n > 1 ? j + 1 : n);
        if (of == Of::magnitudes) {
            Z = Z.cwiseAbs().eval();
        }
        const MatrixOf<Rational> exact_Z = Z.cast<Rational>();
        if (truth.heads) {
            const VectorOf<Rational> z = exact_Z.col(Z.cols() - 1);
            Y.col(j) = attend<Rational>(
                of == Of::values ? exact(*truth.heads) : magnitudes(*truth.heads), exact_Z, z);
        } else {
            const Matrix P = of == Of::values ? *truth.P : Matrix(truth.P->cwiseAbs());
            const MatrixOf<Rational> exact_P = P.transpose().cast<Rational>();
            Y.col(j) = exact_P * cubic_features<Rational>(exact_Z);
        }
    }
    return Y;
}

/// Whether |y − exact| ≤ γ_m·(the same sums of magnitudes), m a bound of the roundings on any path
/// to a label: n + 1 for S, d + 1 for each of three products or ψ + 2 for Pᵀ H, and one for each
/// head (Higham 2002 §3.1).
bool within_rounding(const GroundTruth& truth, const TaskTraits& traits, const Sequence& sequence) {
    const Index d = sequence.Z.rows();
    const Index heads = truth.heads ? truth.heads->num_heads() : 0;
    const Dataset data = data_of(traits, sequence);
    // A decay's step has three roundings a token, its rate's included, where the paper's has one.
    const Index m = 3 * sequence.Z.cols() + 1 + 3 * (d + 1) + data.layout().psi() + 2 + heads;
    const Rational gamma = Rational(m) / (Rational(Index{1} << 53) - Rational(m));
    const auto exactly = [&](Of of) {
        return traits.layer.is_linear() ? outputs(truth, sequence, of)
                                        : layer_outputs(*truth.P, data, of);
    };
    const MatrixOf<Rational> expected = exactly(Of::values);
    const MatrixOf<Rational> size = exactly(Of::magnitudes);
    for (Index j = 0; j < sequence.y.cols(); ++j) {
        for (Index a = 0; a < sequence.y.rows(); ++a) {
            if (abs(Rational(sequence.y(a, j)) - expected(a, j)) > gamma * size(a, j)) {
                return false;
            }
        }
    }
    return true;
}

TEST_P(TaskContract, SequencesHaveTheAnnouncedShapes) {
    const TaskTraits traits = task_->traits();
    for (Index i = 0; i < 20; ++i) {
        const Sequence sequence = task_->draw(i);

        EXPECT_EQ(sequence.Z.rows(), traits.d);
        EXPECT_EQ(sequence.Z.cols(), task_->length(i));
        EXPECT_LE(sequence.Z.cols(), traits.max_length);
        EXPECT_EQ(sequence.y.rows(), traits.o);
        const Index labels = traits.labels == LabelKind::none           ? 0
                             : traits.labels == LabelKind::per_sequence ? 1
                                                                        : sequence.Z.cols();
        EXPECT_EQ(sequence.y.cols(), labels);
    }
    EXPECT_NO_THROW(check(materialise(*task_, 0, 20, 1)));
}

TEST_P(TaskContract, DataDependOnNeitherThreadsNorOrder) {
    const Dataset one = materialise(*task_, 0, 130, 1);
    const Dataset two = materialise(*task_, 0, 130, 2);

    EXPECT_TRUE(same(one.tokens.view(), two.tokens.view()));
    EXPECT_TRUE(same(one.y, two.y));
    EXPECT_EQ(one.offsets, two.offsets);
    EXPECT_EQ(one.meta, two.meta);
    for (Index i = 129; i >= 0; --i) {
        EXPECT_TRUE(same(one.sequence(i), task_->draw(i).Z)) << i;
    }
}

TEST_P(TaskContract, FewerSequencesAreAPrefixAndLaterOnesContinue) {
    const Dataset all = materialise(*task_, 0, 30, 1);
    const Dataset head = materialise(*task_, 0, 11, 1);
    const Dataset tail = materialise(*task_, 11, 19, 1);

    const Dataset joined = concatenate(head, tail);
    EXPECT_TRUE(same(joined.tokens.view(), all.tokens.view()));
    EXPECT_TRUE(same(joined.y, all.y));
    EXPECT_EQ(joined.offsets, all.offsets);
}

TEST_P(TaskContract, AnotherSeedGivesOtherSequences) {
    const std::unique_ptr<Task> other =
        make_task(GetParam().task, GetParam().parameters, kSeed + 1);

    const Dataset ours = materialise(*task_, 0, 30, 1);
    const Dataset theirs = materialise(*other, 0, 30, 1);
    EXPECT_FALSE(same(ours.tokens.view(), theirs.tokens.view()));
}

TEST_P(TaskContract, RealisableLabelsAreTheTruthsOutputs) {
    const TaskTraits traits = task_->traits();
    const GroundTruth truth = task_->truth();
    if (!truth.heads && !truth.P) {
        EXPECT_FALSE(traits.realisable);
        return;
    }
    bool all = true;
    for (Index i = 0; i < 12; ++i) {
        all = all && within_rounding(truth, traits, task_->draw(i));
    }
    // Both ways: labels that are called not realisable do differ from the truth's outputs.
    EXPECT_EQ(all, traits.realisable);
}

TEST_P(TaskContract, BitwiseInputsHaveExactFeatures) {
    bool all = true;
    for (Index i = 0; i < 12; ++i) {
        const Dataset data = data_of(task_->traits(), task_->draw(i));
        const Matrix H = feature_columns(sequence_moments<double>(data, 0, 1), data.layout());
        const MatrixOf<Rational> exact_H = features_by_definition(data).transpose();
        all = all && MatrixOf<Rational>(H.cast<Rational>()) == exact_H;
    }
    EXPECT_EQ(all, task_->traits().bitwise);
}

TEST_P(TaskContract, DescriptionMakesTheSameTask) {
    const TaskDescription description = task_->description();
    const std::map<std::string, std::string> parameters(description.parameters.begin(),
                                                        description.parameters.end());

    const std::unique_ptr<Task> again = make_task(description.name, parameters, kSeed);

    EXPECT_TRUE(same(task_->draw(5).Z, again->draw(5).Z));
    EXPECT_TRUE(same(task_->draw(5).y, again->draw(5).y));
    EXPECT_EQ(again->description().parameters, description.parameters);
    EXPECT_EQ(description.stream, "20241014/" + GetParam().task);
}

INSTANTIATE_TEST_SUITE_P(AllTasks, TaskContract, testing::ValuesIn(contract_cases()));

TEST(TaskContractCases, CoverEveryTaskOfTheRegistry) {
    std::set<std::string> covered;
    for (const ContractCase& c : contract_cases()) {
        covered.insert(c.task);
    }
    for (const TaskEntry& entry : task_registry()) {
        EXPECT_EQ(covered.count(std::string(entry.name)), 1U) << entry.name;
    }
}

// The committed digests are the promise that a seed names the same data on every machine and in
// every version. A change that alters them on purpose is a change of data format and belongs in the
// change log.
TEST(GoldenDigests, OfEveryContractCaseAreTheCommittedOnes) {
    for (const ContractCase& c : contract_cases()) {
        const std::unique_ptr<Task> task = make_task(c.task, c.parameters, 20241014);

        EXPECT_EQ(digest(materialise(*task, 0, 130, 2)), c.digest) << testing::PrintToString(c);
    }
}

TEST(GoldenDigests, OfAnotherSeedAreOthers) {
    const ContractCase& c = contract_cases().front();

    EXPECT_NE(digest(materialise(*make_task(c.task, c.parameters, 1), 0, 130, 1)), c.digest);
}

}  // namespace

}  // namespace attest::test
