#include "core/base/error.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/heads/split_heads.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>

namespace attest::test {
namespace {

TEST(LayerFiles, HoldADataSetWithAllThatItsLayerReads) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    for (const std::string& text : layer_texts()) {
        for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
            for (const LengthRange n : {LengthRange{3, 3}, LengthRange{1, 4}}) {
                const Dataset data = layer_data({.layer = text, .n = n, .labels = labels});
                write_dataset(path, data);
                const Dataset again = read_dataset(path, InvalidExamples::reject, data.layer);
                EXPECT_EQ(digest(again), digest(data)) << text;
                EXPECT_EQ(again.columns.x, data.columns.x) << text;
                EXPECT_EQ(again.columns.phi, data.columns.phi) << text;
                EXPECT_EQ(again.columns.gates, data.columns.gates) << text;
                EXPECT_EQ(again.columns.keys, data.columns.keys) << text;
                EXPECT_EQ(again.columns.beta, data.columns.beta) << text;
                EXPECT_EQ(*again.truth.P, *data.truth.P) << text;
            }
        }
    }
}

TEST(LayerFiles, AreReadByOneLayerWithoutTheColumnsOfAnother) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    Dataset data = layer_data({.layer = "cross"});
    write_dataset(path, data);
    const Dataset plain = read_dataset(path);
    EXPECT_TRUE(plain.columns.empty());
    data.columns = {};
    data.layer = {};
    EXPECT_EQ(digest(plain), digest(data)) << "what the layer does not read does not count";
}

TEST(LayerFiles, AreRefusedWhereTheRowsOfAnArrayCouldBeOthers) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    const auto with =
        [&](const std::string& layer, const std::string& key, const std::vector<Index>& shape) {
            const Dataset data = layer_data({.layer = layer, .n = {3, 3}, .count = 2});
            write_dataset(path, data);
            const NpzReader written = NpzReader::open(path);
            NpzWriter changed;
            for (const std::string& name : written.keys()) {
                NpyArray array = written.read(name);
                if (name == key) {
                    array.shape = shape;
                }
                changed.add(name, std::move(array));
            }
            changed.write(path);
            (void)read_dataset(path, InvalidExamples::reject, data.layer);
        };
    const Index m = layer_data({.layer = "mapped"}).columns.phi.rows();
    EXPECT_NO_THROW(with("mapped", "phi", {2, 3, m}));
    EXPECT_NO_THROW(with("mapped", "phi", {6, m}));
    EXPECT_THROW(with("mapped", "phi", {3, 2, m}), InvalidInput) << "tokens first";
    EXPECT_THROW(with("mapped", "phi", {1, 6, m}), InvalidInput);
    EXPECT_NO_THROW(with("gates", "gates", {2, 3}));
    EXPECT_THROW(with("gates", "gates", {3, 2}), InvalidInput);
}

TEST(LayerFiles, SayWhichKeyIsMissing) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    write_dataset(path, layer_data({.layer = "linear"}));
    for (const std::string layer : {"cross", "gates", "mapped", "delta", "moments"}) {
        EXPECT_THROW((void)read_dataset(path, InvalidExamples::reject, layer_named(layer)),
                     InvalidInput)
            << layer;
    }
}

/// One row of recorded keys a token, one number of beta, gates only where the layer names them.
TEST(LayerFiles, OfADeltaRuleSayWhatDoesNotFit) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    const auto complaint = [&](std::string_view layer,
                               std::map<std::string, std::vector<Index>> shapes) {
        NpzWriter file;
        shapes.insert({{"tokens", {2, 3, 2}}, {"y", {2}}});
        for (const auto& [key, shape] : shapes) {
            NpyArray array{DType::float64, shape, {}};
            array.data.resize(static_cast<std::size_t>(
                std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>())));
            file.add(key, array);
        }
        file.write(path);
        return test::invalid_input_message(
            [&] { (void)read_dataset(path, InvalidExamples::reject, layer_named(layer)); });
    };
    const std::vector<Index> keys{2, 3, 4};
    const std::vector<Index> numbers{2, 3};
    EXPECT_EQ(complaint("delta", {{"keys", keys}, {"beta", numbers}}), "nothing was thrown");
    const auto expect = [&](std::string_view layer,
                            const std::map<std::string, std::vector<Index>>& shapes,
                            std::string_view words) {
        const std::string message = complaint(layer, shapes);
        EXPECT_PRED_FORMAT2(test::refuses, message, words);
    };
    expect("delta", {{"beta", numbers}}, "data.npz: keys is not there");
    expect("delta", {{"keys", keys}}, "data.npz: beta is not there");
    expect("delta", {{"keys", {2, 4, 4}}, {"beta", numbers}}, "data.npz: keys has shape (2, 4, 4)");
    expect("delta", {{"keys", keys}, {"beta", {3}}}, "data.npz: beta has shape (3,)");
    expect("delta", {{"keys", keys}, {"beta", {2, 3, 2}}}, "beta with 2 rows, expected 1");
    expect("delta", {{"keys", keys}, {"beta", numbers}, {"gates", numbers}}, "data.npz: gates");
    expect("delta gates", {{"keys", keys}, {"beta", numbers}}, "data.npz: gates is not there");
    expect("delta gates",
           {{"keys", keys}, {"beta", numbers}, {"gates", keys}},
           "gates with 4 rows, expected 1");
    expect("delta gates=vector",
           {{"keys", keys}, {"beta", numbers}, {"gates", {2, 3, 2}}},
           "gates with 2 rows, expected 4");
}

TEST(LayerFiles, HoldAModelWithItsHeads) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.npz");
    for (const std::string& text : layer_texts()) {
        const Dataset data = layer_data({.layer = text});
        if (data.layer.is_linear()) {
            continue;  // model_file_test.cpp
        }
        Model model{data.d(), 2, *data.truth.P, {data.d(), 2, {}}, R"({"a": 1})", data.layer};
        model.input = data.layer_input();
        if (has_heads(model.layer)) {
            model.layer_heads = split_layer(model.P, model.layer, model.input);
        }
        write_model(path, model);
        const Model again = read_model(path);
        EXPECT_EQ(again.layer, model.layer) << text;
        EXPECT_EQ(again.P, model.P) << text;
        EXPECT_EQ(again.layout(), model.layout()) << text;
        EXPECT_EQ(again.meta, model.meta);
        ASSERT_EQ(again.layer_heads.heads.size(), model.layer_heads.heads.size()) << text;
        for (std::size_t h = 0; h < again.layer_heads.heads.size(); ++h) {
            EXPECT_EQ(again.layer_heads.heads[h].V, model.layer_heads.heads[h].V);
            EXPECT_EQ(again.layer_heads.heads[h].Q, model.layer_heads.heads[h].Q);
            EXPECT_EQ(again.layer_heads.heads[h].kernel, model.layer_heads.heads[h].kernel);
        }
        EXPECT_EQ(again.layer_heads.direct, model.layer_heads.direct) << text;
    }
}

}  // namespace
}  // namespace attest::test
