#include "core/data/dataset.hpp"

#include "core/base/error.hpp"
#include "core/data/input_list.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <numeric>

namespace attest::test {

namespace {

// Two sequences of 2 and 1 tokens with d = 2 and one label each.
Dataset small() {
    Dataset data;
    data.tokens = Matrix{{1, 2, 3}, {4, 5, 6}};
    data.offsets = {0, 2, 3};
    data.labels = LabelKind::per_sequence;
    data.y.resize(1, 2);
    data.y << 7, 8;
    return data;
}

template <class Change>
std::string message_after(const Change& change) {
    Dataset data = small();
    change(data);
    return invalid_input_message([&] { check(data); });
}

TEST(Dataset, CountsSequencesExamplesAndTokens) {
    Dataset data = small();

    EXPECT_EQ(data.num_sequences(), 2);
    EXPECT_EQ(data.num_examples(), 2);
    EXPECT_EQ(data.length(0), 2);
    EXPECT_EQ(data.query_token(0), 1);
    EXPECT_EQ(data.query_token(1), 2);
    EXPECT_EQ(Matrix(data.sequence(1)), (Matrix(2, 1) << 3, 6).finished());
    data.query = {0, 0};
    EXPECT_EQ(data.query_token(0), 0);
    data.labels = LabelKind::per_prefix;
    EXPECT_EQ(data.num_examples(), 3);
}

TEST(Dataset, NamesItsLabelKinds) {
    EXPECT_EQ(to_string(LabelKind::none), "none");
    EXPECT_EQ(to_string(LabelKind::per_sequence), "per_sequence");
    EXPECT_EQ(to_string(LabelKind::per_prefix), "per_prefix");
}

RC_GTEST_PROP(Dataset, CheckAcceptsEverySoundSet, ()) {
    check(arbitrary_dataset());
}

TEST(Dataset, CheckNamesABrokenOffset) {
    EXPECT_REFUSED("dataset: got d = 0", check(Dataset{}));
    EXPECT_EQ(message_after([](Dataset& data) { data.offsets = {}; }),
              "dataset: got no sequence, expected at least one");
    EXPECT_EQ(message_after([](Dataset& data) { data.offsets = {0}; }),
              "dataset: got no sequence, expected at least one");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.offsets = {1, 3};
              }),
              "dataset: got offsets[0] = 1, expected 0");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.offsets = {0, 3, 3};
              }),
              "dataset: got 0 tokens in sequence 1, expected at least one");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.offsets = {0, 1, 2};
              }),
              "dataset: got the last offset 2, expected the number of tokens 3");
}

TEST(Dataset, CheckNamesLabelsThatDoNotFit) {
    EXPECT_EQ(message_after([](Dataset& data) { data.y.resize(1, 3); }),
              "dataset: got y 1x3, expected at least one row and 2 columns");
    EXPECT_EQ(message_after([](Dataset& data) { data.y.resize(0, 2); }),
              "dataset: got y 0x2, expected at least one row and 2 columns");
    EXPECT_EQ(message_after([](Dataset& data) { data.labels = LabelKind::per_prefix; }),
              "dataset: got y 1x2, expected at least one row and 3 columns");
    EXPECT_EQ(message_after([](Dataset& data) { data.labels = LabelKind::none; }),
              "dataset: got y with 1 rows, expected none without labels");
}

TEST(Dataset, CheckNamesAQueryOutOfRange) {
    EXPECT_EQ(message_after([](Dataset& data) { data.query = {0}; }),
              "dataset: got 1 query columns, expected 2");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.query = {1, 1};
              }),
              "dataset: got query[1] = 1, expected 0 to 0");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.query = {-1, 0};
              }),
              "dataset: got query[0] = -1, expected 0 to 1");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.labels = LabelKind::per_prefix;
                  data.y = Matrix::Zero(1, 3);
                  data.query = {0, 0};
              }),
              "dataset: got query beside labels per prefix, expected none: a prefix's query is its "
              "last column");
}

TEST(Dataset, CheckNamesAGroundTruthOfAnotherShape) {
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.truth.heads = Parameters{3, 1, {}};
              }),
              "dataset: got true heads with d = 3, o = 1, expected d = 2, o = 1");
    EXPECT_EQ(message_after([](Dataset& data) { data.truth.P = Matrix::Zero(6, 2); }),
              "dataset: got true coefficients 6x2, expected 6 rows and o = 1");
}

TEST(Dataset, CheckNamesTheFirstNumberThatIsNotFinite) {
    EXPECT_EQ(message_after([](Dataset& data) { data.tokens.own()(1, 2) = std::nan(""); }),
              "Z[1] holds a NaN at (1,0), expected finite numbers");
    EXPECT_EQ(message_after([](Dataset& data) {
                  data.tokens.own()(0, 1) = -std::numeric_limits<double>::infinity();
              }),
              "Z[0] holds an infinity at (0,1), expected finite numbers");
    EXPECT_EQ(message_after([](Dataset& data) { data.y(0, 1) = std::nan(""); }),
              "y[1] holds a NaN at (0,0), expected finite numbers");
}

TEST(Dataset, FindsTheSequencesThatAreFinite) {
    Dataset data = small();
    EXPECT_EQ(finite_sequences(data), (std::vector<Index>{0, 1}));
    data.y(0, 0) = std::nan("");
    EXPECT_EQ(finite_sequences(data), std::vector<Index>{1});
    data.tokens.own()(0, 2) = std::nan("");
    EXPECT_EQ(finite_sequences(data), std::vector<Index>{});
}

RC_GTEST_PROP(Dataset, ASpoiltNumberSpoilsItsSequenceOnly, ()) {
    Dataset data = arbitrary_dataset();
    const auto i = *rc::gen::inRange<Index>(0, data.num_sequences());
    data.tokens.own()(0, data.first_token(i)) = std::nan("");

    std::vector<Index> others(static_cast<std::size_t>(data.num_sequences()));
    std::iota(others.begin(), others.end(), Index{0});
    others.erase(others.begin() + i);

    RC_ASSERT(finite_sequences(data) == others);
}

RC_GTEST_PROP(Dataset, HalvesConcatenateToTheWhole, ()) {
    const Dataset data = arbitrary_dataset();
    const auto cut = *rc::gen::inRange<Index>(0, data.num_sequences() + 1);

    const Dataset left = subset(data, 0, cut);
    const Dataset right = subset(data, cut, data.num_sequences() - cut);

    RC_ASSERT(same(concatenate(left, right), data));
}

RC_GTEST_PROP(Dataset, SelectionFollowsTheOrderAsked, ()) {
    const Dataset data = arbitrary_dataset();
    std::vector<Index> order(static_cast<std::size_t>(data.num_sequences()));
    std::iota(order.rbegin(), order.rend(), Index{0});

    const Dataset reversed = select_sequences(data, order);

    check(reversed);
    RC_ASSERT(Matrix(reversed.sequence(0)) == Matrix(data.sequence(data.num_sequences() - 1)));
    RC_ASSERT(same(select_sequences(reversed, order), data));
}

TEST(Dataset, ConcatenationSpellsOutTheQueryOfThePartThatHadNone) {
    Dataset with_query = small();
    with_query.query = {0, 0};

    EXPECT_EQ(concatenate(small(), with_query).query, (std::vector<Index>{1, 0, 0, 0}));
    EXPECT_EQ(concatenate(small(), small()).query, std::vector<Index>{});
}

TEST(Dataset, RefusesPartsThatDoNotFit) {
    Dataset other = small();
    other.y = Matrix::Zero(2, 2);

    EXPECT_REFUSED("concatenate: got d = 2, o = 2, labels per_sequence",
                   concatenate(small(), other));
    EXPECT_REFUSED("subset: got sequences 1 to 2", subset(small(), 1, 2));
    EXPECT_REFUSED("select_sequences: got sequence 2",
                   select_sequences(small(), std::vector<Index>{0, 2}));
}

// sha256sum of the 153 bytes written by hand: line, 2 1 1 2 3, 0 2 3, 0, 7 8, 1 4 2 5 3 6.
TEST(Dataset, DigestIsTheHashOfTheCanonicalForm) {
    EXPECT_EQ(digest(small()), "71c88d1f39eb971a4b77e6b83cb1eb2c30d621ccfec9267e33ae763eedafee18");
}

TEST(Dataset, DigestDoesNotSeeTheSignOfZeroGroundTruthOrMeta) {
    Dataset data = small();
    data.tokens.own()(0, 0) = 0.0;
    const std::string before = digest(data);

    data.tokens.own()(0, 0) = -0.0;
    data.truth.heads = Parameters{2, 1, {}};
    data.meta = "{}";

    EXPECT_EQ(digest(data), before);
}

TEST(Dataset, DigestSeesWhichColumnIsTheQuery) {
    Dataset first = small();
    first.query = {0, 0};
    Dataset last = small();
    last.query = {1, 0};

    EXPECT_NE(digest(first), digest(last));
    EXPECT_NE(digest(last), digest(small()));
}

TEST(Dataset, DigestSeesEverythingElse) {
    const std::string before = digest(small());
    const auto changed = [&](const auto& change) {
        Dataset data = small();
        change(data);
        return digest(data) != before;
    };

    EXPECT_TRUE(changed([](Dataset& data) { data.tokens.own()(1, 2) = std::nextafter(6.0, 7.0); }));
    EXPECT_TRUE(changed([](Dataset& data) { data.y(0, 1) = 9.0; }));
    EXPECT_TRUE(changed([](Dataset& data) { data.offsets = {0, 1, 3}; }));
    EXPECT_TRUE(changed([](Dataset& data) { data.query = {1, 0}; }));
    EXPECT_TRUE(changed([](Dataset& data) { data.tokens.own().row(0).reverseInPlace(); }));
    EXPECT_TRUE(changed([](Dataset& data) {
        data.labels = LabelKind::none;
        data.y.resize(0, 0);
    }));
}

TEST(InputList, GathersSequencesOfAnyLengthInOrder) {
    InputList inputs(2);
    inputs.add({Vector::Unit(2, 0)});
    inputs.add({Vector::Unit(2, 1), Vector::Ones(2), Vector::Zero(2)});

    const Dataset data = inputs.finish();

    EXPECT_EQ(inputs.size(), 2);
    EXPECT_EQ(data.offsets, (std::vector<Index>{0, 1, 4}));
    EXPECT_EQ(data.sequence(0), Matrix(Vector::Unit(2, 0)));
    EXPECT_EQ(data.tokens.col(2), Vector::Ones(2));
    EXPECT_EQ(data.labels, LabelKind::none);
    check(data);
}

TEST(InputList, KeepsTheQueriesOfALayerThatReadsThem) {
    InputList inputs(1, 3);
    inputs.add({Vector::Ones(1)}, Vector::Unit(3, 2));
    const Dataset data = inputs.finish(layer_named("cross"));
    EXPECT_EQ(data.columns.x, Matrix(Vector::Unit(3, 2)));
    EXPECT_EQ(data.layout().psi(), 3);
}

TEST(InputList, FailsOnVectorsOfAnotherSize) {
    InputList inputs(2);
    EXPECT_THROW(inputs.add({Vector::Ones(3)}), BrokenInvariant);
    EXPECT_THROW(inputs.add({Vector::Ones(2)}, Vector::Ones(1)), BrokenInvariant);
}

}  // namespace

}  // namespace attest::test
