#include "core/base/files.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace attest {

std::string unreadable_reason(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(path, failed);
    if (failed) {
        return failed.message();
    }
    return std::filesystem::is_directory(status) ? "it is a folder" : "the system refuses";
}

bool is_there(const std::filesystem::path& path) {
    std::error_code failed;
    return std::filesystem::exists(path, failed);
}

bool is_file(const std::filesystem::path& path) {
    std::error_code failed;
    return std::filesystem::is_regular_file(path, failed);
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code failed;
    return std::filesystem::is_directory(path, failed);
}

std::string read_text_file(const std::filesystem::path& path) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    std::ifstream in(path, std::ios::binary);
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    require(!in.bad() && (in.eof() || in.gcount() > 0),
            "{}: cannot be read: {}; check the name and permissions",
            path.string(),
            unreadable_reason(path));
    text.resize(static_cast<std::size_t>(in.gcount()));
    require(
        text.size() <= kMostBytes, "{}: is larger than 16 MB, expected a text file", path.string());
    require(text.find('\0') == std::string::npos,
            "{}: holds a NUL, expected a text file",
            path.string());
    return text;
}

namespace {

constexpr mode_t kPermissions = 0666;  // less the umask, as for any other file
constexpr int kAttempts = 100;

[[noreturn]] void fail(const std::string& what, const std::string& why) {
    throw EnvironmentFailure(formatted("temporary directory: {}: {}", what, why));
}

}  // namespace

void AtomicFile::fail(int code) const {
    throw EnvironmentFailure(
        formatted("{}: cannot write: {}; choose another path or make room there",
                  path_,
                  std::generic_category().message(code)));
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(path_) {
    struct stat status {};

    const bool exists = stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        fail(EISDIR);
    }
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);  // NOLINT(*-vararg)
        if (descriptor_ < 0) {
            fail(errno);
        }
        return;
    }
    std::error_code failed;
    if (exists && std::filesystem::is_symlink(path_, failed)) {
        target_ = std::filesystem::canonical(path_, failed).string();
        if (failed) {
            fail(failed.value());
        }
    }
    open_temporary();
}

// open() with O_EXCL instead of mkstemp(), which would ignore the umask and leave the file readable
// by its owner only.
void AtomicFile::open_temporary() {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::string name = formatted("{}.tmp{}.{}", target_, getpid(), attempt);
        descriptor_ = open(  // NOLINT(*-vararg)
            name.c_str(),
            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
            kPermissions);
        if (descriptor_ >= 0) {
            temporary_ = std::move(name);
            return;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    fail(errno);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
    if (!temporary_.empty()) {
        unlink(temporary_.c_str());
    }
}

void AtomicFile::append(std::span<const std::byte> bytes) {
    ensure(descriptor_ >= 0, "AtomicFile: append after commit");
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(written < 0 ? errno : EIO);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    ensure(descriptor_ >= 0, "AtomicFile: committed twice");
    // A device or pipe has nothing to flush and says EINVAL.
    if (!temporary_.empty() && fsync(descriptor_) != 0) {
        fail(errno);
    }
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) {
        fail(errno);
    }
    if (temporary_.empty()) {
        return;
    }
    if (rename(temporary_.c_str(), target_.c_str()) != 0) {
        fail(errno);
    }
    temporary_.clear();
    flush_folder();
}

// Makes the rename itself survive a power cut. Some file systems cannot flush a folder; the file is
// whole either way.
void AtomicFile::flush_folder() const {
    std::string folder = std::filesystem::path(target_).parent_path().string();
    if (folder.empty()) {
        folder = ".";
    }
    const int handle =
        open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // NOLINT(*-vararg)
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
}

void write_file_atomically(const std::string& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.append(bytes);
    file.commit();
}

void write_file_atomically(const std::string& path, std::string_view text) {
    write_file_atomically(path, std::as_bytes(std::span(text.data(), text.size())));
}

TemporaryDirectory::TemporaryDirectory() {
    std::error_code failed;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
    if (failed) {
        fail("no place for temporary files", failed.message());
    }
    std::string name = (parent / "attest-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        fail(name, std::system_category().message(errno));
    }
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace attest
