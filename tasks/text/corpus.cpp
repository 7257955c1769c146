#include "tasks/text/corpus.hpp"

#include "core/base/choice.hpp"
#include "core/exact/split_mix.hpp"
#include "tasks/text/split.hpp"
#include "tasks/text/text_file.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

namespace attest {

namespace {

namespace fs = std::filesystem;

constexpr Choices<TextPart, 4> kTextParts{{{TextPart::train, "train"},
                                           {TextPart::validation, "validation"},
                                           {TextPart::test, "test"},
                                           {TextPart::unused, "unused"}}};

bool is_letter_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

/// Names of the regular files below the folder, sorted; a link is none.
std::vector<std::string> file_names(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        if (is_hidden(at->path())) {
            at.disable_recursion_pending();
        } else if (at->symlink_status().type() == fs::file_type::regular) {
            names.push_back(at->path().lexically_relative(folder).generic_string());
        }
    }
    require(!error, "{}: cannot be listed: {}", folder.string(), error.message());
    std::sort(names.begin(), names.end());
    return names;
}

/// Numbers the types of the tokens that it is given.
class Lexicon {
public:
    explicit Lexicon(Corpus& corpus) : corpus_(corpus) {}

    std::int32_t number(std::string_view token) {
        const auto [at, is_new] = numbers_.try_emplace(
            std::string(token), static_cast<std::int32_t>(corpus_.types.size()));
        if (is_new) {
            corpus_.types.emplace_back(token);
        }
        return at->second;
    }

private:
    Corpus& corpus_;
    std::unordered_map<std::string, std::int32_t> numbers_;
};

/// Hashes of the k-grams of the documents of one part.
std::vector<std::uint64_t> ngram_hashes(const Corpus& corpus, TextPart part, Index k) {
    std::vector<std::uint64_t> hashes;
    for (const Document& document : corpus.documents) {
        if (document.part != part) {
            continue;
        }
        for (Index end = k; end <= std::ssize(document.tokens); ++end) {
            std::uint64_t hash = 0;
            for (Index at = end - k; at < end; ++at) {
                hash = split_mix(hash ^ static_cast<std::uint64_t>(
                                            document.tokens[static_cast<std::size_t>(at)] + 1));
            }
            hashes.push_back(hash);
        }
    }
    return hashes;
}

}  // namespace

std::string_view to_string(TextPart part) {
    return name_of(kTextParts, part);
}

TextPart text_part_from_string(std::string_view name) {
    return choice_named("part of a text", name, kTextParts);
}

Index Corpus::num_tokens(TextPart part) const {
    Index count = 0;
    for (const Document& document : documents) {
        count += document.part == part ? std::ssize(document.tokens) : 0;
    }
    return count;
}

std::string family_of(const std::string& name) {
    const std::size_t folder = name.find('/');
    if (folder != std::string::npos) {
        return name.substr(0, folder);
    }
    const auto end = std::find_if_not(name.begin(), name.end(), is_letter_of_name);
    return end == name.begin() ? name : std::string(name.begin(), end);
}

Corpus read_corpus(const CorpusOptions& options) {
    const fs::path path(options.path);
    std::error_code error;
    const bool folder = fs::is_directory(path, error);
    require(folder || fs::is_regular_file(path, error),
            "{}: is neither a file nor a folder; expected text, or a folder of texts",
            options.path);
    Corpus corpus;
    Lexicon lexicon(corpus);
    const std::vector<std::string> names =
        folder ? file_names(path) : std::vector<std::string>{path.filename().string()};
    for (const std::string& name : names) {
        Document document;
        document.name = name;
        document.family = family_of(name);
        read_text_tokens(folder ? path / name : path, options.unit, [&](std::string_view token) {
            document.tokens.push_back(lexicon.number(token));
        });
        corpus.documents.push_back(std::move(document));
    }
    return split_corpus(std::move(corpus), options);
}

double shared_ngrams(const Corpus& corpus, TextPart train, TextPart held_out, Index k) {
    require(k >= 1, "shared_ngrams: got k = {}, expected at least 1", k);
    const std::vector<std::uint64_t> seen = ngram_hashes(corpus, train, k);
    const std::vector<std::uint64_t> fresh = ngram_hashes(corpus, held_out, k);
    require(!fresh.empty(),
            "shared_ngrams: no document of the part {} has {} tokens",
            to_string(held_out),
            k);
    const std::unordered_set<std::uint64_t> known(seen.begin(), seen.end());
    const auto shared = std::count_if(
        fresh.begin(), fresh.end(), [&](std::uint64_t hash) { return known.contains(hash); });
    return static_cast<double>(shared) / static_cast<double>(fresh.size());
}

}  // namespace attest
