#include "tasks/iid_entries.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest {
namespace {

TEST(IidEntries, HaveNoLabelsWithoutHeads) {
    const std::unique_ptr<Task> task = iid_entries({}, Stream(1));

    EXPECT_EQ(task->traits().labels, LabelKind::none);
    EXPECT_EQ(task->draw(0).y.size(), 0);
    EXPECT_FALSE(task->truth().heads.has_value());
}

TEST(IidEntries, TakeTheValuesOfTheirLaw) {
    for (const auto& [law, expected] :
         std::map<EntryLaw, std::set<double>>{{EntryLaw::three_point, {-1.0, 0.0, 1.0}},
                                              {EntryLaw::rademacher, {-1.0, 1.0}},
                                              {EntryLaw::bernoulli, {0.0, 1.0}}}) {
        IidEntriesOptions options;
        options.law = law;
        const Matrix Z = iid_entries(options, Stream(1))->draw(0).Z;

        EXPECT_EQ(std::set<double>(Z.data(), Z.data() + Z.size()), expected);
    }
}

TEST(IidEntries, LawsHaveTheMomentsOfTheirDefinition) {
    IidEntriesOptions options;
    options.law = EntryLaw::bernoulli;
    options.p = 0.25;
    options.mean = -0.25;

    // Centred Bernoulli(1/4): m2 = p(1 − p), m3 = p(1 − p)(1 − 2p).
    EXPECT_EQ(entry_law(options).moment<Rational>(1), Rational(0));
    EXPECT_EQ(entry_law(options).moment<Rational>(2), Rational(3, 16));
    EXPECT_EQ(entry_law(options).moment<Rational>(3), Rational(3, 32));

    options.law = EntryLaw::three_point;
    options.mean = 0.0;
    EXPECT_EQ(entry_law(options).moment<Rational>(2), Rational(3, 4));
}

TEST(IidEntries, MeanIsAddedToEveryEntry) {
    IidEntriesOptions options;
    options.law = EntryLaw::laplace;
    const Matrix Z = iid_entries(options, Stream(1))->draw(0).Z;
    options.mean = 1.5;
    const Matrix shifted = iid_entries(options, Stream(1))->draw(0).Z;

    EXPECT_EQ(shifted, Matrix(Z.array() + 1.5));
}

TEST(IidEntries, NamesOfLawsAreThoseOfTheTable) {
    for (const Choice<EntryLaw>& choice : kEntryLaws) {
        IidEntriesOptions options;
        options.law = choice.value;
        std::string name = entry_law(options).name();
        std::replace(name.begin(), name.end(), '-', '_');

        EXPECT_EQ(name, choice.name);
    }
}

TEST(IidEntries, HeadsPlantLabels) {
    IidEntriesOptions options;
    options.heads = 2;
    options.o = 3;
    const std::unique_ptr<Task> task = iid_entries(options, Stream(1));

    EXPECT_EQ(task->traits().o, 3);
    EXPECT_TRUE(task->traits().realisable);
    EXPECT_EQ(task->draw(0).y.rows(), 3);
    EXPECT_EQ(task->truth().heads->num_heads(), 2);
}

}  // namespace
}  // namespace attest
