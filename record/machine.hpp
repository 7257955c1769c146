#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace attest {

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
