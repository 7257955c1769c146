#include "core/kernels/sharp/gradient_faults.hpp"

#include "core/base/text.hpp"

#include <array>

namespace attest {

namespace {

/// What a mistake needs to show.
enum class Shows : std::uint8_t { always, with_state, with_correction, with_beta, with_gates };

/// Whether it depends on chunks, and on a last one that is not whole.
enum class OfChunks : std::uint8_t { no, yes, partial };

struct FaultRow {
    BackwardFault fault;
    Shows shows;
    OfChunks chunks;
    std::string_view name;
    std::string_view sentence;
};

constexpr std::array<FaultRow, 22> kFaults{{
    {BackwardFault::dfinal_state_ignored,
     Shows::with_state,
     OfChunks::no,
     "dfinal_state_ignored",
     "the gradient of the final state is ignored"},
    {BackwardFault::dinitial_state_zero,
     Shows::with_state,
     OfChunks::no,
     "dinitial_state_zero",
     "the gradient of the initial state is not written"},
    {BackwardFault::dinitial_state_before_first_gate,
     Shows::with_gates,
     OfChunks::no,
     "dinitial_state_before_first_gate",
     "the gradient of the initial state lacks the first gate"},
    {BackwardFault::scale_missing_in_dq,
     Shows::always,
     OfChunks::no,
     "scale_missing_in_dq",
     "the scale is missing in dq"},
    {BackwardFault::scale_missing_in_state_gradient,
     Shows::always,
     OfChunks::no,
     "scale_missing_in_state_gradient",
     "the scale is missing in the gradient of the state"},
    {BackwardFault::dq_before_own_token,
     Shows::always,
     OfChunks::no,
     "dq_before_own_token",
     "dq is made of the state before its own token"},
    {BackwardFault::dbeta_without_correction,
     Shows::with_beta,
     OfChunks::no,
     "dbeta_without_correction",
     "dbeta lacks the correction by what the state holds"},
    {BackwardFault::dv_without_beta,
     Shows::with_beta,
     OfChunks::no,
     "dv_without_beta",
     "dv lacks beta"},
    {BackwardFault::dk_write_missing,
     Shows::with_correction,
     OfChunks::no,
     "dk_write_missing",
     "dk lacks the part of the key that writes"},
    {BackwardFault::dk_read_missing,
     Shows::with_correction,
     OfChunks::no,
     "dk_read_missing",
     "dk lacks the part of the key that reads"},
    {BackwardFault::dk_read_sign,
     Shows::with_correction,
     OfChunks::no,
     "dk_read_sign",
     "the part of dk by the key that reads has the wrong sign"},
    {BackwardFault::correction_not_differentiated,
     Shows::with_correction,
     OfChunks::no,
     "correction_not_differentiated",
     "the gradient of the state does not pass through the correction"},
    {BackwardFault::gate_missing_in_state_gradient,
     Shows::with_gates,
     OfChunks::no,
     "gate_missing_in_state_gradient",
     "the gradient of the state is not decayed"},
    {BackwardFault::dg_of_factor,
     Shows::with_gates,
     OfChunks::no,
     "dg_of_factor",
     "dg is the gradient of the factor, not of its logarithm"},
    {BackwardFault::dg_base_two,
     Shows::with_gates,
     OfChunks::no,
     "dg_base_two",
     "dg is that of a logarithm to base 2"},
    {BackwardFault::dg_late, Shows::with_gates, OfChunks::no, "dg_late", "dg is a token late"},
    {BackwardFault::dg_early, Shows::with_gates, OfChunks::no, "dg_early", "dg is a token early"},
    {BackwardFault::dg_state_term_lost,
     Shows::with_gates,
     OfChunks::no,
     "dg_state_term_lost",
     "dg lacks the part that comes from the final state"},
    {BackwardFault::state_gradient_lost_at_chunks,
     Shows::always,
     OfChunks::yes,
     "state_gradient_lost_at_chunks",
     "the gradient of the state is lost at the boundary between chunks"},
    {BackwardFault::last_chunk_ignored,
     Shows::always,
     OfChunks::partial,
     "last_chunk_ignored",
     "do of the last, incomplete chunk is left out of the gradient of the state"},
    {BackwardFault::dg_not_cumulated_across_chunks,
     Shows::with_gates,
     OfChunks::yes,
     "dg_not_cumulated_across_chunks",
     "dg is summed within chunks alone"},
    {BackwardFault::dg_state_term_lost_in_last_chunk,
     Shows::with_gates,
     OfChunks::partial,
     "dg_state_term_lost_in_last_chunk",
     "dg of the last, incomplete chunk lacks the part that comes from the final state"},
}};

bool can_show(const FaultRow& row, const KernelCall& call) {
    switch (row.shows) {
        case Shows::always:
            return true;
        case Shows::with_state:
            return call.recurrence != Recurrence::normalised;
        case Shows::with_correction:
            return has_correction(call.recurrence);
        case Shows::with_beta:
            return has_correction(call.recurrence) && call.contains("beta");
        case Shows::with_gates:
            return has_gates(call);
    }
    return false;
}

}  // namespace

std::string_view to_string(BackwardFault fault) {
    for (const FaultRow& row : kFaults) {
        if (row.fault == fault) {
            return row.name;
        }
    }
    return "none";
}

std::vector<GradientFault> gradient_faults(const KernelCall& call, Index sequence) {
    std::vector<GradientFault> all;
    const Index tokens = call.length(sequence);
    for (const FaultRow& row : kFaults) {
        if (!can_show(row, call)) {
            continue;
        }
        if (row.chunks == OfChunks::no) {
            all.push_back(
                {PlantedFault{row.fault, 64}, std::string(row.name), std::string(row.sentence)});
            continue;
        }
        for (const Index chunk : kChunksTried) {
            const Index offset = chunk_offset(call, sequence, chunk);
            const bool several = tokens + offset > chunk;
            const bool whole = (tokens + offset) % chunk == 0;
            if (row.chunks == OfChunks::yes ? several : !whole) {
                all.push_back({PlantedFault{row.fault, chunk, offset},
                               std::string(row.name),
                               formatted("{}, with chunks of {} tokens", row.sentence, chunk)});
            }
        }
    }
    return all;
}

}  // namespace attest
