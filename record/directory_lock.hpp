#pragma once

#include <filesystem>

namespace attest {

/// Exclusive use of an output directory, made if it is absent. Held until destruction or the end of
/// the process, however it ends; leaves no file behind. Throws EnvironmentFailure when another run
/// holds it or the directory cannot be made or opened.
class DirectoryLock {
public:
    explicit DirectoryLock(std::filesystem::path directory);
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;
    DirectoryLock(DirectoryLock&&) = delete;
    DirectoryLock& operator=(DirectoryLock&&) = delete;
    ~DirectoryLock();

    [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

private:
    std::filesystem::path directory_;
    int descriptor_;
};

}  // namespace attest
