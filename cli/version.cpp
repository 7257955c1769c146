#include "cli/command.hpp"
#include "core/base/text.hpp"
#include "record/provenance.hpp"

namespace attest::cli {

namespace {

Provenance own_provenance() {
    return collect_provenance({{"attest"}, 0, ""});
}

}  // namespace

std::string version_line() {
    const Provenance provenance = own_provenance();
    return formatted("attest {} ({}, {}, {})",
                     provenance.version,
                     code_version(provenance).substr(0, 12),
                     provenance.compiler,
                     provenance.build_type);
}

std::string version_text() {
    const Provenance provenance = own_provenance();
    std::string libraries;
    for (const auto& [name, version] : provenance.libraries) {
        libraries += formatted("{}{} {}", libraries.empty() ? "" : ", ", name, version);
    }
    return formatted(
        "{}\nbuilt from      {}{}\ncompiler flags  {}\nlinear algebra  {}\nlibraries       {}",
        version_line(),
        provenance.commit,
        provenance.dirty ? " with uncommitted changes" : "",
        provenance.compiler_flags,
        blas_summary(provenance),
        libraries);
}

}  // namespace attest::cli
