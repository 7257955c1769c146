#pragma once
#include "proofs_check/checker/exact_matrix.hpp"

namespace attest::checker {
struct Vector {
    Index line;  ///< on which it stands
    Terms terms;
};

/// Moves behind the comments at the beginning, even one that does not end its line; their number.
Index skip_comments(std::string_view& text);

/// Walks through a proof (FORMAT.md §2); rejects it, with the line, where it is not as expected.
class Reader {
public:
    /// Checks the `end` line. The text must outlive the reader.
    explicit Reader(std::string_view text);
    /// Rejects the proof, at the line just read unless another is given, if the condition fails.
    void require(bool condition, const std::string& reason, Index line = 0) const;
    /// Moves behind these characters if they come next, and behind comments after a line's end.
    [[nodiscard]] bool take(std::string_view characters);
    void expect(const std::string& characters);

    void finish() const { require(left_.empty(), "expected end", next_line_); }

    [[nodiscard]] std::string_view rest() const { return left_.substr(0, left_.find('\n')); }

    [[nodiscard]] Integer integer(const std::string& after);
    [[nodiscard]] Index number(Index least, Index last, const std::string& after);
    /// The rest of the line: increasing indices below `limit`.
    [[nodiscard]] std::vector<Index> indices(Index limit);
    [[nodiscard]] Vector vector(Index limit);

private:
    std::string_view left_;
    Index line_ = 1;       ///< of the characters taken last
    Index next_line_ = 1;  ///< of the characters to come
};
}  // namespace attest::checker
