#include "programs/language/program_examples.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr std::string_view kLookup =
    R"(# Tokens {key, value} are a table; the last token asks by `query`.
program lookup
block key 4
block value 4
block query 4
block answer 4
head lookup: answer <- value ; key <- query
)";

constexpr std::string_view kCopy =
    R"(# Token i has position P[i]; token i + 1 copies the letter of token i - 1. The first holds `one`.
program copy
block one 1
block P 5
block letter 3
head copy: letter <- letter ; P[0..3] <- P[1..4]
head position_1: P[1] <- one ; one <- P[0]
head position_2: P[2] <- one ; one <- P[1]
head position_3: P[3] <- one ; one <- P[2]
head position_4: P[4] <- one ; one <- P[3]
)";

constexpr std::string_view kIfThen =
    R"(# The first token holds x, the branches a0 -> b0 and a1 -> b1, P, and the counter R[0].
# The next two print the branches as rows (s0, s1) of a table; the third looks x up in it.
program if_then
block x 3
block a0 3
block b0 2
block a1 3
block b1 2
block P 1
block R 3
block s0 3
block s1 2
block now 3
block answer 2
head row_0: s0 <- a0, s1 <- b0, R[1] <- P ; P <- R[0]
head row_1: s0 <- a1, s1 <- b1, now <- x, R[2] <- P ; P <- R[1]
head ask: answer <- s1 ; s0 <- now
)";

constexpr std::array kExamples{
    ProgramExample{"lookup", "associative recall: one head (Algorithm 3)", kLookup},
    ProgramExample{"copy", "copy from a fixed distance (Algorithm 3)", kCopy},
    ProgramExample{
        "if_then", "a conditional by a table of its branches (Algorithms 4, 5)", kIfThen},
};

}  // namespace

std::span<const ProgramExample> program_examples() {
    return kExamples;
}

const ProgramExample* find_program_example(std::string_view name) {
    const auto* const found =
        std::find_if(kExamples.begin(), kExamples.end(), [&](const ProgramExample& example) {
            return example.name == name;
        });
    return found == kExamples.end() ? nullptr : found;
}

}  // namespace attest
