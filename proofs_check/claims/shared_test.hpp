#pragma once

#include "proofs_check/claims/evidence.hpp"

#include <string>
#include <utility>

namespace attest {

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
