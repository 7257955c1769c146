#include "core/data/model_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace attest::test {
namespace {

void expect_complaint(const std::vector<std::string>& arguments,
                      int code,
                      const std::string& start) {
    const RunResult run = run_attest(arguments);
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_EQ(run.err.rfind(start, 0), 0U) << run.err;
    EXPECT_EQ(run.out, "");
}

std::string write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    std::ofstream(folder.file(name)) << text;
    return folder.file(name);
}

TEST(TuringRun, BothEnginesRunTheBusyBeaver) {
    for (const std::string engine : {"simulator", "attention"}) {
        const nlohmann::json found = run_json(
            {"turing", "run", "1RB1LB_1LA1RZ", "--steps", "200", "--engine", engine, "--trace"});
        EXPECT_EQ(found["ending"], "halt");
        EXPECT_EQ(found["steps"], 6);
        EXPECT_EQ(found["tape"], "1111");
        EXPECT_EQ(found["trace"].size(), engine == "simulator" ? 6U : 11U);
    }
}

TEST(TuringRun, ALearnedMachineRunsTheBusyBeaver) {
    const nlohmann::json found =
        run_json({"turing", "run", "bb2", "--engine", "learned", "--train-runs", "2500"});
    EXPECT_EQ(found["ending"], "halt");
    EXPECT_EQ(found["agrees_with_simulator"], true);
    EXPECT_EQ(found["tokens_certified"], 11);
}

TEST(TuringRun, ReadsTablesFromFilesAndWordsFromTheCommandLine) {
    const TemporaryFolder folder;
    const std::string table =
        write(folder, "flip.txt", "blank _\nflip 0 1 R flip\nflip 1 0 R flip\n");
    const nlohmann::json found = run_json(
        {"turing", "run", table, "--tape", "0110", "--cells", "5", "--engine", "attention"});
    EXPECT_EQ(found["ending"], "stuck");
    EXPECT_EQ(found["tape"], "1001_");
}

TEST(TuringRun, MistakesAreOneLine) {
    const TemporaryFolder folder;
    const std::string start = "attest turing: ";
    expect_complaint({"turing", "run", "1RB1LB_1LA"}, 4, start + "machine notation: ");
    expect_complaint(
        {"turing", "run", "1RB2LB_1LA1RZ"}, 4, start + "machine notation: entry '2LB'");
    expect_complaint({"turing", "run", "bb2", "--tape", "012"}, 4, start + "tape: got symbol '2'");
    expect_complaint(
        {"turing", "run", "bb2", "--cells", "3", "--head", "3"}, 4, start + "tape: the head");
    expect_complaint(
        {"turing", "run", "bb2", "--head", "3"}, 4, start + "tape: --head needs --cells");
    expect_complaint({"turing", "run", "bb2", "--steps", "99999999999999999999"}, 2, start);
    expect_complaint({"turing", "run", "bb2", "--steps", "-1"}, 2, start);
    expect_complaint({"turing", "run", "bb2", "--engine", "magic"}, 2, start);
    expect_complaint({"turing", "run"}, 2, start);
    expect_complaint({"turing"}, 2, start);
    const std::string twice = write(folder, "twice.txt", "blank 0\na 0 1 R a\na 0 0 R a\n");
    expect_complaint({"turing", "run", twice}, 4, start + "machine table: line 3: ");
    // Runs off to the right for ever: the cells that it needs grow with the budget.
    expect_complaint(
        {"turing", "run", "0RA", "--steps", "100000"}, 5, start + "tape: the run needs");
}

TEST(TuringExport, ALearnedRunIsProvedByTheIndependentChecker) {
    const TemporaryFolder folder;
    const std::string traces = folder.file("traces.npz");
    const std::string run = folder.file("run.npz");
    const std::string other = folder.file("other.npz");
    const std::string proof = folder.file("run.cert");
    const auto export_runs = [&](const std::string& machine, const std::string& queries) {
        return run_json(
            typed("turing export " + machine +
                  " --cells 2 --tape 01 --train-runs 450 --steps 6 --train-steps 4 -o " + traces +
                  " --queries " + queries + " --active"));
    };
    // 0RA1LA goes to and fro between two cells for ever; 12 tokens are 6 steps, trained on 4.
    EXPECT_EQ(export_runs("1RA1LA", other)["d"], 18);
    EXPECT_EQ(export_runs("0RA1LA", run)["query_tokens"], 12);

    const nlohmann::json certified =
        run_json({"certify", traces, "--queries", run, "--proof", proof});

    ASSERT_EQ(certified["queries"].size(), 12U);
    for (const nlohmann::json& query : certified["queries"]) {
        EXPECT_EQ(query["verdict"], "determined");
    }
    const RunResult verified = run_program(ATTEST_CHECK_BINARY, {proof, traces, run});
    EXPECT_EQ(verified.code, 0) << verified.out;
    EXPECT_EQ(verified.out.rfind("VERIFIED determined", 0), 0U) << verified.out;
    // Another machine's run, and a proof of which one digit is changed.
    EXPECT_EQ(run_program(ATTEST_CHECK_BINARY, {proof, traces, other}).code, 1);
    std::ifstream in(proof);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::size_t minor = text.find("\nrows ");
    ASSERT_NE(minor, std::string::npos);
    text.replace(minor, 6, "\nrows 0");
    EXPECT_EQ(
        run_program(ATTEST_CHECK_BINARY, {write(folder, "altered.cert", text), traces, run}).code,
        1);
}

TEST(TuringExport, MistakesAreOneLine) {
    const TemporaryFolder folder;
    expect_complaint({"turing", "export", "bb2"}, 2, "attest turing: ");
    expect_complaint(
        {"turing", "export", "bb2", "-o", folder.file("no/such/folder.npz")}, 5, "attest turing: ");
    expect_complaint(typed("turing export bb2 --steps 0 --cells 3 -o " + folder.file("t.npz") +
                           " --queries " + folder.file("q.npz")),
                     4,
                     "attest turing: export: the run has no step");
}

TEST(TuringExhaust, ReportsEveryKeyAndCertifiesASmallClass) {
    const TemporaryFolder folder;
    const std::string model = folder.file("learned.npz");
    const nlohmann::json found = run_json(
        typed("turing exhaust --states 1 --cells 2 --steps 4 --train-runs 500 --model " + model));
    EXPECT_EQ(found["runs_total"], 512);
    EXPECT_EQ(read_model(model).P.rows(), feature_dim(18));
    EXPECT_EQ(found["runs_certified"], 512);
    EXPECT_EQ(found["runs_exact"], 512);
    EXPECT_EQ(found["tokens_certified_but_wrong"], 0);
    for (const char* key :
         {"tokens_total", "train_runs", "train_tokens", "active_features", "rank"}) {
        EXPECT_TRUE(found.contains(key)) << key;
    }
    expect_complaint({"turing", "exhaust", "--states", "0"}, 2, "attest turing: ");
    expect_complaint({"turing", "exhaust", "--states", "9", "--symbols", "9"},
                     4,
                     "attest turing: TuringClass: ");
}

TEST(DfaRun, ReadsAWordByBothSchemasAndCountsPaths) {
    const TemporaryFolder folder;
    const std::string parity = write(
        folder, "parity.txt", "accept even\neven 0 even\neven 1 odd\nodd 0 odd\nodd 1 even\n");
    for (const std::string schema : {"two-token", "five-token"}) {
        const nlohmann::json found =
            run_json({"dfa", "run", parity, "--word", "1001", "--schema", schema});
        EXPECT_EQ(found["accepted"], true);
        EXPECT_EQ(found["state"], "even");
        EXPECT_EQ(found["agrees_with_simulator"], true);
    }
    const std::string guess =
        write(folder, "nfa.txt", "accept b\na 0 a\na 1 a\na 1 b\nb 0 b\nb 1 b\n");
    EXPECT_EQ(run_json({"dfa", "run", guess, "--word", "1011", "--count"})["accepting_paths"], 3);
    expect_complaint({"dfa", "run", guess, "--word", "1"}, 4, "attest dfa: automaton: line 4: ");
    expect_complaint({"dfa", "run", parity, "--word", ""}, 4, "attest dfa: word: got 0 letters");
    expect_complaint({"dfa", "run", parity, "--word", "12"}, 4, "attest dfa: word: got symbol '2'");
    expect_complaint({"dfa", "run", folder.file("absent"), "--word", "1"}, 4, "attest dfa: ");
}

TEST(ProgramCompile, WritesAModelWithNamedRows) {
    const TemporaryFolder folder;
    const nlohmann::json found =
        run_json({"program", "compile", "lookup", "-o", folder.file("lookup.npz")});
    EXPECT_EQ(found["d"], 16);
    EXPECT_EQ(found["heads"], 1);
    EXPECT_EQ(found["rows"][4], "value[0]");
    expect_complaint({"program", "compile", folder.file("absent")}, 4, "attest program: ");
    const std::string wrong = write(folder, "wrong.txt", "block K 2\nhead h K <- K\n");
    expect_complaint({"program", "compile", wrong}, 4, "attest program: line 2: ");
    const std::string vast = write(folder,
                                   "vast.txt",
                                   "block K 65536\nblock M 65536\nhead h: K <- M ; M <- K\n" +
                                       std::string("head g: K <- K ; K <- K\n"));
    expect_complaint({"program", "compile", vast}, 5, "attest program: compiling the program");
}

TEST(ProgramRun, PrintsTheTokensOfAPrompt) {
    const TemporaryFolder folder;
    const std::string prompt = write(folder, "prompt.txt", "one P[0] letter[2]\nP[1] letter[0]\n");
    const nlohmann::json found = run_json({"program", "run", "copy", "--prompt", prompt});
    EXPECT_EQ(
        found["printed"],
        (nlohmann::json{"P[2] letter[2]", "P[3] letter[0]", "P[4] letter[2]", "letter[0]", "0"}));
    EXPECT_EQ(found["ending"], "zero token");
    EXPECT_EQ(run_json({"program", "run", "copy", "--prompt", prompt, "--steps", "2"})["ending"],
              "limit");
    const std::string twice = write(folder, "twice.txt", "one P[0]\none P[1]\n");
    expect_complaint({"program", "run", "copy", "--prompt", twice},
                     4,
                     "attest program: prompt: token 2 holds `one`");
}

}  // namespace
}  // namespace attest::test
