#pragma once

#include "tasks/text/corpus.hpp"

namespace attest {

/// Gives every document its part, as CorpusOptions::split says. Throws InvalidInput when a part
/// that learning needs stays empty, or for a list that names no document.
[[nodiscard]] Corpus split_corpus(Corpus corpus, const CorpusOptions& options);

}  // namespace attest
