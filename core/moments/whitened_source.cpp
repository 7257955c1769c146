#include "core/moments/whitened_source.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/moments/whitening.hpp"

namespace attest {

namespace {

std::function<void(Dataset&)> whiten_by(const SequenceSource& data, const Matrix& L) {
    const Index d = data.shape().d;
    require(L.rows() == d && L.cols() == d,
            "WhitenedSource: got L {}x{}, expected {}x{}",
            L.rows(),
            L.cols(),
            d,
            d);
    return [L](Dataset& part) { part.tokens = whiten_tokens<double>(L, part.tokens.view()); };
}

}  // namespace

WhitenedSource::WhitenedSource(const SequenceSource& data, const Matrix& L)
    : whitened_(data, whiten_by(data, L)), source_(whitened_) {}

}  // namespace attest
