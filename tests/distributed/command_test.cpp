#include "core/algebra/residual_ratio.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "tests/distributed/drawn_data.hpp"
#include "tests/distributed/mpirun.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace attest::test {
namespace {

/// One data set whole and in three shards of different sizes, one of them short.
class AttestMpi : public testing::Test {
protected:
    void write_shards(Index d, Index N) { write_shards(drawn_dataset(d, 2, N)); }

    void write_shards(const Dataset& data) {
        const Index N = data.num_sequences();
        whole_ = folder_.file("whole.npz");
        write_dataset(whole_, data);
        const std::vector<Index> cuts{0, N / 2, N - 5, N};
        for (std::size_t s = 0; s + 1 < cuts.size(); ++s) {
            shards_.push_back(folder_.file("data-" + std::to_string(s) + ".npz"));
            write_dataset(shards_.back(), subset(data, cuts[s], cuts[s + 1] - cuts[s]));
        }
    }

    [[nodiscard]] RunResult learn(int ranks,
                                  const std::string& solver,
                                  const std::string& model,
                                  const std::string& layer = "linear") {
        std::vector<std::string> words{"learn"};
        words.insert(words.end(), shards_.begin(), shards_.end());
        words.insert(words.end(), {"--solver", solver, "-o", model, "--layer", layer, "--json"});
        return on_ranks(ranks, words);
    }

    [[nodiscard]] RunResult certify(int ranks, const std::vector<std::string>& options) {
        std::vector<std::string> words{"certify"};
        words.insert(words.end(), shards_.begin(), shards_.end());
        words.insert(words.end(), options.begin(), options.end());
        return on_ranks(ranks, words);
    }

    [[nodiscard]] RunResult predict(int ranks, const std::string& model) {
        std::vector<std::string> words{"predict", model};
        words.insert(words.end(), shards_.begin(), shards_.end());
        words.emplace_back("--json");
        return on_ranks(ranks, words);
    }

    TemporaryFolder folder_;
    std::string whole_;
    std::vector<std::string> shards_;
};

TEST_F(AttestMpi, KronGivesTheSameBitsOnAnyNumberOfRanks) {
    write_shards(4, 5000);
    const std::string serial_file = folder_.file("serial.npz");
    const nlohmann::json serial =
        run_json({"learn", whole_, "--solver", "kron", "-o", serial_file});
    const Matrix expected = read_model(serial_file).P;
    Matrix first;
    for (const int ranks : {1, 2, 3, 4}) {
        const std::string file = folder_.file("model.npz");
        const nlohmann::json found = json_of(learn(ranks, "kron", file));
        EXPECT_EQ(found["ranks"], ranks);
        EXPECT_EQ(found["solver"], "kron");
        const Matrix P = read_model(file).P;
        first = ranks == 1 ? P : first;
        EXPECT_EQ(P, first) << ranks;
        const double bound =
            found["error_bound"].get<double>() + serial["error_bound"].get<double>();
        EXPECT_LE((P - expected).norm(), bound * expected.norm());
        EXPECT_EQ(found["status"], serial["status"]);
    }
}

TEST_F(AttestMpi, LearnsByTheSecondMoment) {
    write_shards(6, 700);
    const std::string serial_file = folder_.file("serial.npz");
    const nlohmann::json serial =
        run_json({"learn", whole_, "--solver", "gram64", "-o", serial_file});
    const Matrix expected = read_model(serial_file).P;
    for (const int ranks : {2, 3}) {
        for (const char* solver : {"gram64", "gram32", "auto"}) {
            const std::string file = folder_.file("model.npz");
            const nlohmann::json found = json_of(learn(ranks, solver, file));
            const double bound =
                found["error_bound"].get<double>() + serial["error_bound"].get<double>();
            const Matrix P = read_model(file).P;
            EXPECT_LE((P - expected).norm(), bound * expected.norm()) << solver;
            EXPECT_GT(found["peak_rss_bytes"], 0.0);
            EXPECT_GT(found["predicted_bytes"], 0.0);
        }
    }
}

TEST_F(AttestMpi, CertifiesAndPredictsLikeAttest) {
    write_shards(5, 400);
    const std::string model = folder_.file("model.npz");
    ASSERT_EQ(learn(2, "kron", model).code, 0);
    const nlohmann::json serial = run_json({"predict", model, whole_});
    const nlohmann::json found = json_of(predict(2, model));
    // Residuals cancel down to their share of the labels' size.
    const double relative = serial["relative"].get<double>();
    EXPECT_NEAR(found["relative"].get<double>() / relative,
                1.0,
                kRatioBound * gamma_bound(400) / std::sqrt(relative));
    const nlohmann::json verdict = json_of(certify(2, {"--json"}));
    EXPECT_EQ(verdict["verdict"], "numerically_full_rank");
    const nlohmann::json spectrum = run_json({"certify", whole_, "--level", "numerical"});
    const double least = spectrum["lambda_min"]["value"].get<double>();
    // Cholesky moves eigenvalues by psi·u·lambda_max, up to a small factor.
    EXPECT_NEAR(verdict["lambda_min"]["value"].get<double>(),
                least,
                75.0 * 0x1p-52 * spectrum["lambda_max"].get<double>());
}

TEST_F(AttestMpi, ProvesFullRankToTheChecker) {
    write_shards(4, 90);
    const std::string proof = folder_.file("data.cert");
    for (const int ranks : {1, 3}) {
        const nlohmann::json found =
            json_of(certify(ranks, {"--level", "exact", "--proof", proof, "--json"}));
        EXPECT_EQ(found["verdict"], "determined");
        EXPECT_EQ(found["rank"], 40);
        EXPECT_EQ(found["ranks"], ranks);
        EXPECT_EQ(found["num_examples"], 90);
        EXPECT_EQ(run_json({"check", proof, whole_})["verdict"], "verified");
    }
}

TEST_F(AttestMpi, ProvesADeficiencyByTheNumberOfExamplesAlone) {
    const std::string proof = folder_.file("data.cert");
    write_shards(4, 30);
    const RunResult few = certify(2, {"--level", "exact", "--proof", proof, "--json"});
    EXPECT_EQ(few.code, 1);
    EXPECT_EQ(nlohmann::json::parse(few.out)["verdict"], "not_determined");
    EXPECT_EQ(run_json({"check", proof, whole_})["verdict"], "verified");
    Dataset twice = drawn_dataset(4, 2, 90);
    twice.tokens.own().row(3) = twice.tokens.view().row(2);
    shards_.clear();
    write_shards(twice);
    const RunResult open = certify(2, {"--level", "exact", "--proof", proof, "--json"});
    EXPECT_EQ(open.code, 3);
    const nlohmann::json found = nlohmann::json::parse(open.out);
    EXPECT_EQ(found["verdict"], "undecided");
    EXPECT_TRUE(found["proof"].is_null());
    EXPECT_FALSE(std::filesystem::exists(proof));
}

TEST_F(AttestMpi, ProvesTheRankByGroupsToTheChecker) {
    const std::string proof = folder_.file("data.cert");
    for (const Index per_query : {6, 12}) {  // q = 10 states
        shards_.clear();
        write_shards(asked_by_units(4, per_query));
        const RunResult run = certify(3, {"--level", "grouped", "--proof", proof, "--json"});
        EXPECT_EQ(run.code, per_query < 10 ? 1 : 0);
        const nlohmann::json found = nlohmann::json::parse(run.out);
        EXPECT_EQ(found["rank"], 4 * std::min<Index>(per_query, 10));
        EXPECT_EQ(found["groups"], 4);
        EXPECT_EQ(run_json({"check", proof, whole_})["verdict"], "verified");
    }
}

TEST_F(AttestMpi, NumericalLevelProvesNothing) {
    write_shards(3, 60);
    const RunResult run = certify(2, {"--proof", folder_.file("data.cert")});
    EXPECT_EQ(run.code, 4);
    EXPECT_EQ(
        complaints(run),
        std::vector<std::string>{
            "attest-mpi certify: --proof: level numerical proves nothing; add --level exact"});
}

TEST_F(AttestMpi, ReadsDataByOtherLayers) {
    for (const char* layer : {"decay=1,1/2 affine", "delta gates", "mapped", "cross", "moments"}) {
        LayerCase wanted{layer, 2, {2, 5}};
        wanted.levels = 0;
        wanted.count = 5 * layer_data(wanted).layout().psi();
        shards_.clear();
        write_shards(layer_data(wanted));
        const std::string model = folder_.file("model.npz");
        const std::string serial_model = folder_.file("serial.npz");
        const nlohmann::json found = json_of(learn(2, "auto", model, layer));
        EXPECT_EQ(found["layer"], to_string(layer_named(layer)));
        const nlohmann::json serial =
            run_json({"learn", whole_, "--layer", layer, "--solver", "gram64", "-o", serial_model});
        const Matrix expected = read_model(serial_model).P;
        const double bound =
            found["error_bound"].get<double>() + serial["error_bound"].get<double>();
        EXPECT_LE((read_model(model).P - expected).norm(), bound * expected.norm()) << layer;
        EXPECT_LT(json_of(predict(3, model))["relative"].get<double>(), gamma_bound(1000)) << layer;
        EXPECT_LT(run_json({"predict", model, whole_})["relative"].get<double>(), gamma_bound(1000))
            << layer;
        const nlohmann::json rank =
            json_of(certify(2, {"--level", "exact", "--layer", layer, "--json"}));
        EXPECT_EQ(rank["verdict"], "determined") << layer;
        EXPECT_EQ(rank["layer"], to_string(layer_named(layer)));
    }
}

TEST_F(AttestMpi, FewExamplesOfAnotherLayerProveNothing) {
    // Its features may depend on each other whatever the data are: not for the number to say.
    LayerCase wanted{"decay=1,1/2 affine", 2, {2, 5}};
    wanted.count = 12;
    write_shards(layer_data(wanted));
    const RunResult run = certify(2, {"--level", "exact", "--layer", wanted.layer, "--json"});
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(nlohmann::json::parse(run.out)["verdict"], "undecided");
}

TEST_F(AttestMpi, LayersWithoutAMeaningAreRefusedByOneLine) {
    write_shards(2, 60);
    const std::string model = folder_.file("model.npz");
    const RunResult unknown = learn(2, "auto", model, "decai=1");
    EXPECT_EQ(unknown.code, 2);
    ASSERT_EQ(complaints(unknown).size(), 1U) << unknown.err;
    EXPECT_EQ(complaints(unknown)[0].find("attest-mpi learn: layer: got 'decai', expected one of "),
              0U);
    const RunResult outside = certify(2, {"--layer", "decay=0"});
    EXPECT_EQ(outside.code, 4);
    EXPECT_EQ(complaints(outside),
              std::vector<std::string>{"attest-mpi certify: layer: got 'decay=0', expected decays "
                                       "above 0 and at most 1, as 31/32 or 0.96875"});
}

TEST_F(AttestMpi, LayersOfDegreesAreRefused) {
    write_shards(2, 60);
    const RunResult run = learn(2, "auto", folder_.file("model.npz"), "degree=0..2");
    EXPECT_EQ(run.code, 5);
    EXPECT_EQ(complaints(run),
              std::vector<std::string>{"attest-mpi learn: layer degree=0..2: is not spread over "
                                       "ranks; take attest learn (rank 0 of 2)"});
}

TEST_F(AttestMpi, OneFileAndMoreRanksThanBlocks) {
    write_shards(3, 60);
    shards_ = {whole_};
    const nlohmann::json found = json_of(learn(4, "kron", folder_.file("model.npz")));
    EXPECT_EQ(found["num_examples"], 60);
    EXPECT_EQ(found["shards"], 1);
}

TEST_F(AttestMpi, OneFileIsReadByRanges) {
    write_shards(3, 5000);
    const std::string serial_file = folder_.file("serial.npz");
    const nlohmann::json serial =
        run_json({"learn", whole_, "--solver", "kron", "-o", serial_file});
    shards_ = {whole_};
    const nlohmann::json alone = json_of(learn(1, "kron", folder_.file("alone.npz")));
    ASSERT_EQ(learn(3, "kron", folder_.file("apart.npz")).code, 0);
    const Matrix P = read_model(folder_.file("alone.npz")).P;
    EXPECT_EQ(read_model(folder_.file("apart.npz")).P, P);
    const double bound = alone["error_bound"].get<double>() + serial["error_bound"].get<double>();
    EXPECT_LE((P - read_model(serial_file).P).norm(), bound * P.norm());
}

TEST_F(AttestMpi, TooFewExamplesAreRefusedByOneLine) {
    write_shards(3, 12);
    const RunResult run = learn(2, "kron", folder_.file("model.npz"));
    EXPECT_EQ(run.code, 5);
    EXPECT_EQ(complaints(run),
              std::vector<std::string>{
                  "attest-mpi learn: solver kron refuses: N = 12 < psi = 18: no unique solution"});
    EXPECT_EQ(certify(2, {}).code, 3);
}

TEST(AttestMpiBench, DrawsItsDataAndFindsTheTruth) {
    const nlohmann::json found =
        json_of(on_ranks(2, {"bench", "--d", "5", "--solver", "gram64", "--json"}));
    EXPECT_EQ(found["num_examples"], 150);
    EXPECT_LE(found["relative_error"].get<double>(), found["error_bound"].get<double>());
}

}  // namespace
}  // namespace attest::test
