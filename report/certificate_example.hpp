#pragma once

#include "core/certify/witness.hpp"

#include <optional>
#include <string>

namespace attest {

/// A data set small enough to be read, what is proved of it, and what an independent program says
/// to the proof.
struct CertificateExample {
    Dataset data;  ///< labelled by `truth`
    Matrix truth;  ///< ψ×o, small integers: a minimiser, as its training risk is 0
    ExactRank rank;
    std::string proof;  ///< the proof file; empty if there is none
    std::string answer;  ///< of the checker, on proof and data: "VERIFIED full-rank", "REJECTED: …"
    std::optional<Witness> witness;  ///< for data that do not determine the function
};

/// Six sequences of two or three tokens, d = 2, of full rank: every minimiser is the same function.
[[nodiscard]] CertificateExample determined_example();

/// Five sequences, d = 2, of rank 5 of 6, with two minimisers that disagree.
[[nodiscard]] CertificateExample undetermined_example();

}  // namespace attest
