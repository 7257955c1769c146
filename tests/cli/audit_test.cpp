#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest::test {
namespace {

using nlohmann::json;

/// The words `attest audit MODEL DATA` for a layer.
class AttestAudit : public ::testing::Test {
protected:
    [[nodiscard]] std::vector<std::string> words(const PlantedLayer& layer,
                                                 const std::vector<std::string>& more = {}) const {
        write_model(file("model.npz"), layer.model);
        write_dataset(file("data.npz"), layer.data);
        std::vector<std::string> all{"audit", file("model.npz"), file("data.npz"), "--budget", "2"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

    TemporaryFolder folder_;
};

void expect_refusal(const RunResult& run, int code, const std::string& line) {
    EXPECT_EQ(run.code, code);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_EQ(run.err.rfind("attest audit: " + line, 0), 0U) << run.err;
}

TEST_F(AttestAudit, SaysFirstWhetherTheLayerIsUnique) {
    const RunResult good = run_attest(words(healthy_layer()));
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_EQ(good.out.rfind("unique  Yes, proved", 0), 0U) << good.out;
    EXPECT_EQ(good.out.find("alarm "), std::string::npos) << good.out;

    const RunResult dead = run_attest(words(layer_with_a_dead_coordinate()));
    EXPECT_EQ(dead.code, 1) << dead.err;
    EXPECT_EQ(dead.out.rfind("unique  No, proved", 0), 0U) << dead.out;
    EXPECT_SAYS(dead.out, "coordinate 2 is 0 in every token");
    EXPECT_SAYS(dead.out, "Record a token with z_2 != 0.");
}

TEST_F(AttestAudit, WritesAPageThatHoldsWhatJsonPrints) {
    const PlantedLayer layer = layer_of_one_hot_tokens();
    write_dataset(file("test.npz"), fresh_inputs(layer, 4));
    const json printed =
        run_json(words(layer, {"--held-out", file("test.npz"), "-o", file("audit.html")}), 1);
    const std::string page = file_content(file("audit.html"));
    const std::string start = R"(<script type="application/json" id="audit">)";
    const std::size_t begin = page.find(start) + start.size();
    const json held = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
    EXPECT_EQ(held, printed);
    EXPECT_EQ(printed["unique"], "no");
    EXPECT_EQ(printed["held_out"]["inputs"].size(), 4U);
}

TEST_F(AttestAudit, CountsAnAnswerOnEveryHeldOutInputAsYes) {
    const PlantedLayer layer = layer_with_a_dead_coordinate();
    Dataset twice = layer.data;  // other inputs, in the span of the data
    twice.tokens.own() *= 2.0;
    twice.y *= 8.0;
    write_dataset(file("twice.npz"), twice);
    const json found = run_json(words(layer, {"--held-out", file("twice.npz")}), 0);
    EXPECT_EQ(found["unique"], "held_out");
    EXPECT_EQ(found["held_out"]["not_determined"], 0);
}

TEST_F(AttestAudit, TakesEveryLayerAndNamesWhatDoesNotCarryOver) {
    const std::string data = file("other.npz");
    const std::string model = file("other-model.npz");
    for (const std::string layer : {"decay=1,1/2",
                                    "affine",
                                    "cross",
                                    "mapped",
                                    "gates",
                                    "mapped gates=vector",
                                    "delta",
                                    "delta gates=vector cross",
                                    "degree=0..2",
                                    "lags=3",
                                    "moments"}) {
        const std::string tokens = layer == "moments" ? "1" : "5";
        ASSERT_EQ(run_attest({"generate",
                              "random-layer",
                              "--layer",
                              layer,
                              "-N",
                              "300",
                              "--d",
                              "2",
                              "--n",
                              tokens,
                              "--labels",
                              "per_sequence",
                              "-o",
                              data})
                      .code,
                  0)
            << layer;
        ASSERT_EQ(run_attest({"learn", data, "--layer", layer, "-o", model}).code, 0) << layer;
        const json found = run_json({"audit", model, data});
        EXPECT_EQ(found["layer"], layer);
        EXPECT_EQ(found["unique"], layer == "affine" ? "lengths_seen" : "everywhere") << layer;
        EXPECT_EQ(found["alarms"], 0) << layer << found["observations"];
        std::string named;
        for (const json& one : found["left_out"]) {
            named += one["why"].get<std::string>();
        }
        const bool by_kernel = layer == "decay=1,1/2" || layer == "gates" || layer == "lags=3";
        EXPECT_EQ(named.find("not sought for the layer") == std::string::npos, by_kernel) << named;
        EXPECT_EQ(found["heads"]["found"].is_null(), !by_kernel) << layer;
        EXPECT_EQ(named.find("reads no tokens") != std::string::npos, layer == "moments") << named;
    }
}

TEST_F(AttestAudit, RefusesBadFilesInOneLine) {
    const std::vector<std::string> good = words(healthy_layer());
    expect_refusal(run_attest({"audit", file("none.npz"), good[2]}), 4, file("none.npz"));
    expect_refusal(run_attest({"audit", good[1], file("none.npz")}), 4, file("none.npz"));
    expect_refusal(run_attest({"audit", good[2], good[2]}), 4, good[2]);
    std::ofstream(file("text.npz")) << "text";
    expect_refusal(run_attest({"audit", good[1], file("text.npz")}), 4, file("text.npz"));
    Dataset narrow = healthy_layer().data;
    narrow.tokens.own().conservativeResize(2, Eigen::NoChange);
    narrow.truth = {};
    write_dataset(file("narrow.npz"), narrow);
    expect_refusal(
        run_attest({"audit", good[1], file("narrow.npz")}), 4, good[1] + ": layer linear");
    expect_refusal(run_attest({"audit", good[1], good[2], "--held-out", file("narrow.npz")}),
                   4,
                   good[1] + ": layer linear");
    expect_refusal(
        run_attest({"audit", good[1], good[2], "-o", file("none/audit.html")}), 5, file("none"));
    expect_refusal(run_attest({"audit", good[1], good[2], "--noise", "-1"}), 2, "");
}

}  // namespace
}  // namespace attest::test
