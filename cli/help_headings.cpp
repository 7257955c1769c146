#include "cli/help_headings.hpp"

#include "core/base/text.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attest::cli {

namespace {

struct Heading {
    std::vector<std::string> command;
    std::string title;
    std::vector<std::string> options;
};

struct Page {
    std::string command;
    std::string file;  ///< below docs
};

const std::vector<Heading>& headings() {
    static const std::vector<Heading> all{
        {{"certify"},
         "Asked besides",
         {"--queries",
          "--explain",
          "--coverage",
          "--confidence",
          "--expressible",
          "--suggest",
          "--pool"}},
        {{"certify"}, "About a model or noise", {"--model", "--heads", "--ood", "--noise"}},
        {{"certify"}, "Files to write", {"--proof", "--witness"}},
        {{"learn"}, "Least squares", {"--solver", "--ridge", "--norm"}},
        {{"learn"}, "Heads", {"--heads", "--budget", "--starts"}},
        {{"distil"},
         "The softmax layer",
         {"--as", "--prefix", "--num-heads", "--scale", "--temperature"}},
        {{"distil"}, "Inputs held out", {"--held-out", "--share"}},
        {{"distil"}, "Gradient descent beside it", {"--starts", "--updates", "--batch"}},
        {{"distil"}, "Files to write", {"--labelled", "--output"}},
        {{"kernel", "check"},
         "Rounding",
         {"--accumulator", "--operands", "--output-type", "--state-type", "--slack"}},
        {{"import"},
         "Which part of the weights",
         {"--all", "--prefix", "--num-heads", "--key-heads", "--scale", "--until", "--head"}},
        {{"audit-model"},
         "Which part of the weights",
         {"--prefix", "--num-heads", "--key-heads", "--scale", "--until"}},
        {{"audit-model"}, "Retention", {"--rotary", "--rotary-base"}},
        {{"import"},
         "Retention and lightning",
         {"--rotary", "--rotary-base", "--layer-index", "--num-layers"}},
        {{"bench"}, "On generated data", {"--table", "--d", "--ratio", "--contenders"}},
        {{"bench"}, "Error bounds", {"--bounds", "--fits"}},
        {{"verify"}, "Files to write", {"--junit", "--sarif", "--markdown", "--errata", "--rows"}},
        {{"compare"}, "Files to write", {"--junit", "--sarif", "--markdown"}},
    };
    return all;
}

const std::vector<Page>& pages() {
    static const std::vector<Page> all{
        {"generate", "formats.md"},    {"learn", "solvers.md"},
        {"predict", "formats.md"},     {"certify", "certificates.md"},
        {"audit", "audit.md"},         {"audit-model", "your-layer.md"},
        {"plan", "certificates.md"},   {"check", "certificates.md"},
        {"express", "expressible.md"}, {"probe", "probe.md"},
        {"dimension", "depth.md"},     {"layers", "families.md"},
        {"import", "your-layer.md"},   {"distil", "distil.md"},
        {"kernel", "kernels.md"},      {"heads", "heads.md"},
        {"softmax", "softmax.md"},     {"reproduce", "report.md"},
        {"sweep", "sweeps.md"},        {"report", "report.md"},
        {"compare", "report.md"},      {"bench", "solvers.md"},
        {"verify", "claims.md"},       {"turing", "programs.md"},
        {"dfa", "programs.md"},        {"program", "programs.md"},
        {"demo", "mathematics.md"},    {"doctor", "solvers.md"}};
    return all;
}

/// CLI11 leaves two empty lines before every group of options but the first, and one elsewhere.
class OneLineApart : public CLI::Formatter {
public:
    [[nodiscard]] std::string make_group(std::string group,
                                         bool is_positional,
                                         std::vector<const CLI::Option*> options) const override {
        const bool first = is_positional || group == "Options";
        const std::string text =
            CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
        return first ? text : text.substr(1);
    }
};

/// To the help of this command and of those below it.
void add_page(CLI::App& app, const std::string& file) {
    app.formatter(std::make_shared<OneLineApart>());
    app.footer(formatted("{}\nPage:\n  docs/{}\n", app.get_footer(), file));
    for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        add_page(*sub, file);
    }
}

}  // namespace

void add_headings(CLI::App& program) {
    for (const Heading& heading : headings()) {
        CLI::App* app = &program;
        for (const std::string& word : heading.command) {
            app = app->get_subcommand(word);
        }
        for (const std::string& option : heading.options) {
            app->get_option(option)->group(heading.title);
        }
    }
    for (const Page& page : pages()) {
        add_page(*program.get_subcommand(page.command), page.file);
    }
}

}  // namespace attest::cli
