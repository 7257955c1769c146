#pragma once

#include "core/data/dataset.hpp"
#include "core/stack/dimension.hpp"
#include "core/stack/stack_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What data say of a stack near the parameters at hand, by its own outputs on them.
enum class StackVerdict : std::uint8_t {
    determined,        ///< every stack near it with its outputs on the data is its function
    not_determined,    ///< near it there are others with these outputs: proved
    first_order_open,  ///< directions are open to first order, which proves neither
    singular,          ///< no data decide by ranks: the point is special in its family
    undecided,  ///< no direction is open, but that the rank is largest is not proved; or ranks
                ///< modulo primes are below what doubles see
    numerically_determined,  ///< as doubles see it
    numerically_open,
};
[[nodiscard]] std::string_view to_string(StackVerdict verdict);

/// Why a verdict holds.
enum class StackEvidence : std::uint8_t {
    symmetries,     ///< ranks on the data and of the symmetries add up to P
    bound,          ///< the rank on the data is dimension_bound
    full_row_rank,  ///< outputs on the data are independent, and an input sees more
    none
};
[[nodiscard]] std::string_view to_string(StackEvidence evidence);

/// How much of an open direction lies in one matrix of parameters.
struct OpenShare {
    std::string name;  ///< "layers.1.heads.0.Q"
    double share = 0;  ///< of the direction's squared norm
};

/// A direction that changes no output on the data to first order, but others; in doubles.
struct OpenDirection {
    std::vector<double> direction;  ///< P entries, norm 1
    std::vector<OpenShare> shares;  ///< those above a twentieth, largest first
    Matrix input;                   ///< d×t, an input where it shows
    Vector change;                  ///< of the outputs there, for one unit of the direction
};

/// A candidate, and the rank once it and those before it are among the data.
struct StackSuggestion {
    Index candidate = 0;
    Index rank = 0;
};

struct LocalStack {
    StackVerdict verdict = StackVerdict::undecided;
    StackEvidence evidence = StackEvidence::none;
    StackArithmetic arithmetic = StackArithmetic::residues;
    Index parameters = 0;  ///< P
    Index tokens = 0;      ///< of the longest example, at least 2: the inputs that are spoken of
    Index examples = 0;    ///< N, without repeated ones
    Index numbers = 0;     ///< outputs on them
    Index rank = 0;        ///< of the derivative on the data
    Index at_model = 0;    ///< of the derivative on all inputs, at the model
    Index dimension = 0;   ///< D of the architecture
    bool dimension_proved = false;
    Index symmetry_rank = 0;  ///< at the model
    std::uint64_t prime = 0;  ///< of the exact ranks
    std::optional<RankGap> gap;
    std::optional<OpenDirection> open;
    std::vector<StackSuggestion> suggestions;

    /// Directions that other inputs see and the data do not.
    [[nodiscard]] Index open_directions() const { return at_model - rank; }
};

struct LocalStackRequest {
    const Dataset* pool = nullptr;  ///< candidates
    Index suggest = 0;              ///< at most so many of them
    std::uint64_t seed = 0;         ///< of fresh inputs and of the dimension
};

/// Whether the data determine the function of the stack *locally*: near it in parameters, by the
/// outputs it has on the data; a far stack may agree on them and differ elsewhere. By the
/// constant-rank theorem (docs/depth.md) it is so if the derivative on the data has the rank D.
/// Exact for polynomial stacks and relu in its cell, from the doubles in the file; else numerical.
/// Labels are not read. Throws InvalidInput where data and stack differ in d or the data name query
/// columns, MemoryFailure where P is too large.
[[nodiscard]] LocalStack local_stack(const Dataset& data,
                                     const Stack& stack,
                                     const LocalStackRequest& request = {});

}  // namespace attest
