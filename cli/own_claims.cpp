#include "cli/own_claims.hpp"

#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"

#include <algorithm>
#include <cstdlib>

namespace attest::cli {

namespace {

bool is_file(const std::string& word) {
    return word.ends_with(".py");
}

std::string value_of(const char* variable, const std::string& otherwise) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

/// The package beside a build folder's programs comes before an installed one.
EnvironmentChanges with_package_beside() {
    const std::string beside = program_folder() + "/../python";
    if (!is_there(beside + "/attest/claim_file.py")) {
        return {};
    }
    const std::string others = value_of("PYTHONPATH", "");
    return {{"PYTHONPATH", others.empty() ? beside : others + ":" + beside}};
}

/// What the runner prints; errors of the file are on standard error already.
std::string run_python(const std::string& file, std::vector<std::string> options) {
    require(is_there(file),
            "{}: cannot be read: {}; check the name and permissions",
            file,
            unreadable_reason(file));
    const std::string python = value_of("ATTEST_PYTHON", "python3");
    std::vector<std::string> words{python, "-m", "attest.claim_file", file};
    words.insert(words.end(), options.begin(), options.end());
    ChildResult answer;
    try {
        answer = run_child(words, with_package_beside());
    } catch (const NotAvailable& error) {
        throw EnvironmentFailure(formatted("{}: {}", file, error.what()));
    }
    constexpr int kBadFile = 4;
    if (answer.code == kBadFile) {
        throw InvalidInput(answer.out);
    }
    if (answer.code != 0) {
        throw EnvironmentFailure(formatted(
            "{}: {} ended with {}; it needs the packages attest and numpy: run `python -m attest "
            "verify` by a Python that has it, or name that Python in ATTEST_PYTHON",
            file,
            python,
            answer.code));
    }
    return answer.out;
}

std::vector<const Claim*> pointers(const OwnClaims& own) {
    std::vector<const Claim*> all;
    for (const Claim& claim : own.claims) {
        all.push_back(&claim);
    }
    return all;
}

/// Results are found by the ids of their claims: two claims of one id would be one.
void require_different_ids(const std::vector<const Claim*>& chosen) {
    for (auto one = chosen.begin(); one != chosen.end(); ++one) {
        const auto same = std::find_if(
            chosen.begin(), one, [&](const Claim* other) { return other->id == (*one)->id; });
        require(same == one,
                "{}: claim {} stands in {} too; give it another id",
                (*one)->source,
                (*one)->id,
                same == one || (*same)->source.empty() ? "Attest's own" : (*same)->source);
    }
}

}  // namespace

AskedClaims asked_claims(const std::vector<std::string>& words) {
    AskedClaims asked;
    std::vector<std::string> names;
    for (const std::string& word : words) {
        if (is_file(word)) {
            asked.own.push_back({word, read_own_claims(run_python(word, {"--list"}), word), {}});
        } else {
            names.push_back(word);
        }
    }
    std::vector<std::string> of_ours;
    for (const std::string& name : names) {
        const bool own = std::any_of(asked.own.begin(), asked.own.end(), [&](const OwnFile& file) {
            return names_some(name, pointers(file.listed));
        });
        if (!own) {
            of_ours.push_back(name);
        }
    }
    if (asked.own.empty() || !of_ours.empty()) {
        asked.chosen = select_claims(of_ours);
    }
    for (OwnFile& file : asked.own) {
        const std::vector<const Claim*> all = pointers(file.listed);
        std::vector<std::string> here;
        std::copy_if(names.begin(), names.end(), std::back_inserter(here), [&](const auto& name) {
            return names_some(name, all);
        });
        for (const Claim* claim : select_claims(here, all)) {
            file.ids.emplace_back(claim->id);
            asked.chosen.push_back(claim);
        }
    }
    require_different_ids(asked.chosen);
    return asked;
}

OwnClaims run_own_claims(const OwnFile& file, const std::string& profile, std::uint64_t seed) {
    std::vector<std::string> options{"--profile", profile, "--seed", std::to_string(seed)};
    options.insert(options.end(), file.ids.begin(), file.ids.end());
    return read_own_claims(run_python(file.file, options), file.file);
}

}  // namespace attest::cli
