#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Where the numbers of a result file come from: the program, the build, the machine and the call.
struct Provenance {
    std::string program = {};
    std::string version = {};
    std::string commit = {};
    bool dirty = false;           ///< the sources differed from the commit
    std::string executable = {};  ///< its SHA-256, where the commit does not say all; else empty
    std::string compiler = {};
    std::string compiler_flags = {};
    std::string build_type = {};
    std::map<std::string, std::string> libraries = {};  ///< name → version in use
    std::string blas_backend = {};
    std::string blas_library = {};         ///< path of the library that is mapped
    std::string blas_core = {};            ///< kernel, where the library names it
    std::string blas_core_chosen_by = {};  ///< as core/algebra/blas_core.hpp; empty in older files
    std::uint64_t blas_threads = 0;
    std::string cpu = {};
    std::uint64_t logical_cpus = 0;
    std::string os = {};
    std::string utc = {};           ///< start, "2024-10-14T09:30:00Z"
    std::string command_line = {};  ///< quoted for a POSIX shell
    std::uint64_t seed = 0;
    std::string bitwise =
        {};  ///< which inputs are the same bits on every machine, and which are not
};

/// What a program knows of its own run.
struct RunDescription {
    std::vector<std::string> arguments = {};  ///< argv; only the file name of argv[0] is recorded
    std::uint64_t seed = 0;
    std::string bitwise = {};
};

/// Asks the build, the libraries and the machine; what cannot be found out reads "unknown".
[[nodiscard]] Provenance collect_provenance(const RunDescription& run);

/// Commit, and what a modified source tree adds to it: equal texts, the same program.
[[nodiscard]] std::string code_version(const Provenance& provenance);

/// The linear algebra on one line, for every row: "lapacke, Cooperlake, 1 thread,
/// /usr/lib/…/libblas.so.3".
[[nodiscard]] std::string blas_summary(const Provenance& provenance);

/// The arguments as one line that a POSIX shell splits into the same arguments.
[[nodiscard]] std::string shell_quoted(const std::vector<std::string>& arguments);

[[nodiscard]] nlohmann::ordered_json to_json_object(const Provenance& provenance);

/// Reads back to_json_object. Throws InvalidInput("provenance: …") on a missing key or a wrong
/// type.
[[nodiscard]] Provenance provenance_from_json(const nlohmann::ordered_json& object);

/// Model name of the first processor, from /proc/cpuinfo; "unknown" where it has none.
[[nodiscard]] std::string cpu_model();

/// Processors this process may run on.
[[nodiscard]] std::uint64_t usable_cpus();

/// Distribution, kernel and architecture: "Debian GNU/Linux 12 (bookworm), Linux 6.1.0, x86_64".
[[nodiscard]] std::string operating_system();

/// Now, to the second: "2024-10-14T09:30:00Z".
[[nodiscard]] std::string utc_now();

/// SHA-256 of the program that runs, "unknown" if it cannot be read. Reads the whole file.
[[nodiscard]] std::string executable_digest();

/// Third-party libraries and their versions: of the shared library in use, or of the headers for
/// those that are headers only.
[[nodiscard]] std::map<std::string, std::string> library_versions();

}  // namespace attest
