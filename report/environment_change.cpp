#include "report/environment_change.hpp"

#include "core/base/text.hpp"

#include <map>
#include <set>

namespace attest {

namespace {

using Facts = std::map<std::string, std::string>;

Facts machine_facts(const Provenance& from) {
    return {{"processor", from.cpu},
            {"processors in use", std::to_string(from.logical_cpus)},
            {"compiler", from.compiler},
            {"compiler flags", from.compiler_flags},
            {"build type", from.build_type},
            {"linear algebra", blas_summary(from)}};
}

Facts all_facts(const ResultHeader& header) {
    const Provenance& from = header.provenance;
    Facts facts = machine_facts(from);
    facts["commit"] = from.commit + (from.dirty ? " with uncommitted changes" : "");
    facts["version"] = from.version;
    facts["system"] = from.os;
    facts["seed"] = std::to_string(header.configuration.seed);
    facts["settings"] = to_string(header.configuration.parameters);
    for (const auto& [name, version] : from.libraries) {
        facts["library " + name] = version;
    }
    return facts;
}

std::set<std::string> names_of(const Facts& first, const Facts& second) {
    std::set<std::string> names;
    for (const Facts* facts : {&first, &second}) {
        for (const auto& [name, value] : *facts) {
            names.insert(name);
        }
    }
    return names;
}

}  // namespace

bool same_machine(const Provenance& before, const Provenance& after) {
    return machine_facts(before) == machine_facts(after);
}

std::vector<Change> environment_changes(const std::vector<EntryPair>& pairs) {
    std::map<std::vector<std::string>, std::string> files;
    for (const auto& [before, after] : pairs) {
        Facts first = all_facts(before->header);
        Facts second = all_facts(after->header);
        for (const std::string& name : names_of(first, second)) {
            if (first[name] != second[name]) {
                std::string& list = files[{name, first[name], second[name]}];
                list += formatted("{}{}", list.empty() ? "" : ", ", before->name());
            }
        }
    }
    std::vector<Change> changes;
    changes.reserve(files.size());
    for (const auto& [fact, list] : files) {
        changes.push_back({list, fact[0], fact[1], fact[2], ""});
    }
    return changes;
}

}  // namespace attest
