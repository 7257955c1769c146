#pragma once

#include <string>
#include <vector>

namespace attest {

/// The BLAS implementations mapped into this process, as the folders they come from, each once,
/// sorted. More than one means that two of them may answer different calls: threads and numbers can
/// no longer be trusted. (Debian splits one OpenBLAS into libblas.so.3 and libopenblas.so.0 in one
/// folder; that is one implementation.)
[[nodiscard]] std::vector<std::string> mapped_blas();

/// The same from the text of a /proc/PID/maps file.
[[nodiscard]] std::vector<std::string> blas_folders_in(const std::string& maps);

}  // namespace attest
