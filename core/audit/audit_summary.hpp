#pragma once

#include "core/audit/layer_audit.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// How much an observation should worry.
enum class Concern : std::uint8_t {
    alarm,  ///< something is open or wrong
    note,   ///< worth knowing
};
[[nodiscard]] std::string_view to_string(Concern concern);

/// One thing that an audit saw.
struct Observation {
    std::string kind;  ///< snake_case: "too_few_examples", or the kind of a cause
    Concern concern = Concern::note;
    std::string sentence;
    std::string advice;  ///< what to do; empty where nothing
};

/// Whether the layer is the only one that fits as well, and on which inputs.
enum class Uniqueness : std::uint8_t {
    everywhere,    ///< proved, for every input
    lengths_seen,  ///< proved, for inputs as long as the data's
    held_out,      ///< proved, for every held-out input; elsewhere not
    none,
    undecided,
};
[[nodiscard]] std::string_view to_string(Uniqueness uniqueness);

/// An audit for a person in a hurry.
struct AuditSummary {
    Uniqueness unique = Uniqueness::undecided;
    std::string unique_in_words;
    std::string good_in_words;              ///< how good the layer is
    std::vector<Observation> observations;  ///< alarms first

    /// The advice of the alarms, each once; that nothing is to do where there is none.
    [[nodiscard]] std::vector<std::string> what_to_do() const;
    [[nodiscard]] Index alarms() const;
};

/// A rounding of labels to bfloat16, u = 2⁻⁸, is at most this relative risk: u²‖y‖² of ‖y‖². A
/// layer that is worse than the best one by no more may owe it to how its outputs were stored.
inline constexpr double kStoredRisk = 0x1p-16;

/// "5 tokens", "2 to 9 tokens": the lengths of the data's sequences.
[[nodiscard]] std::string tokens_in_words(const LayerAudit& audit);

[[nodiscard]] AuditSummary summarise(const LayerAudit& audit);

}  // namespace attest
