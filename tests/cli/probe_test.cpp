#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace attest::test {
namespace {

using nlohmann::json;

/// Integer coefficients of either sign.
Matrix planted(Index psi) {
    Matrix P(psi, 2);
    for (Index j = 0; j < psi; ++j) {
        P(j, 0) = static_cast<double>((j * 7) % 11 - 5);
        P(j, 1) = static_cast<double>((j * j) % 9 - 4);
    }
    return P;
}

/// The box: a model file that `attest predict` runs on the queries, its outputs being the answers.
void answer(const std::string& box,
            const std::string& queries,
            const std::string& answers,
            const std::string& layer = "linear") {
    const Dataset asked = read_dataset(queries, InvalidExamples::reject, layer_named(layer));
    Model model{asked.d(), 2, planted(asked.layout().psi()), {asked.d(), 2, {}}, ""};
    model.layer = asked.layer;
    model.input = asked.layer_input();
    write_model(box, model);
    (void)run_json({"predict", box, queries, "-o", answers});
    Dataset data = asked;
    data.labels = LabelKind::per_sequence;
    const NpyArray y = NpzReader::open(answers).read("y");
    data.y = Eigen::Map<const Matrix>(y.data.data(), 2, asked.num_sequences());
    write_dataset(answers, data);
}

TEST(AttestProbe, RecoversIntegerLayersBitByBit) {
    const TemporaryFolder folder;
    const std::string queries = folder.file("queries.npz");
    const std::string answers = folder.file("answers.npz");
    const std::string model = folder.file("model.npz");
    for (const std::string d : {"1", "2", "4", "8"}) {
        const json design = run_json({"probe", "--d", d, "-o", queries});
        EXPECT_EQ(design["num_queries"], design["psi"]);
        EXPECT_EQ(design["unimodular"], true);
        answer(folder.file("box.npz"), queries, answers);

        const json read = run_json({"probe", "--read", answers, "-o", model});

        EXPECT_EQ(read["model_is_exact"], true) << d;
        EXPECT_EQ(read["denominator"], "1") << d;
        EXPECT_EQ(read_model(model).P, planted(design["psi"].get<Index>())) << d;
        (void)run_json({"learn", answers, "--solver", "svd", "-o", model});
        EXPECT_EQ(Matrix(read_model(model).P.array().round()), planted(design["psi"].get<Index>()))
            << "learning finds them up to rounding, d = " << d;
    }
}

TEST(AttestProbe, DesignsQueriesForOtherLayers) {
    const TemporaryFolder folder;
    const std::string queries = folder.file("queries.npz");
    const std::string answers = folder.file("answers.npz");
    const std::string model = folder.file("model.npz");
    for (const std::string layer : {"decay=1,1/2", "affine", "cross", "degree=0..2"}) {
        const json design = run_json({"probe", "--d", "2", "--layer", layer, "-o", queries});
        EXPECT_EQ(design["num_queries"], design["rank"]) << layer;
        answer(folder.file("box.npz"), queries, answers, layer);
        const json read = run_json({"probe", "--read", answers, "--layer", layer, "-o", model});
        EXPECT_EQ(read["least_risk"], "0") << layer;
        EXPECT_EQ(read["rank"], design["rank"]);
        EXPECT_EQ(run_json({"predict", model, answers})["risk"], 0.0) << layer;
    }
}

TEST(AttestProbe, FindsQueriesThatSufferLessFromNoise) {
    const TemporaryFolder folder;
    const std::string queries = folder.file("queries.npz");
    const json found = run_json({"probe", "--d", "3", "--noise", "0.5", "-o", queries});
    EXPECT_LT(found["noise_error"].get<double>(), found["noise_error_default"].get<double>());
    const json zero = run_json({"probe", "--d", "3", "--noise", "0", "-o", queries});
    EXPECT_EQ(zero["noise_error"], 0.0);
    EXPECT_EQ(run_json({"certify", queries})["verdict"], "determined");
    EXPECT_FALSE(zero.contains("unimodular")) << "said of the default queries only";
    for (const std::string layer : {"decay=1,1/2", "affine", "cross"}) {
        const json other =
            run_json({"probe", "--d", "2", "--layer", layer, "--noise", "0.5", "-o", queries});
        EXPECT_LT(other["noise_error"].get<double>(), other["noise_error_default"].get<double>());
        EXPECT_EQ(run_json({"certify", queries, "--layer", layer},
                           other["rank"] == other["psi"] ? 0 : 1)["rank"],
                  other["rank"])
            << layer;
    }
}

TEST(AttestProbe, NamesTheCommandOnce) {
    const TemporaryFolder folder;
    const RunResult run =
        run_attest({"probe", "--d", "2", "--layer", "mapped", "-o", folder.file("q.npz")});
    EXPECT_TRUE(run.err.starts_with("attest probe: no inputs for the layer mapped: ")) << run.err;
}

TEST(AttestProbe, ReadsASoftmaxHead) {
    const TemporaryFolder folder;
    const std::string queries = folder.file("queries.npz");
    const std::string answers = folder.file("answers.npz");
    const std::string head = folder.file("head.npz");
    EXPECT_EQ(run_json({"probe", "--d", "3", "--softmax", "-o", queries})["num_queries"], 12);
    Dataset data = read_dataset(queries);
    Matrix V(1, 3);
    V << 1.0, -2.0, 0.5;
    Matrix A(3, 3);
    A << 0.5, -1.0, 2.0, 0.0, 0.25, 1.5, -0.5, 3.0, 1.0;
    data.labels = LabelKind::per_sequence;
    data.y.resize(1, data.num_sequences());
    for (Index s = 0; s < data.num_sequences(); ++s) {
        const Matrix Z = data.sequence(s);
        const Vector weights = (Z.transpose() * A * Z.rightCols(1)).array().exp();
        data.y(0, s) = (V * Z * weights)(0) / weights.sum();
    }
    write_dataset(answers, data);

    const json found = run_json({"probe", "--read", answers, "--softmax", "-o", head});

    EXPECT_EQ(found["unread"], json::array());
    const NpyArray read = NpzReader::open(head).read("A");
    for (Index e = 0; e < 9; ++e) {
        EXPECT_NEAR(
            read.data[static_cast<std::size_t>(e)], A(e / 3, e % 3), found["error"].get<double>());
    }
}

TEST(AttestProbe, RefusesInOneLine) {
    const TemporaryFolder folder;
    const std::string out = folder.file("q.npz");
    const auto complaint = [](const std::vector<std::string>& words) {
        const RunResult run = run_attest(words);
        EXPECT_TRUE(one_line(run.err)) << run.err;
        return run.code;
    };
    EXPECT_EQ(complaint({"probe", "-o", out}), 2) << "--d or --read";
    EXPECT_EQ(complaint({"probe", "--d", "2"}), 2) << "where to write";
    EXPECT_EQ(complaint({"probe", "--d", "2", "--read", out, "-o", out}), 2);
    EXPECT_EQ(complaint({"probe", "--d", "2", "--softmax", "--layer", "affine", "-o", out}), 2);
    EXPECT_EQ(complaint({"probe", "--d", "2", "--layer", "gates", "-o", out}), 5);
    EXPECT_EQ(complaint({"probe", "--d", "6", "--layer", "decay=1,1/2", "--noise", "1", "-o", out}),
              5)
        << "too many candidates";
    EXPECT_EQ(complaint({"probe", "--read", "absent.npz", "-o", out}), 4);
}

}  // namespace
}  // namespace attest::test
