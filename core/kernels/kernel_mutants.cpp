#include "core/kernels/kernel_mutants.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/kernels/dump_changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace attest {

namespace {

using Changed = std::optional<KernelDump>;

constexpr std::array<Index, 5> kChunks{64, 128, 32, 256, 16};

std::vector<double> sequence_of(const std::vector<double>& array, Index batch, Index b) {
    const Index size = std::ssize(array) / batch;
    return {array.begin() + b * size, array.begin() + (b + 1) * size};
}

/// A fault of one head: the dumps that it can show in, and what it changes.
template <class Possible, class Change>
KernelMutant head_mutant(const char* name,
                         const char* sentence,
                         const Possible& possible,
                         const Change& change) {
    return {
        name, sentence, MutantReach::head, [possible, change](const KernelDump& dump) -> Changed {
            if (!possible(dump)) {
                return std::nullopt;
            }
            KernelDump changed = dump;
            change(changed);
            return changed;
        }};
}

/// Where a state stands in a dump; it can be transposed unnoticed if it is square.
KernelMutant transposed_mutant(const char* name,
                               const char* sentence,
                               std::vector<double> KernelDump::*state) {
    return head_mutant(
        name,
        sentence,
        [state](const KernelDump& dump) {
            return !(dump.*state).empty() && dump.key_dim == dump.value_dim;
        },
        [state](KernelDump& dump) { dump.*state = transposed_states(dump, dump.*state); });
}

void drop_last_token(KernelDump& dump) {
    for (std::vector<double>* rows :
         {&dump.q, &dump.k, &dump.v, &dump.o, &dump.gates, &dump.beta}) {
        rows->resize(rows->size() / static_cast<std::size_t>(dump.tokens) *
                     static_cast<std::size_t>(dump.tokens - 1));
    }
    --dump.tokens;
}

/// Sets every gate at the first token of each chunk but the first.
Changed with_gates_at_boundaries(const KernelDump& dump, Index chunk, double gate) {
    if (dump.tokens <= chunk) {
        return std::nullopt;
    }
    KernelDump changed = with_factors(dump);
    const Index width = changed.heads * changed.gate_width;
    for (Index token = chunk; token < dump.tokens; token += chunk) {
        std::fill_n(changed.gates.begin() + token * width, width, gate);
    }
    return changed;
}

Changed without_last_chunk(const KernelDump& dump, Index chunk) {
    // Queries of zero make outputs of zero, but with a normaliser 0/0.
    if (dump.tokens % chunk == 0 || dump.recurrence == Recurrence::normalised) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    const Index kept = dump.tokens / chunk * chunk * dump.heads * dump.key_dim;
    std::fill(changed.q.begin() + kept, changed.q.end(), 0.0);
    changed.final_state.clear();
    return changed;
}

}  // namespace

KernelDump one_sequence(const KernelDump& dump, Index b) {
    KernelDump one = dump;
    one.batch = 1;
    for (std::vector<double> KernelDump::*array : {&KernelDump::q,
                                                   &KernelDump::k,
                                                   &KernelDump::v,
                                                   &KernelDump::o,
                                                   &KernelDump::gates,
                                                   &KernelDump::beta,
                                                   &KernelDump::initial_state,
                                                   &KernelDump::final_state}) {
        one.*array = sequence_of(dump.*array, dump.batch, b);
    }
    return one;
}

std::vector<KernelMutant> scale_and_state_mutants() {
    const auto is_scaled = [](const KernelDump& dump) { return !bitwise_equal(dump.scale, 1.0); };
    return {head_mutant("scale_missing",
                        "the scale of the queries is missing",
                        is_scaled,
                        [](KernelDump& dump) { dump.scale = 1.0; }),
            head_mutant("scale_twice",
                        "the scale is applied twice",
                        is_scaled,
                        [](KernelDump& dump) { dump.scale *= dump.scale; }),
            head_mutant(
                "initial_state_ignored",
                "the initial state is ignored",
                [](const KernelDump& dump) { return !dump.initial_state.empty(); },
                [](KernelDump& dump) { dump.initial_state.clear(); }),
            transposed_mutant("initial_state_transposed",
                              "the initial state is read with keys and values exchanged",
                              &KernelDump::initial_state),
            transposed_mutant("final_state_transposed",
                              "the final state is written with keys and values exchanged",
                              &KernelDump::final_state),
            head_mutant(
                "final_state_early",
                "the final state is that before the last token",
                [](const KernelDump& dump) { return !dump.final_state.empty() && dump.tokens > 1; },
                drop_last_token)};
}

std::vector<KernelMutant> chunk_mutants() {
    std::vector<KernelMutant> mutants;
    for (const Index chunk : kChunks) {
        const std::string every = formatted("chunks of {} tokens", chunk);
        mutants.push_back({"chunk_boundary_state_dropped",
                           "the state is lost at the boundary between " + every,
                           MutantReach::head,
                           [chunk](const KernelDump& dump) {
                               return with_gates_at_boundaries(dump, chunk, 0.0);
                           }});
        mutants.push_back({"chunk_boundary_decay_missing",
                           "the first gate of a chunk is left out, with " + every,
                           MutantReach::head,
                           [chunk](const KernelDump& dump) {
                               return dump.gate_width == 0
                                          ? std::nullopt
                                          : with_gates_at_boundaries(dump, chunk, 1.0);
                           }});
        mutants.push_back(
            {"last_chunk_left_out",
             "the last, incomplete chunk is left out, with " + every,
             MutantReach::head,
             [chunk](const KernelDump& dump) { return without_last_chunk(dump, chunk); }});
    }
    return mutants;
}

std::vector<KernelMutant> kernel_mutants() {
    std::vector<KernelMutant> all;
    for (auto group : {scale_and_state_mutants,
                       delta_mutants,
                       normaliser_mutants,
                       gate_mutants,
                       chunk_mutants,
                       layout_mutants}) {
        std::vector<KernelMutant> mutants = group();
        std::move(mutants.begin(), mutants.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace attest
