#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace attest::test {
namespace {

using nlohmann::json;

/// y = (z³, 0) for single tokens z of one entry.
std::string first_output_model(const TemporaryFolder& folder) {
    std::string model = folder.file("model.npz");
    write_model(model, {1, 2, Matrix{{1.0, 0.0}}, {1, 2, {}}, ""});
    return model;
}

TEST(AttestPredict, ReportsTheThreeRisksByHand) {
    // z = 1 and 2: outputs (1, 0) and (8, 0), labels (3, 0) and (8, 4): squares 4 and 16.
    const TemporaryFolder folder;
    Dataset data;
    data.tokens = Matrix{{1.0, 2.0}};
    data.offsets = {0, 1, 2};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{3.0, 8.0}, {0.0, 4.0}};
    write_dataset(folder.file("data.npz"), data);

    const json found = run_json({"predict",
                                 first_output_model(folder),
                                 folder.file("data.npz"),
                                 "-o",
                                 folder.file("out.npz")});

    EXPECT_EQ(found["risk"], 10.0);
    EXPECT_EQ(found["mse"], 5.0);
    EXPECT_EQ(found["relative"], 20.0 / 89.0);
    EXPECT_EQ(read_dataset(folder.file("out.npz")).y, (Matrix{{1.0, 8.0}, {0.0, 0.0}}));
}

TEST(AttestPredict, DropsSequencesThatHoldANanWhereAsked) {
    const TemporaryFolder folder;
    const std::string data = folder.file("nan.npz");
    NpzWriter file;
    file.add("Z",
             {DType::float64, {3, 1, 1}, {1.0, std::numeric_limits<double>::quiet_NaN(), 2.0}});
    file.write(data);
    const std::string model = first_output_model(folder);

    EXPECT_EQ(run_attest({"predict", model, data}).code, 4);
    const RunResult run = run_attest({"predict", model, data, "--skip-invalid", "--json"});

    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.err.find("left out for a NaN or an infinity: 1 of its sequences: 1"),
              std::string::npos)
        << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["num_examples"], 2);
    EXPECT_EQ(found["skipped"], json({1}));
}

}  // namespace
}  // namespace attest::test
