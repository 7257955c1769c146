#include "core/data/archive/npz.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <utility>

namespace attest::test {
namespace {

/// Relative error of an output: at most 300 roundings, in sums of a condition below 10³.
constexpr double kRounded = 300.0 * 0x1p-53 * 1e3;

using nlohmann::json;

/// Weights of eleven layers of two heads on tokens of 2 entries, and a folder of their records.
class AttestAuditModel : public ::testing::Test {
protected:
    static constexpr Index kLayers = 11;

    AttestAuditModel() {
        NpzWriter weights;
        for (Index l = 0; l < kLayers; ++l) {
            for (const std::string part : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
                const Stream stream = Stream(5).child("weights").child(l).child(part);
                const Matrix entries = grid_matrix(grid_normal(), 4, 1, stream);
                weights.add(name(l) + "." + part + ".weight",
                            {DType::float64, {2, 2}, {entries.data(), entries.data() + 4}});
            }
        }
        weights.add("embed.weight", {DType::float64, {1}, {1.0}});
        weights.write(file("weights.npz"));
        record("linear", "records");
    }

    /// What the layers, imported as these, say of tokens.
    void record(const std::string& as, const std::string& folder) {
        EXPECT_EQ(run_attest(typed("import " + file("weights.npz") + " --all --as " + as +
                                   " --num-heads 2 -o " + file("models")))
                      .code,
                  0);
        std::filesystem::create_directories(file(folder));
        for (Index l = 0; l < kLayers; ++l) {
            const Model model = read_model(file("models/" + name(l) + ".npz"));
            Dataset data = unlabelled(l);
            data.layer = model.layer;
            data.y = predict(coefficients(model, "model"), DatasetSource(data));
            data.labels = LabelKind::per_sequence;
            write_dataset(file(folder + "/" + name(l) + ".npz"), data);
        }
    }

    [[nodiscard]] static Dataset unlabelled(Index l) {
        return planted_dataset(
            normal_parameters(2, 2, 1, Stream(1)), 30, 4, Stream(9).child("tokens").child(l));
    }

    [[nodiscard]] static std::string name(Index l) {
        return "model.layers." + std::to_string(l) + ".attn";
    }

    [[nodiscard]] std::string file(const std::string& path) const { return folder_.file(path); }

    [[nodiscard]] std::vector<std::string> words() const {
        return typed("audit-model " + file("weights.npz") + " " + file("records") +
                     " --as linear --num-heads 2");
    }

    TemporaryFolder folder_;
};

TEST_F(AttestAuditModel, HasARowForEachLayerInTheirOrder) {
    std::vector<std::string> asked = words();
    asked.insert(asked.end(), {"-o", file("model.html"), "--json"});
    const RunResult run = run_attest(asked);

    EXPECT_EQ(run.code, 0) << run.err << run.out;
    const json layers = json_of(run)["layers"];
    ASSERT_EQ(layers.size(), static_cast<std::size_t>(kLayers));
    EXPECT_EQ(layers[2]["name"], name(2));
    EXPECT_EQ(layers[10]["name"], name(10)) << "by number, not by letter";
    for (const json& one : layers) {
        EXPECT_EQ(one["unique"], "everywhere");
        EXPECT_EQ(one["alarms"], 0) << one;
    }
    const std::string page = file_content(file("model.html"));
    EXPECT_SAYS(page, "id=\"model-layers-10-attn\"");
    EXPECT_EQ(page.find("<section id=\"verdict\""), std::string::npos) << "an id stands once";
    const RunResult text = run_attest(words());
    EXPECT_SAYS(text.out, "6 of 6");
}

TEST_F(AttestAuditModel, JudgesLayersOfDecaysByTheirHeads) {
    record("retention --rotary 0", "decays");

    const RunResult run =
        run_attest(typed("audit-model " + file("weights.npz") + " " + file("decays") +
                         " --as retention --rotary 0 --num-heads 2 --json"));

    EXPECT_EQ(run.code, 0) << run.err << run.out;
    const json said = json_of(run);
    for (const json& one : said["layers"]) {
        EXPECT_EQ(one["layer"], "decay=31/32,63/64");
        EXPECT_LT(one["relative_risk"], kRounded * kRounded);
        EXPECT_EQ(one["alarms"], 0) << one;
    }
}

TEST_F(AttestAuditModel, NoticesRecordsThatWereMixedUp) {
    std::filesystem::rename(file("records/" + name(0) + ".npz"), file("records/kept"));
    std::filesystem::rename(file("records/" + name(1) + ".npz"),
                            file("records/" + name(0) + ".npz"));
    std::filesystem::rename(file("records/kept"), file("records/" + name(1) + ".npz"));
    std::vector<std::string> asked = words();
    asked.emplace_back("--json");

    const json layers = json_of(run_attest(asked))["layers"];

    EXPECT_EQ(layers[0]["records_fit"], name(1));
    EXPECT_EQ(layers[1]["records_fit"], name(0));
    EXPECT_EQ(layers[2]["records_fit"], nullptr);
}

TEST_F(AttestAuditModel, NamesTheRecordsThatAreNotThere) {
    std::filesystem::remove(file("records/" + name(3) + ".npz"));
    const RunResult run = run_attest(words());

    EXPECT_EQ(run.code, 4);
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_SAYS(run.err, name(3) + ".npz: is not there");
}

TEST_F(AttestAuditModel, ImportOfOneLayerNamesThemAll) {
    const RunResult run = run_attest(
        typed("import " + file("weights.npz") + " --as linear --num-heads 2 -o " + file("m.npz")));

    EXPECT_EQ(run.code, 4);
    EXPECT_SAYS(run.err, "model.layers.0.attn.");
    EXPECT_SAYS(run.err, "--all");
}

class AttestImportAll : public AttestAuditModel {
protected:
    using NpzArray = std::pair<std::string, NpyArray>;

    [[nodiscard]] RunResult import_all(const std::string& weights, const std::string& rest) const {
        return run_attest(typed("import " + file(weights) + " --all --num-heads 2 " + rest));
    }

    /// One layer of this name, and what else a file may hold.
    void write(const std::string& weights,
               const std::string& layer,
               const NpzArray& other = {"embed.ids", {DType::float64, {1}, {1.0}}}) const {
        NpzWriter writer;
        for (const std::string part : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
            writer.add(layer + part + ".weight", {DType::float64, {2, 2}, {1.0, 2.0, 3.0, 5.0}});
        }
        writer.add(other.first, other.second);
        writer.write(file(weights));
    }
};

TEST_F(AttestImportAll, ReadsNothingButTheLayers) {
    const double infinity = std::numeric_limits<double>::infinity();
    write("masked.npz", "layers.0.", {"mask", {DType::float64, {2}, {0.0, -infinity}}});
    EXPECT_EQ(import_all("masked.npz", "--as linear -o " + file("one")).code, 0);
    EXPECT_EQ(import_all("masked.npz", "--as linear --rotary 4 -o " + file("one")).code, 2);
    const RunResult stack = run_attest(typed("import " + file("masked.npz") +
                                             " --as stack --score linear --num-heads 2 "
                                             "--leave-out mask -o " +
                                             file("stack.npz")));
    EXPECT_EQ(stack.code, 0) << stack.err;
}

TEST_F(AttestImportAll, CountsTheLayersOfTheWholeFileForTheirDecays) {
    const RunResult part =
        import_all("weights.npz", "--as lightning --prefix model.layers.3. -o " + file("part"));
    EXPECT_EQ(part.code, 4);
    EXPECT_SAYS(part.err, "lightning's decays");
    EXPECT_EQ(import_all("weights.npz", "--as lightning --num-layers 9 -o " + file("part")).code,
              4);
    EXPECT_EQ(import_all("weights.npz", "--as lightning -o " + file("whole")).code, 0);
}

TEST_F(AttestImportAll, WritesInItsFolderAndNotOverTheWeights) {
    write("leading.npz", "../out.");
    const RunResult leading = import_all("leading.npz", "--as linear -o " + file("deep"));
    EXPECT_EQ(leading.code, 4);
    EXPECT_SAYS(leading.err, "cannot be a file's name");
    EXPECT_FALSE(std::filesystem::exists(file("out.npz")));
    write("layers.0.npz", "layers.0.");
    const auto size = std::filesystem::file_size(file("layers.0.npz"));
    EXPECT_EQ(import_all("layers.0.npz", "--as linear -o " + folder_.path().string()).code, 4);
    EXPECT_EQ(std::filesystem::file_size(file("layers.0.npz")), size);
}

}  // namespace
}  // namespace attest::test
