#pragma once

#include "proofs_check/claims/own_claims.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest::cli {

/// A Python file of claims, and those of them that are asked for.
struct OwnFile {
    std::string file;
    OwnClaims listed;
    std::vector<std::string> ids;
};

/// What `attest verify` is asked: words that end in .py are files, the others name claims of these
/// files or of ours. A file of which nothing is named runs whole; ours run where some are named, or
/// where there is no file.
struct AskedClaims {
    std::vector<OwnFile> own;
    std::vector<const Claim*> chosen;  ///< ours and those of the files, which `own` keeps alive
};

/// Lists the claims of the files by Python. Throws UnknownName for a word that names no claim,
/// InvalidInput for a file that is none or has an error, EnvironmentFailure without Python.
[[nodiscard]] AskedClaims asked_claims(const std::vector<std::string>& words);

/// Runs the chosen claims of a file. Throws as asked_claims.
[[nodiscard]] OwnClaims run_own_claims(const OwnFile& file,
                                       const std::string& profile,
                                       std::uint64_t seed);

}  // namespace attest::cli
