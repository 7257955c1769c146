#include "cli/check_files.hpp"

#include "core/base/atomic_file.hpp"
#include "record/provenance.hpp"

namespace attest::cli {

void add_check_files(CLI::App& app, CheckFiles& files) {
    app.add_option("--junit", files.junit, "Write a JUnit report to this file");
    app.add_option("--sarif", files.sarif, "Write a SARIF 2.1.0 report to this file");
}

void write_checks(const CheckFiles& files,
                  const std::string& suite,
                  const std::vector<CheckedCase>& cases) {
    if (!files.junit.empty()) {
        write_file_atomically(files.junit, junit_xml(suite, cases));
    }
    if (!files.sarif.empty()) {
        const Provenance own = collect_provenance({{"attest"}, 0, ""});
        write_file_atomically(files.sarif, sarif_json(own.version, cases));
    }
}

}  // namespace attest::cli
