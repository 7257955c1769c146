#include "distributed/agreement.hpp"

#include <array>
#include <new>
#include <string>

namespace attest {

namespace {

struct Failure {
    FailureKind kind = FailureKind::none;
    std::string message;
};

Failure failure_of(const std::function<void()>& phase) {
    try {
        phase();
        return {};
    } catch (const UnknownName& error) {
        return {FailureKind::usage, error.what()};
    } catch (const InvalidInput& error) {
        return {FailureKind::input, error.what()};
    } catch (const NotAvailable& error) {
        return {FailureKind::unavailable, error.what()};
    } catch (const EnvironmentFailure& error) {
        return {FailureKind::environment, error.what()};
    } catch (const std::bad_alloc&) {
        return {FailureKind::environment, "out of memory; take more ranks or fewer examples"};
    } catch (const std::exception& error) {
        return {FailureKind::internal, std::string("internal error: ") + error.what()};
    }
}

/// The speaker's text on every rank.
std::string told(const Communicator& ranks, std::string text, Index speaker) {
    std::array<Index, 1> length{std::ssize(text)};
    ranks.broadcast(length, speaker);
    text.resize(static_cast<std::size_t>(length[0]));
    ranks.broadcast(std::as_writable_bytes(std::span(text)), speaker);
    return text;
}

}  // namespace

void together(const Communicator& ranks, const std::function<void()>& phase) {
    const Failure mine = failure_of(phase);
    // The worst kind, of the first rank that has it: P·kind + (P − 1 − rank).
    const auto P = static_cast<double>(ranks.size());
    const auto rank = static_cast<double>(ranks.rank());
    std::array<double, 1> worst{P * static_cast<double>(mine.kind) + (P - 1.0 - rank)};
    ranks.largest(worst);
    const auto code = static_cast<Index>(worst[0]);
    const auto kind = static_cast<FailureKind>(code / ranks.size());
    if (kind == FailureKind::none) {
        return;
    }
    const Index speaker = ranks.size() - 1 - code % ranks.size();
    std::string message = told(ranks, mine.message, speaker);
    if (ranks.size() > 1) {
        message += formatted(" (rank {} of {})", speaker, ranks.size());
    }
    throw AgreedFailure(kind, message);
}

void require_same(const Communicator& ranks, std::string_view what, const std::string& text) {
    const std::string first = told(ranks, text, 0);
    together(ranks, [&] {
        require(text == first, "{}: got '{}', rank 0 has '{}'; start all alike", what, text, first);
    });
}

}  // namespace attest
