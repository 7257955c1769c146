#include "record/provenance.hpp"

#include "core/algebra/blas_core.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

#include <attest_build_info.hpp>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/utsname.h>

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <span>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhat = "provenance";

// Otherwise only the program's own bytes tell two builds apart.
constexpr bool kNamedByCommit = !ATTEST_DIRTY && std::string_view(ATTEST_COMMIT) != "unknown";

// Calls visit(key, member) for every member in the order in which they are written.
template <class Record, class Visit>
void visit_members(Record& record, const Visit& visit) {
    visit("program", record.program);
    visit("version", record.version);
    visit("commit", record.commit);
    visit("dirty", record.dirty);
    visit("executable", record.executable);
    visit("compiler", record.compiler);
    visit("compiler_flags", record.compiler_flags);
    visit("build_type", record.build_type);
    visit("libraries", record.libraries);
    visit("blas_backend", record.blas_backend);
    visit("blas_library", record.blas_library);
    visit("blas_core", record.blas_core);
    visit("blas_core_chosen_by", record.blas_core_chosen_by);
    visit("blas_threads", record.blas_threads);
    visit("cpu", record.cpu);
    visit("logical_cpus", record.logical_cpus);
    visit("os", record.os);
    visit("utc", record.utc);
    visit("command_line", record.command_line);
    visit("seed", record.seed);
    visit("bitwise", record.bitwise);
}

/// Files of earlier programs lack it.
constexpr std::string_view kAddedLater = "blas_core_chosen_by";

struct MemberReader {
    const Json& object;

    void operator()(const char* key, std::string& value) const {
        if (key == kAddedLater && object.is_object() && !object.contains(key)) {
            return;
        }
        value = text_member(object, key, kWhat);
    }

    void operator()(const char* key, std::uint64_t& value) const {
        value = whole_member(object, key, kWhat);
    }

    void operator()(const char* key, bool& value) const {
        const Json& found = member(object, key, kWhat);
        require(found.is_boolean(),
                "{}: got {} for \"{}\", expected true or false",
                kWhat,
                shown(found),
                key);
        value = found.get<bool>();
    }

    void operator()(const char* key, std::map<std::string, std::string>& value) const {
        const Json& found = member(object, key, kWhat);
        require(found.is_object(),
                "{}: got {} for \"{}\", expected an object",
                kWhat,
                shown(found),
                key);
        for (const auto& [name, version] : found.items()) {
            value[name] = text_member(found, name, kWhat);
        }
    }
};

std::string quoted_word(const std::string& word) {
    constexpr const char* kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
        return word;
    }
    std::string quoted = "'";
    for (const char letter : word) {
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return quoted + "'";
}

constexpr const char* kUnknown = "unknown";

std::string trimmed(const std::string& text, const char* surplus) {
    const std::size_t first = text.find_first_not_of(surplus);
    if (first == std::string::npos) {
        return "";
    }
    return text.substr(first, text.find_last_not_of(surplus) - first + 1);
}

// The value of the first line "key<separator>value" of a file.
std::string value_in_file(const char* path, const std::string& key, char separator) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t split = line.find(separator);
        if (split != std::string::npos && trimmed(line.substr(0, split), " \t") == key) {
            return trimmed(line.substr(split + 1), " \t\"");
        }
    }
    return kUnknown;
}

}  // namespace

std::string shell_quoted(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        line += (line.empty() ? "" : " ") + quoted_word(argument);
    }
    return line;
}

Provenance collect_provenance(const RunDescription& run) {
    require(!run.arguments.empty(), "collect_provenance: got no arguments, expected argv");
    std::vector<std::string> arguments = run.arguments;
    arguments.front() = std::filesystem::path(arguments.front()).filename().string();
    const LapackInfo blas = lapack_info();
    return {.program = arguments.front(),
            .version = ATTEST_VERSION,
            .commit = ATTEST_COMMIT,
            .dirty = ATTEST_DIRTY,
            .executable = kNamedByCommit ? "" : executable_digest(),
            .compiler = ATTEST_COMPILER,
            .compiler_flags = ATTEST_COMPILER_FLAGS,
            .build_type = ATTEST_BUILD_TYPE,
            .libraries = library_versions(),
            .blas_backend = blas.backend,
            .blas_library = blas.library,
            .blas_core = blas.core,
            .blas_core_chosen_by = blas_core_chosen_by(blas_situation()),
            .blas_threads = static_cast<std::uint64_t>(blas.threads),
            .cpu = cpu_model(),
            .logical_cpus = usable_cpus(),
            .os = operating_system(),
            .utc = utc_now(),
            .command_line = shell_quoted(arguments),
            .seed = run.seed,
            .bitwise = run.bitwise};
}

std::string code_version(const Provenance& provenance) {
    return provenance.executable.empty()
               ? provenance.commit
               : formatted("{} with executable {}", provenance.commit, provenance.executable);
}

std::string blas_summary(const Provenance& provenance) {
    const std::string core = provenance.blas_core.empty() ? "" : provenance.blas_core + ", ";
    return formatted("{}, {}{}{}{}",
                     provenance.blas_backend,
                     core,
                     provenance.blas_threads,
                     provenance.blas_threads == 1 ? " thread, " : " threads, ",
                     provenance.blas_library);
}

Json to_json_object(const Provenance& provenance) {
    Json object;
    visit_members(provenance, [&](const char* key, const auto& value) { object[key] = value; });
    return object;
}

Provenance provenance_from_json(const Json& object) {
    Provenance provenance;
    visit_members(provenance, MemberReader{object});
    return provenance;
}

std::string cpu_model() {
    return value_in_file("/proc/cpuinfo", "model name", ':');
}

std::uint64_t usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return 0;
    }
    return static_cast<std::uint64_t>(CPU_COUNT(&set));
}

std::string operating_system() {
    utsname kernel{};
    if (uname(&kernel) != 0) {
        return kUnknown;
    }
    return formatted("{}, {} {}, {}",
                     value_in_file("/etc/os-release", "PRETTY_NAME", '='),
                     static_cast<const char*>(kernel.sysname),
                     static_cast<const char*>(kernel.release),
                     static_cast<const char*>(kernel.machine));
}

std::string utc_now() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

std::string executable_digest() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    if (!file) {
        return kUnknown;
    }
    Sha256 hash;
    std::array<char, 65536> buffer{};
    while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
        hash.update(
            std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(file.gcount()))));
    }
    return hash.hex();
}

}  // namespace attest
