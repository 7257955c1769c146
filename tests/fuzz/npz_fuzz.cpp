// Any bytes are either read as an .npz file or refused with one line.
//   scripts/build --preset fuzz && tests/fuzz/write_seeds.py build/fuzz/seeds
//   build/fuzz/fuzzers/npz_fuzz -max_total_time=60 FRESH_FOLDER build/fuzz/seeds/npz_fuzz

#include "tests/fuzz/read_everything.hpp"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    attest::test::limit_memory();
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    attest::test::read_everything(std::as_bytes(std::span(data, size)));
    return 0;
}
