#pragma once

#include "core/base/shape.hpp"
#include "core/rng/philox.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace attest {

/// A sequence of 2⁶⁵ random 64-bit words, named by a seed and a path. A value: copying it copies
/// the name, no state is hidden. `Stream(7).child("example").child(i)` depends on nothing but 7,
/// "example" and i.
class Stream {
public:
    explicit Stream(std::uint64_t seed);

    /// The stream one step further down. Siblings are independent: each name is hashed into 128
    /// bits that choose the Philox key and the upper half of the counter. Throws InvalidInput if
    /// the name is empty or holds '/' or '[', which delimit the printed path.
    [[nodiscard]] Stream child(std::string_view name) const;
    [[nodiscard]] Stream child(Index index) const;

    /// Word k, k ≥ 0. Random access, O(1).
    [[nodiscard]] std::uint64_t at(Index k) const;
    /// Words 2b and 2b+1: one Philox block.
    [[nodiscard]] std::array<std::uint64_t, 2> block(std::uint64_t b) const;

    /// Seed and steps as result rows print them: "7/example[3]".
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    Stream(const PhiloxCounter& id, std::string path) : id_(id), path_(std::move(path)) {}

    PhiloxCounter id_;
    std::string path_;
};

/// Walks the words of one stream in order, within one function.
class Draws {
public:
    explicit Draws(Stream stream) : stream_(std::move(stream)) {}

    [[nodiscard]] std::uint64_t word();
    /// Uniform on 0 … n−1 without bias (multiplication with rejection, Lemire 2019); n ≥ 1.
    [[nodiscard]] std::uint64_t below(std::uint64_t n);

private:
    Stream stream_;
    std::uint64_t position_ = 0;
    std::array<std::uint64_t, 2> words_{};
};

}  // namespace attest
