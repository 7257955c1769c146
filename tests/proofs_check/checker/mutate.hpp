#pragma once

#include "proofs_check/checker/dataset.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest::checker_test {

/// SplitMix64: the same mutants on every machine.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    /// A number below `sides`; the bias of the remainder does not matter here.
    [[nodiscard]] std::size_t below(std::size_t sides);

private:
    std::uint64_t state_;
};

/// The text with one random change: of a bit, a character, a line, a field or a number, or a line
/// from `other`.
[[nodiscard]] std::string mutate_text(const std::string& text,
                                      const std::string& other,
                                      Dice& dice);

/// The bytes with one random bit flipped, or a byte changed, dropped, doubled, or a part cut off.
[[nodiscard]] std::string mutate_bytes(std::string bytes, Dice& dice);

/// The lines that mean something: all but comments and `end`.
[[nodiscard]] std::string without_comments(const std::string& text);

/// The lines before `end`.
[[nodiscard]] std::string body_of(const std::string& text);

/// An archive of this data set with one random change: in the text of an .npy header, in the
/// numbers, in the members or in the headers of the zip; its checksums are right but for the last
/// kind. Sometimes it still holds the same data.
[[nodiscard]] std::string mutate_archive(const checker::Dataset& data, Dice& dice);

}  // namespace attest::checker_test
