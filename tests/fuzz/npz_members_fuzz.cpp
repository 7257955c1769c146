// Any arrays inside a sound archive are either read or refused with one line. The archive is packed
// here, so that a changed byte is not stopped by its checksum. Input: for each member a key number,
// its length in two bytes (little endian), its bytes.
// It is run like npz_fuzz.

#include "core/data/archive/zip_writing.hpp"
#include "tests/fuzz/read_everything.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace {

using namespace attest;

constexpr std::array<const char*, 14> kKeys{"Z",
                                            "tokens",
                                            "offsets",
                                            "y",
                                            "y_prefix",
                                            "query",
                                            "truth_V",
                                            "truth_Q",
                                            "truth_P",
                                            "meta",
                                            "P",
                                            "V",
                                            "Q",
                                            "other\n"};

std::vector<ZipContent> members_of(std::span<const std::byte> input) {
    std::vector<ZipContent> members;
    while (input.size() > 3) {
        const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(input[i]); };
        const std::string name = std::string(kKeys.at(at(0) % kKeys.size())) + ".npy";
        const std::size_t length = std::min(at(1) + 256 * at(2), input.size() - 3);
        const std::span<const std::byte> bytes = input.subspan(3, length);
        input = input.subspan(3 + length);
        const auto same_name = [&](const ZipContent& member) { return member.name == name; };
        if (std::none_of(members.begin(), members.end(), same_name)) {
            members.push_back({name, {bytes.begin(), bytes.end()}});
        }
    }
    return members;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    test::limit_memory();
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<ZipContent> members = members_of(std::as_bytes(std::span(data, size)));
    if (members.empty()) {
        return 0;
    }
    std::vector<std::byte> archive;
    write_zip(members, Compression::stored, [&](std::span<const std::byte> piece) {
        archive.insert(archive.end(), piece.begin(), piece.end());
    });
    test::read_everything(archive);
    return 0;
}
