#pragma once

#include "core/rng/stream.hpp"
#include "proofs_check/claims/evidence.hpp"
#include "record/parameter.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace attest {

/// How a claim is checked.
enum class Method : std::uint8_t {
    exact,        ///< integers and rationals
    sampled,      ///< integers and rationals, on random instances
    rigorous,     ///< floating point with every rounding error accounted for
    property,     ///< floating point with derived bounds, repeated at 50 and 100 digits
    statistical,  ///< random samples, false-alarm level at most 1e-6
    experiment,   ///< committed result rows
};

[[nodiscard]] std::string_view to_string(Method method);

/// What is the matter with a printed statement, as far as its checks go.
enum class Severity : std::uint8_t {
    none,                ///< the print stands
    misprint,            ///< a slip of the pen; what is meant is clear
    convention,          ///< true in another reading, or of another quantity of the same name
    missing_hypothesis,  ///< true under a hypothesis that is not printed
    wrong_bound,         ///< a bound, rate or constant of another size
    refuted,             ///< a counterexample, and no hypothesis in sight that fixes it as it is
    not_reproduced,      ///< an experiment that comes out otherwise here
    our_statement,       ///< there is no printed form
};

[[nodiscard]] std::string_view to_string(Severity severity);

/// What a run may depend on: equal contexts, equal evidence.
struct ClaimContext {
    Profile profile = Profile::quick;
    Stream stream = Stream(0);                  ///< of this claim alone
    std::filesystem::path results = "results";  ///< committed rows, for experiment claims

    /// The size of a sweep at this profile.
    [[nodiscard]] Index pick(Index quick, Index full) const {
        return profile == Profile::quick ? quick : full;
    }
};

/// Theorems of proofs_check/theory that are what a claim tests.
struct MachineChecked {
    std::string_view theorems = {};  ///< "file.v: name, name; file.v: name"; empty: there are none
    std::string_view part = {};      ///< of the tested statement; empty: they are all of it
};

/// The text of `printed` where the paper's full text is not at hand, and where the statement is
/// this project's own: then no finding speaks of Form::printed.
inline constexpr std::string_view kNotAtHand = "printed form not at hand";
inline constexpr std::string_view kOurs = "no printed form: our statement";

/// Every bound of a statistical claim together: this is the chance that it is refuted though true.
inline constexpr std::string_view kFalseAlarm = "1e-6";

/// One statement of a paper and the check that decides it. Texts are in this project's notation.
struct Claim {
    std::string_view id;  ///< "yau2024/lemma_a7": paper, then the file's number and words
    std::string_view paper = "arXiv 2410.10101";  ///< the suite's first paper, unless another's
    std::string_view place;                       ///< "Lemma A.7"
    std::string_view printed = kOurs;  ///< as printed, a reader's question, kNotAtHand or kOurs
    std::string_view tested;           ///< the statement whose checks are Form::tested
    std::string_view deviation = {};   ///< how the two differ, and why; empty if they do not
    std::string_view depends_on = {};  ///< ids of claims its argument uses, separated by spaces
    Method method = Method::exact;
    Outcome documented = Outcome::holds;          ///< what the committed pages say of it
    Severity severity = Severity::our_statement;  ///< claims of a printed form name theirs
    std::string_view remark = {};       ///< a flaw of the paper's proof, where the statement stands
    std::string_view false_alarm = {};  ///< of a statistical claim: its level
    std::string_view explain;           ///< the argument, a few sentences
    MachineChecked machine_checked = {};
    Evidence (*run)(const ClaimContext&) = nullptr;
    std::string_view source = {};  ///< the Python file of a user's own claim; empty: ours
};

}  // namespace attest
