#pragma once

#include <span>
#include <string_view>

namespace attest {

/// A program of Python that finds anew what a claim holds against its print, in at most 25 lines of
/// NumPy or fractions and without any code of this project: proofs_check/second_route/ID.py. The
/// page of evidence shows it, and the test of that page runs it.
struct SecondRoute {
    std::string_view id;       ///< the claim's
    std::string_view code;     ///< whole lines
    std::string_view printed;  ///< what it prints, whole lines: ID.txt
};

/// Every one, in the order of the ids.
[[nodiscard]] std::span<const SecondRoute> second_routes();

/// That of a claim; nullptr if it has none.
[[nodiscard]] const SecondRoute* second_route_of(std::string_view id);

}  // namespace attest
