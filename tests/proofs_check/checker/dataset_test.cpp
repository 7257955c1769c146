#include "proofs_check/checker/dataset.hpp"

#include "proofs_check/checker/digest.hpp"
#include "tests/proofs_check/checker/zip_bytes.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

using checker_test::integer_list;
using checker_test::npy_bytes;
using checker_test::raw;
using checker_test::write_file;
using checker_test::zip_bytes;
using checker_test::ZipEntry;

/// 1, 2, … of this shape.
ZipEntry counting(const std::string& name, const std::string& shape, int count) {
    std::vector<double> values;
    for (int i = 1; i <= count; ++i) {
        values.push_back(i);
    }
    return {name + ".npy", npy_bytes("<f8", shape, raw(values))};
}

Dataset load_layer_data(const std::vector<ZipEntry>& entries) {
    const std::string zip = zip_bytes(entries, checker_test::Packing::stored);
    return load_dataset(write_file("layer_data.npz", zip));
}

/// Two sequences of three tokens in two dimensions, with more arrays.
Dataset with(std::vector<ZipEntry> more) {
    more.push_back(counting("tokens", "(2, 3, 2)", 12));
    return load_layer_data(more);
}

/// The code of the failure; 0 if there is none.
template <class Load>
int code_of(Load load_some) {
    try {
        (void)load_some();
    } catch (const Failure& failure) {
        return failure.code;
    }
    return 0;
}

TEST(LoadDataset, TakesAContextForTokens) {
    const Dataset tokens = with({});
    const ZipEntry context = counting("context", "(6, 2)", 12);

    EXPECT_EQ(describe(load_layer_data({counting("context", "(2, 3, 2)", 12)})), describe(tokens));
    EXPECT_EQ(describe(load_layer_data({context, integer_list("offsets", {0, 3, 6})})),
              describe(tokens));
    EXPECT_EQ(code_of([&] { return with({context}); }), 4);
}

TEST(LoadDataset, ReadsTheColumnsOfTokens) {
    const Matrix phi = with({counting("phi", "(2, 3, 3)", 18)}).phi;

    EXPECT_EQ(phi.rows, 3);
    EXPECT_EQ(phi.values[17], 18);
    EXPECT_EQ(with({counting("phi", "(6, 3)", 18)}).phi.values, phi.values);
    EXPECT_EQ(with({counting("gates", "(2, 3)", 6)}).gates.rows, 1);
    EXPECT_EQ(with({counting("gates", "(6,)", 6)}).gates.rows, 1);
    EXPECT_EQ(with({counting("gates", "(2, 3, 2)", 12)}).gates.rows, 2);
    EXPECT_EQ(with({counting("gates", "(6, 2)", 12)}).gates.rows, 2);
    EXPECT_EQ(with({counting("keys", "(2, 3, 3)", 18)}).keys.values, phi.values);
    EXPECT_EQ(with({counting("beta", "(2, 3)", 6)}).beta.rows, 1);
    EXPECT_EQ(with({counting("beta", "(2, 3, 2)", 12)}).beta.rows, 2) << "which fits no layer";
}

TEST(LoadDataset, ReadsTheColumnsOfExamples) {
    const ZipEntry labels = counting("y_prefix", "(6, 1)", 6);

    EXPECT_EQ(with({counting("x", "(2, 5)", 10)}).x.rows, 5);
    EXPECT_EQ(with({labels, counting("x", "(6, 5)", 30)}).x.rows, 5);
    EXPECT_EQ(with({labels, counting("x", "(2, 3, 5)", 30)}).x.rows, 5);
}

TEST(LoadDataset, RefusesColumnsThatDoNotFit) {
    for (const auto& [name, shape, count] :
         std::vector<std::tuple<const char*, const char*, int>>{{"x", "(2,)", 2},
                                                                {"x", "(6, 1)", 6},
                                                                {"x", "(2, 3, 1)", 6},
                                                                {"phi", "(6,)", 6},
                                                                {"phi", "(2, 3)", 6},
                                                                {"phi", "(2, 9)", 18},
                                                                {"phi", "(3, 2, 3)", 18},
                                                                {"keys", "(6,)", 6},
                                                                {"keys", "(3, 2, 3)", 18},
                                                                {"beta", "(2,)", 2},
                                                                {"beta", "(3, 2)", 6},
                                                                {"gates", "(2,)", 2},
                                                                {"gates", "(3, 2)", 6},
                                                                {"gates", "(12,)", 12},
                                                                {"gates", "(2, 2, 3)", 12}}) {
        EXPECT_EQ(code_of([&, array = counting(name, shape, count)] { return with({array}); }), 4)
            << name << shape;
    }
    EXPECT_EQ(code_of([] {
                  return with({counting("x", "(2, 1)", 2), integer_list("query", {0, 0})});
              }),
              4);
}

TEST(LoadDataset, RefusesLabelsOfEqualPrefixesWhereSequencesDiffer) {
    const auto with_labels = [](const std::string& shape, int count) {
        return code_of([&] {
            return load_layer_data({counting("tokens", "(5, 2)", 10),
                                    integer_list("offsets", {0, 3, 5}),
                                    counting("y_prefix", shape, count)});
        });
    };
    EXPECT_EQ(with_labels("(5, 1)", 5), 0);
    EXPECT_EQ(with_labels("(2, 3, 1)", 6), 4) << "six labels for five tokens";
}

TEST(LoadDataset, ReadsMomentsInsteadOfTokens) {
    const ZipEntry s = counting("s", "(4, 3)", 12);
    const ZipEntry u = counting("u", "(4, 2)", 8);

    const Dataset moments = load_layer_data({s, u, counting("y", "(4,)", 4)});

    EXPECT_EQ(describe(moments).substr(0, 62),
              "dimension 0 outputs 1 labels per_sequence sequences 4 tokens 4");
    EXPECT_EQ(moments.s.rows, 3);
    EXPECT_EQ(moments.u.rows, 2);
    EXPECT_EQ(code_of([&] { return load_layer_data({s}); }), 4);
    EXPECT_EQ(code_of([&] { return load_layer_data({u}); }), 4);
    EXPECT_EQ(code_of([&] { return with({s, u}); }), 4);
    EXPECT_EQ(code_of([&] { return load_layer_data({s, counting("u", "(2, 4)", 8)}); }), 4);
    EXPECT_EQ(code_of([&] {
                  return load_layer_data({s, u, counting("y_prefix", "(4, 1)", 4)});
              }),
              4);
    EXPECT_EQ(code_of([&] {
                  return load_layer_data({s, u, integer_list("query", {0, 0, 0, 0})});
              }),
              4);
}

}  // namespace
}  // namespace attest::checker
