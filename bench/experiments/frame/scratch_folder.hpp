#pragma once

#include <filesystem>

namespace attest {

/// A new folder below the system's for temporary files, removed with what it holds.
class ScratchFolder {
public:
    /// Throws EnvironmentFailure when none can be made.
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ScratchFolder(ScratchFolder&&) = delete;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace attest
