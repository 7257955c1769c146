#pragma once

#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"
#include "core/stack/local_stack.hpp"
#include "core/stack/stack_file.hpp"
#include "core/stack/uniform_stack.hpp"

#include <optional>

namespace attest {

// Two layers out of a black box y = (id + F₂)∘(id + F₁), read at its last token, F_l linear
// attention, so cubic. Its answers at a scaled input, y(cZ), are a polynomial in c of the degrees
// 1, 3, 5, 7 and 9, which answers at as many c tell apart: degree 1 is the token itself, 3 is
// F₁ + F₂, 5 is DF₂[F₁], 7 is ½D²F₂[F₁, F₁] and 9 is F₂∘F₁. A stack is fitted to the degrees 3, 5
// and 7; the degree 9, which the fit has not seen, and the degrees 1 and 11, which cannot be other
// than they are, tell whether the box is such a stack (docs/probe.md).

struct StackProbeRequest {
    Index d = 0;
    Index heads = 1;       ///< of each layer
    bool causal = false;   ///< a token of the box sees itself and those before it alone
    Index key_size = 0;    ///< 0: d/heads
    Index value_size = 0;  ///< 0: as a key
    Index tokens = 3;      ///< of a query
    std::uint64_t seed = 0;
};

/// The two layers that a request speaks of. Throws InvalidInput where sizes do not fit.
[[nodiscard]] StackShape probed_shape(const StackProbeRequest& request);

struct StackProbe {
    Dataset queries;  ///< six in turn are one input times 1/2, 3/4, …, 7/4
    StackShape shape;
    StackDimension dimension;
};

/// Six scales of as many random inputs as the dimension needs, and four more.
[[nodiscard]] StackProbe probe_stack(const StackProbeRequest& request);
[[nodiscard]] Output describe(const StackProbe& found);

/// What the answers of a box say.
enum class BoxVerdict : std::uint8_t {
    found,         ///< a stack has these answers, and is locally determined by them
    found_open,    ///< a stack has these answers, and is not known to be determined
    not_found,     ///< no start fitted, which proves nothing
    another_layer  ///< some degree is as no such stack's
};
[[nodiscard]] std::string_view to_string(BoxVerdict verdict);

struct FoundStack {
    BoxVerdict verdict = BoxVerdict::not_found;
    StackShape shape;
    Index starts = 0;                ///< tried
    double degree_1 = 0.0;           ///< of the answers less the last token, over the answers' norm
    double degree_11 = 0.0;          ///< over the answers' norm
    std::optional<double> misfit;    ///< in the degrees 3, 5 and 7, each over its norm
    std::optional<double> degree_9;  ///< of answers less stack, over that of the answers
    std::optional<Stack> stack;
    std::optional<LocalStack> local;  ///< of the stack on the queries
};

/// The box that gave these answers to probe_stack's queries: Levenberg–Marquardt from at most
/// `starts` random parameters, of the size at which degree 3 has the answers' norm. Throws
/// InvalidInput unless the inputs come six in turn as probe_stack writes them, with labels of d
/// entries for each.
[[nodiscard]] FoundStack read_stack_answers(const Dataset& answers,
                                            const StackProbeRequest& request,
                                            Index starts);

/// Found and locally determined; another layer; else undecided.
[[nodiscard]] Decision decision(const FoundStack& found);
[[nodiscard]] Output describe(const FoundStack& found);

}  // namespace attest
