#include "cli/command.hpp"
#include "core/record/provenance.hpp"

namespace attest::cli {

std::string version_line() {
    const Provenance provenance = collect_provenance({{"attest"}, 0, ""});
    return "attest " + provenance.version + " (" + code_version(provenance).substr(0, 12) + ", " +
           provenance.compiler + ", " + provenance.build_type + ")";
}

}  // namespace attest::cli
