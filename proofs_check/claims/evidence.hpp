#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

/// What a claim's checks amount to. No outcome is ever written down by hand: `outcome_of` computes
/// it.
enum class Outcome : std::uint8_t {
    holds,
    holds_after_correction,  ///< the printed form is refuted, the corrected form holds
    false_as_printed,        ///< refuted, and no corrected form holds
    vacuous,                 ///< nothing satisfies its hypothesis
    inconclusive,
    skipped,  ///< what it needs is not available here
};

[[nodiscard]] std::string_view to_string(Outcome outcome);

/// What a check speaks about.
enum class Form : std::uint8_t {
    printed,     ///< the statement as printed
    tested,      ///< the statement as tested: the corrected form, or details of the printed one
    hypothesis,  ///< that some input satisfies the hypothesis
    control,     ///< that a planted fault is noticed
};

[[nodiscard]] std::string_view to_string(Form form);

enum class Verdict : std::uint8_t { holds, violated, inconclusive };

[[nodiscard]] std::string_view to_string(Verdict verdict);

/// The arithmetic of a finding that went through random instances: it proves those, no theorem.
inline constexpr const char* kSampled = "exact on samples";

/// One check with its numbers in full, so that it can be redone by hand.
struct Finding {
    Form form = Form::tested;
    Verdict verdict = Verdict::inconclusive;
    std::string text;       ///< what was computed, with values
    std::string precision;  ///< "exact", kSampled, "double", "50 digits", …
    int test = 0;           ///< findings of one SharedTest have its number; 0 for none
    bool accepted = false;  ///< what that test said
};

/// What a test says of one input.
struct Answer {
    bool accepted = false;
    std::string text;
};

/// The findings of one claim, in order.
class Evidence {
public:
    /// Adds a finding: holds if the condition does, else violated.
    void check(Form form,
               bool condition,
               const std::string& text,
               const std::string& precision = "exact");
    /// Adds a finding that settles nothing.
    void undecided(Form form, const std::string& text, const std::string& precision);

    /// Adds what a shared test said: the finding holds if the answer is the `wanted` one.
    void add(Form form, const Answer& answer, bool wanted, const std::string& precision, int test);

    [[nodiscard]] int next_test() { return ++num_tests_; }

    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

    /// Whether some test accepted one input and refused another, and one of the two findings speaks
    /// of the statement: then the claim's evidence has been seen to come out both ways.
    [[nodiscard]] bool has_shared_control() const;

private:
    std::vector<Finding> findings_;
    int num_tests_ = 0;
};

/// Joins the findings. A control that notices nothing, or any inconclusive finding: inconclusive.
/// Printed form violated: holds_after_correction if there is a tested form and it holds, else
/// false_as_printed. Otherwise vacuous if no input satisfies the hypothesis, false_as_printed if
/// the tested form is violated, holds if the printed or the tested form has a finding at all.
[[nodiscard]] Outcome outcome_of(const Evidence& evidence);

/// One test, a function from an input to an Answer, run on the input of the statement and on inputs
/// with a planted fault: a control shares the statement's code because there is no other way to
/// write it down.
template <class Function>
class SharedTest {
public:
    SharedTest(Evidence& evidence, Function function, std::string precision = "exact")
        : evidence_(&evidence),
          function_(std::move(function)),
          precision_(std::move(precision)),
          number_(evidence.next_test()) {}

    /// The statement, or its hypothesis, holds for this input if the test accepts it.
    template <class... Input>
    void check(Form form, const Input&... input) const {
        evidence_->add(form, function_(input...), true, precision_, number_);
    }

    /// The planted fault is noticed if the test refuses this input.
    template <class... Input>
    void control(const Input&... input) const {
        evidence_->add(Form::control, function_(input...), false, precision_, number_);
    }

    /// Beside a refutation: the test accepts this input, so it does not refuse everything.
    template <class... Input>
    void accepts(const Input&... input) const {
        evidence_->add(Form::control, function_(input...), true, precision_, number_);
    }

private:
    Evidence* evidence_;
    Function function_;
    std::string precision_;
    int number_;
};

}  // namespace attest
