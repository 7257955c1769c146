#pragma once

#include "tasks/text/tokeniser.hpp"

#include <filesystem>

namespace attest {

/// The tokens of one file: plain text, or CoNLL-U if its name ends in .conllu (words of multiword
/// tokens, no empty nodes). Streams. Throws InvalidInput naming file and line.
void read_text_tokens(const std::filesystem::path& path,
                      TextUnit unit,
                      const Tokeniser::Visit& visit);

}  // namespace attest
