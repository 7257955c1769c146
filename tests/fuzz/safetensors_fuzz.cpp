// Any bytes are either read as a .safetensors file, every tensor of it, or refused with one line.
//   scripts/build --preset fuzz && tests/fuzz/write_seeds.py build/fuzz/seeds
//   build/fuzz/fuzzers/safetensors_fuzz -max_total_time=60 FRESH_FOLDER
//   build/fuzz/seeds/safetensors_fuzz

#include "core/base/error.hpp"
#include "core/trained/safetensors.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace {

template <class Action>
void read_or_refuse(const Action& action) {
    std::string line;
    try {
        action();
        return;
    } catch (const attest::InvalidInput& error) {
        line = error.what();
    } catch (const attest::EnvironmentFailure& error) {
        line = error.what();
    }
    if (line.rfind("w: ", 0) != 0 || line.find('\n') != std::string::npos) {
        std::cerr << "not one line that starts with the file: " << line << '\n';
        std::abort();
    }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream file(std::string(data, data + size));
    read_or_refuse([&] {
        for (const attest::TensorEntry& entry :
             attest::read_safetensors_header(file, static_cast<attest::Index>(size), "w")) {
            read_or_refuse([&] { (void)attest::read_tensor(file, entry, "w"); });
        }
    });
    return 0;
}
