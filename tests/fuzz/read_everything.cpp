#include "tests/fuzz/read_everything.hpp"

#include "core/base/error.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/stack/stack_file.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX names

#include <algorithm>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

namespace attest::test {

namespace {

[[noreturn]] void fail(const std::string& why) {
    std::cerr << "npz: " << why << '\n';
    abort();
}

template <class Action>
void read_or_refuse(const Action& action) {
    std::string line;
    try {
        action();
        return;
    } catch (const InvalidInput& error) {
        line = error.what();
    } catch (const EnvironmentFailure& error) {
        line = error.what();
    }
    if (line.rfind("f.npz: ", 0) != 0 || line.find('\n') != std::string::npos) {
        fail("not one line that starts with the file: " + line);
    }
}

/// What can be read at once can be read by runs, with the same bits.
void read_both_ways(const NpzReader& file, const std::string& key) {
    constexpr std::size_t kRun = 1000;
    const NpyArray whole = file.read(key);
    if (file.header(key).order != AxisOrder::c) {
        return;
    }
    try {
        NpyStream stream = file.stream(key, MemberCheck::to_do);
        std::vector<double> run;
        for (std::size_t first = 0; first < whole.data.size(); first += run.size()) {
            run.resize(std::min(kRun, whole.data.size() - first));
            stream.read(static_cast<Index>(first), run);
            if (std::memcmp(run.data(), whole.data.data() + first, 8 * run.size()) != 0) {
                fail("other numbers by runs");
            }
        }
    } catch (const Error& error) {
        fail(std::string("refused by runs only: ") + error.what());
    }
}

void read_dataset_or_refuse(const NpzReader& file, InvalidExamples policy) {
    read_or_refuse([&] {
        const Dataset data = load_dataset(file, policy).data;
        try {
            check(data);
        } catch (const InvalidInput& error) {
            fail(std::string("an unsound data set was read: ") + error.what());
        }
        if (digest(data).size() != 64) {
            fail("no digest");
        }
    });
}

}  // namespace

void read_everything(std::span<const std::byte> bytes) {
    read_or_refuse([&] {
        const NpzReader file = NpzReader::from_bytes(bytes, "f.npz");
        for (const std::string& key : file.keys()) {
            read_or_refuse([&] { read_both_ways(file, key); });
        }
        read_dataset_or_refuse(file, InvalidExamples::reject);
        read_dataset_or_refuse(file, InvalidExamples::skip);
        read_or_refuse([&] { (void)read_model(file); });
        read_or_refuse([&] { (void)read_stack(file); });
    });
}

void limit_memory() {
    setenv("ATTEST_MEMORY_LIMIT", "500000", 1);
}

}  // namespace attest::test
