#pragma once

#include <rapidcheck.h>

#include <iostream>
#include <string>

namespace attest::test {

/// Whether RapidCheck finds a counterexample: a planted fault must have one, and giving up for want
/// of cases is none. What it finds, shrunk, goes to standard error.
template <class Property>
[[nodiscard]] bool falsifiable(const std::string& fault, Property&& property) {
    rc::detail::TestMetadata metadata;
    metadata.id = fault;
    metadata.description = "planted fault: " + fault;
    const rc::detail::TestResult result =
        rc::detail::checkTestable(std::forward<Property>(property), metadata);
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << '\n';
    return result.is<rc::detail::FailureResult>();
}

}  // namespace attest::test
