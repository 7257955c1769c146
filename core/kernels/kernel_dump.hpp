#pragma once

#include "core/base/shape.hpp"
#include "core/trained/weights.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The recurrences that kernels compute, by what they do with the state S (K×V) of a head: see
/// docs/kernels.md.
enum class Recurrence : std::uint8_t {
    linear,
    normalised,
    retention,
    simple_gla,
    gla,
    delta,
    gated_delta,
    kda,  ///< the last that has a worst-case bound
    gated_delta_product,
    dplr,
    rwkv7,
    comba,
    gdn2,
    hgrn2,
    ssd,
    mlstm
};

[[nodiscard]] std::string_view to_string(Recurrence recurrence);
[[nodiscard]] std::vector<std::string> recurrence_names();
/// Throws UnknownName.
[[nodiscard]] Recurrence recurrence_named(std::string_view name);
/// Whether the state is corrected by what it already holds of the key.
[[nodiscard]] bool is_delta(Recurrence recurrence);

/// What the gates hold: what the state is multiplied by, or its natural logarithm.
enum class GateEntry : std::uint8_t { factor, logarithm };

/// What one call of a kernel read and wrote, each element exactly as a double, in C order.
struct KernelDump {
    Recurrence recurrence = Recurrence::linear;
    Index batch = 0;
    Index tokens = 0;
    Index heads = 0;
    Index key_dim = 0;                   ///< K
    Index value_dim = 0;                 ///< V
    std::vector<double> q = {}, k = {};  ///< (B,T,H,K)
    std::vector<double> v = {}, o = {};  ///< (B,T,H,V); o may hold NaN and infinities
    GateEntry gate_form = GateEntry::factor;
    Index gate_width = 0;            ///< 0: no gates, 1: one for all of the state, K: one a row
    std::vector<double> gates = {};  ///< (B,T,H,gate_width)
    std::vector<double> beta = {};   ///< (B,T,H), of the delta rule
    std::vector<double> initial_state = {};  ///< (B,H,K,V), or empty: zeros
    std::vector<double> final_state = {};    ///< (B,H,K,V), or empty: not recorded
    std::vector<double> denominators = {};   ///< (B,T,H): divisors other than q·Σk, or empty
    double scale = 1.0;                      ///< of q
    double epsilon = 0.0;                    ///< added to the normaliser

    /// Position of a token and head in an array (B,T,H).
    [[nodiscard]] std::size_t row(Index b, Index t, Index h) const {
        return static_cast<std::size_t>((b * tokens + t) * heads + h);
    }

    /// Position of a head's first entry in an array (B,H,K,V).
    [[nodiscard]] std::size_t state(Index b, Index h) const {
        return static_cast<std::size_t>((b * heads + h) * key_dim * value_dim);
    }
};

/// Which axis of a dump's arrays comes first behind the batch.
enum class DumpLayout : std::uint8_t { time_first, head_first };

/// What a dump's arrays do not say themselves.
struct DumpFormat {
    Recurrence recurrence = Recurrence::linear;
    DumpLayout layout = DumpLayout::time_first;
    std::optional<double> scale = {};  ///< else the array `scale`, else 1/√K
    double epsilon = 0.0;
};

/// A call (core/kernels/kernel_call.hpp) of a kind that has a worst-case bound, all sequences of
/// one length and every head with arrays of its own, of arrays as read_weights reads them with
/// NonFinite::kept. Throws InvalidInput as kernel_call() does, and for gates above 1 in a gated
/// delta rule.
[[nodiscard]] KernelDump kernel_dump(Weights file, const DumpFormat& format);

}  // namespace attest
