#include "cli/command.hpp"
#include "core/base/text.hpp"
#include "core/record/provenance.hpp"

namespace attest::cli {

std::string version_text() {
    const Provenance provenance = collect_provenance({{"attest"}, 0, ""});
    std::string libraries;
    for (const auto& [name, version] : provenance.libraries) {
        libraries += concat(libraries.empty() ? "" : ", ", name, " ", version);
    }
    return concat("attest ",
                  provenance.version,
                  " (",
                  code_version(provenance).substr(0, 12),
                  provenance.dirty ? " with uncommitted changes" : "",
                  ")\ncompiler        ",
                  provenance.compiler,
                  ", ",
                  provenance.build_type,
                  ", ",
                  provenance.compiler_flags,
                  "\nlinear algebra  ",
                  blas_summary(provenance),
                  "\nlibraries       ",
                  libraries);
}

}  // namespace attest::cli
