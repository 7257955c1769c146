#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace attest {

/// The bytes of a text file. Throws InvalidInput when it cannot be read, holds a NUL, or is larger
/// than 16 MB.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Why a file could not be read, in words, as "No such file or directory".
[[nodiscard]] std::string unreadable_reason(const std::filesystem::path& path);

/// Whether anything, a regular file or a folder stands under a name. What cannot be looked at (the
/// name is too long, its folder is closed) is not there.
[[nodiscard]] bool is_there(const std::filesystem::path& path);
[[nodiscard]] bool is_file(const std::filesystem::path& path);
[[nodiscard]] bool is_folder(const std::filesystem::path& path);

/// A file that appears under its name complete or not at all: bytes go to a temporary file beside
/// the target, `commit` flushes it to the disk and renames it. Without `commit` nothing is left
/// behind. A symbolic link is followed; a device or pipe, which cannot be replaced, is written
/// directly. Every failure (no such folder, no permission, disk full) is an EnvironmentFailure.
class AtomicFile {
public:
    explicit AtomicFile(std::string path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    AtomicFile(AtomicFile&&) = delete;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    void append(std::span<const std::byte> bytes);
    void commit();

private:
    void open_temporary();
    void flush_folder() const;
    [[noreturn]] void fail(int code) const;

    std::string path_;       ///< as the caller wrote it, for messages
    std::string target_;     ///< path_ with a symbolic link followed
    std::string temporary_;  ///< empty: the target is written directly, or has been committed
    int descriptor_ = -1;
};

/// Writes the whole file or none of it, as AtomicFile. Throws EnvironmentFailure.
void write_file_atomically(const std::string& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::string& path, std::string_view text);

/// A new, empty directory of this user's alone that goes away with its content at the end of the
/// scope. Throws EnvironmentFailure when there is no place for one.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    TemporaryDirectory(TemporaryDirectory&&) = delete;
    TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
    ~TemporaryDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace attest
