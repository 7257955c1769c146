#pragma once

#include <string>
#include <vector>

namespace attest::test {

/// An archive that some reader of zip files takes for something else than another one does, or an
/// unusual one that all of them read alike.
struct OddArchive {
    std::string what;
    std::string bytes;
    bool readable;  ///< by Attest (docs/formats.md, Archives)
};

/// Archives with one array of key `key`; `npy` are the bytes of its member, `other` those of
/// another array.
[[nodiscard]] std::vector<OddArchive> odd_archives(const std::string& key,
                                                   const std::string& npy,
                                                   const std::string& other);

}  // namespace attest::test
