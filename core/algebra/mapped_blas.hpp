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

/// Within the scope the BLAS has this many threads, where it can be asked; afterwards what it had
/// before. The number belongs to the process: of scopes that overlap in time, the last to begin
/// sets it and the last to end restores it, so other users of the same BLAS share it meanwhile.
class ScopedBlasThreads {
public:
    explicit ScopedBlasThreads(int threads);
    ScopedBlasThreads(const ScopedBlasThreads&) = delete;
    ScopedBlasThreads& operator=(const ScopedBlasThreads&) = delete;
    ScopedBlasThreads(ScopedBlasThreads&&) = delete;
    ScopedBlasThreads& operator=(ScopedBlasThreads&&) = delete;
    ~ScopedBlasThreads();
};

}  // namespace attest
