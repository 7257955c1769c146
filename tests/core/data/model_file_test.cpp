#include "core/data/model_file.hpp"

#include "core/base/error.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace attest::test {

namespace {

Model small(Index heads) {
    Model model{2, 1, Matrix::Ones(6, 1), {2, 1, {}}, ""};
    for (Index h = 0; h < heads; ++h) {
        model.heads.heads.push_back({Matrix::Ones(1, 2), Matrix::Ones(2, 2)});
    }
    return model;
}

std::string message_of(const NpzWriter& writer) {
    const std::vector<std::byte> bytes = writer.bytes();
    return invalid_input_message([&] { (void)read_model(NpzReader::from_bytes(bytes, "m.npz")); });
}

NpyArray zero_array(std::vector<Index> shape) {
    Index size = 1;
    for (const Index extent : shape) {
        size *= extent;
    }
    return {DType::float64, std::move(shape), std::vector<double>(static_cast<std::size_t>(size))};
}

RC_GTEST_PROP(ModelFile, ReadsBackWhatItWrites, ()) {
    const TemporaryFolder folder;
    const auto d = *rc::gen::inRange<Index>(1, 5);
    const auto o = *rc::gen::inRange<Index>(1, 4);
    Model model{d, o, arbitrary_matrix(feature_dim(d), o), {d, o, {}}, R"({"solver": "svd"})"};
    for (Index h = *rc::gen::inRange<Index>(0, 4); h > 0; --h) {
        model.heads.heads.push_back({arbitrary_matrix(o, d), arbitrary_matrix(d, d)});
    }

    write_model(folder.file("m.npz"), model);
    const Model back = read_model(folder.file("m.npz"));

    RC_ASSERT(back.d == d);
    RC_ASSERT(back.o == o);
    RC_ASSERT(back.P == model.P);
    RC_ASSERT(back.meta == model.meta);
    RC_ASSERT(back.heads.num_heads() == model.heads.num_heads());
    for (std::size_t h = 0; h < model.heads.heads.size(); ++h) {
        RC_ASSERT(back.heads.heads[h].V == model.heads.heads[h].V);
        RC_ASSERT(back.heads.heads[h].Q == model.heads.heads[h].Q);
    }
}

TEST(ModelFile, HoldsTheTransposedCoefficients) {
    const TemporaryFolder folder;
    Model model{1, 3, Matrix(1, 3), {1, 3, {}}, ""};
    model.P << 7, 8, 9;

    write_model(folder.file("m.npz"), model);
    const NpzReader file = NpzReader::open(folder.file("m.npz"));

    EXPECT_EQ(file.keys(), std::vector<std::string>{"P"});
    EXPECT_EQ(file.header("P").shape, (std::vector<Index>{3, 1}));
}

TEST(ModelFile, KeepsHeadsWithoutCoefficientsAndNoHeadsAtAll) {
    const TemporaryFolder folder;
    Model heads_only = small(2);
    heads_only.P.resize(0, 0);
    Model zero = small(0);
    zero.P.resize(0, 0);

    write_model(folder.file("heads.npz"), heads_only);
    write_model(folder.file("zero.npz"), zero);

    EXPECT_EQ(read_model(folder.file("heads.npz")).P.size(), 0);
    EXPECT_EQ(read_model(folder.file("heads.npz")).heads.num_heads(), 2);
    EXPECT_EQ(read_model(folder.file("zero.npz")).heads.num_heads(), 0);
    EXPECT_EQ(read_model(folder.file("zero.npz")).d, 2);
    EXPECT_EQ(read_model(folder.file("zero.npz")).o, 1);
}

TEST(ModelFile, RefusesAFileWithoutAModel) {
    NpzWriter file;
    file.add("Z", zero_array({1, 2, 3}));

    EXPECT_SAYS(message_of(file), "m.npz: holds neither P nor V and Q");
}

TEST(ModelFile, RefusesShapesThatDisagree) {
    NpzWriter no_cube;
    no_cube.add("P", zero_array({1, 7}));
    NpzWriter vector;
    vector.add("P", zero_array({6}));
    NpzWriter other_d;
    other_d.add("P", zero_array({1, 18}));
    other_d.add("V", zero_array({2, 1, 2}));
    other_d.add("Q", zero_array({2, 2, 2}));
    NpzWriter flat;
    flat.add("V", zero_array({1, 2}));
    flat.add("Q", zero_array({1, 2, 2}));
    NpzWriter alone;
    alone.add("Q", zero_array({1, 2, 2}));
    NpzWriter no_output;
    no_output.add("V", zero_array({1, 0, 2}));
    no_output.add("Q", zero_array({1, 2, 2}));
    const std::string features =
        ", expected two axes (o,psi) with psi = d*d*(d+1)/2 for some d; store the coefficients of "
        "one "
        "output a row";

    EXPECT_EQ(message_of(no_cube), "m.npz: P has shape (1, 7)" + features);
    EXPECT_EQ(message_of(vector), "m.npz: P has shape (6,)" + features);
    EXPECT_SAYS(message_of(other_d), "m.npz: V has shape (2, 1, 2)");
    EXPECT_SAYS(message_of(flat), "m.npz: V has shape (1, 2)");
    EXPECT_SAYS(message_of(alone), "m.npz: Q stands alone");
    EXPECT_SAYS(message_of(no_output), "m.npz: V has shape (1, 0, 2)");
}

// No heads means no elements, so the sizes cost nothing to claim.
TEST(ModelFile, RefusesAHugeModelWithoutHeads) {
    NpzWriter file;
    file.add("V", zero_array({0, 1, Index{1} << 40}));
    file.add("Q", zero_array({0, 1, 1}));

    EXPECT_SAYS(message_of(file), "m.npz: V has shape (0, 1, 1099511627776)");
}

TEST(ModelFile, RefusesANumberThatIsNotFinite) {
    NpzWriter file;
    NpyArray Q = zero_array({2, 2, 2});
    Q.data[7] = std::numeric_limits<double>::infinity();
    file.add("V", zero_array({2, 1, 2}));
    file.add("Q", Q);

    EXPECT_SAYS(message_of(file), "m.npz: Q[1] holds an infinity at (1,1)");
}

TEST(ModelFile, RefusesToWriteAModelThatContradictsItself) {
    const TemporaryFolder folder;
    const auto written = [&](const Model& model) {
        return invalid_input_message([&] { write_model(folder.file("m.npz"), model); });
    };
    Model other_heads = small(1);
    other_heads.heads.o = 2;
    Model other_P = small(1);
    other_P.P.resize(6, 2);
    Model spoilt = small(1);
    spoilt.heads.heads[0].V(0, 1) = std::nan("");

    EXPECT_EQ(written(other_heads),
              "write_model: got heads with d = 2, o = 2, expected d = 2, o = 1");
    EXPECT_EQ(written(other_P), "write_model: got P 6x2, expected 6x1");
    EXPECT_EQ(written(spoilt), "write_model: got a NaN or an infinity, expected finite numbers");
    EXPECT_TRUE(folder.names().empty());
}

TEST(ModelFile, LeavesNothingBehindWhereItCannotWrite) {
    const TemporaryFolder folder;

    EXPECT_THROW(write_model(folder.file("absent/m.npz"), small(1)), EnvironmentFailure);
    EXPECT_TRUE(folder.names().empty());
}

TEST(ModelFile, NeedsRoomForTheModel) {
    const TemporaryFolder folder;
    write_model(folder.file("m.npz"), small(1));
    const MemoryLimit limit(100);

    EXPECT_THROW((void)read_model(folder.file("m.npz")), EnvironmentFailure);
}

}  // namespace
}  // namespace attest::test
