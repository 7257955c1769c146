#include "core/base/text.hpp"
#include "report/html_text.hpp"
#include "report/page_sections.hpp"

#include <utility>
#include <vector>

namespace attest {

namespace {

std::string library_list(const std::map<std::string, std::string>& libraries) {
    std::string text;
    for (const auto& [name, version] : libraries) {
        text += formatted("{}{} {}", text.empty() ? "" : ", ", name, version);
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> facts(const ResultEntry& entry) {
    const Provenance& from = entry.header.provenance;
    const Configuration& configuration = entry.header.configuration;
    return {{"commit", from.commit + (from.dirty ? " with uncommitted changes" : "")},
            {"program", from.program + " " + from.version},
            {"started", from.utc},
            {"command", from.command_line},
            {"seed", std::to_string(configuration.seed)},
            {"settings", to_string(configuration.parameters)},
            {"configuration", configuration_hash(configuration)},
            {"processor", formatted("{}, {} in use", from.cpu, from.logical_cpus)},
            {"system", from.os},
            {"compiler", from.compiler + " " + from.compiler_flags + ", " + from.build_type},
            {"linear algebra", blas_summary(from)},
            {"libraries", library_list(from.libraries)},
            {"the same bits", from.bitwise}};
}

std::string file_block(const ResultEntry& entry) {
    std::string list;
    for (const auto& [name, value] : facts(entry)) {
        if (!value.empty()) {
            list += formatted("<dt>{}</dt><dd>{}</dd>\n", name, html::text(value));
        }
    }
    return formatted("{}{}{}{}{}{}</span></summary>\n<dl>\n{}</dl>\n</details>\n",
                     R"(<details id="environment-)",
                     anchor_of(entry),
                     R"("><summary>)",
                     html::text(entry.profile + "/" + entry.path.filename().string()),
                     R"( <span class="quiet">)",
                     html::text(entry.header.provenance.utc),
                     list);
}

}  // namespace

std::string environment_section(const ResultSet& results) {
    std::string problems;
    const auto add = [&](const std::string& problem) {
        problems += formatted("<li>{}</li>\n", html::text(problem));
    };
    std::string files;
    for (const ResultEntry& entry : results.entries) {
        files += file_block(entry);
        for (const std::string& problem : entry.problems) {
            add(problem);
        }
    }
    for (const std::string& problem : results.problems) {
        add(problem);
    }
    if (!problems.empty()) {
        problems =
            "<p class=\"warning\">Lines that could not be read; the others are shown:</p>\n"
            "<ul class=\"problems\">\n" +
            problems + "</ul>\n";
    }
    return formatted(
        "<section id=\"environment\">\n<h2>Environment and configuration</h2>\n{}<p>Where the rows "
        "of each file come from.</p>\n{}</section>\n",
        problems,
        files);
}

}  // namespace attest
