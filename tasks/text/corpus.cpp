#include "tasks/text/corpus.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/modulus.hpp"
#include "tasks/text/text_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
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

struct Share {
    TextPart part;
    double weight;
};

constexpr std::array kShares{
    Share{TextPart::train, 0.7}, Share{TextPart::validation, 0.1}, Share{TextPart::test, 0.2}};

struct FamilyPart {
    std::string_view family;
    TextPart part;
};

/// Licences that quote one another are all trained on.
constexpr std::array kLicenceParts{FamilyPart{"GPL", TextPart::train},
                                   FamilyPart{"LGPL", TextPart::train},
                                   FamilyPart{"GFDL", TextPart::train},
                                   FamilyPart{"Artistic", TextPart::validation},
                                   FamilyPart{"BSD", TextPart::validation},
                                   FamilyPart{"CC", TextPart::validation},
                                   FamilyPart{"Apache", TextPart::test},
                                   FamilyPart{"MPL", TextPart::test}};

void split_licences(Corpus& corpus) {
    for (Document& document : corpus.documents) {
        const auto* const found =
            std::find_if(kLicenceParts.begin(), kLicenceParts.end(), [&](const FamilyPart& known) {
                return known.family == document.family;
            });
        document.part = found == kLicenceParts.end() ? TextPart::unused : found->part;
    }
    corpus.split = "families of licences";
}

/// The part that lacks most tokens of its share; an empty one where groups are running out.
TextPart neediest(const std::map<TextPart, double>& filled, double total, std::size_t groups) {
    const auto empty = static_cast<std::size_t>(std::count_if(
        filled.begin(), filled.end(), [](const auto& at) { return at.second <= 0.0; }));
    TextPart best = TextPart::train;
    double most = -total;
    for (const Share& share : kShares) {
        const double lacking = share.weight * total - filled.at(share.part);
        if (lacking > most && (groups > empty || filled.at(share.part) <= 0.0)) {
            most = lacking;
            best = share.part;
        }
    }
    return best;
}

/// Groups of documents, the largest first, each to the part that lacks most.
void split_groups(Corpus& corpus, bool by_family) {
    std::map<std::string, double> sizes;
    double total = 0.0;
    const auto group_of = [&](const Document& document) {
        return by_family ? document.family : document.name;
    };
    for (const Document& document : corpus.documents) {
        sizes[group_of(document)] += static_cast<double>(document.tokens.size());
        total += static_cast<double>(document.tokens.size());
    }
    std::vector<std::pair<std::string, double>> order(sizes.begin(), sizes.end());
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.second > b.second;
    });
    std::map<TextPart, double> filled;
    for (const Share& share : kShares) {
        filled[share.part] = 0.0;
    }
    std::map<std::string, TextPart> parts;
    std::size_t left = order.size();
    for (const auto& [group, size] : order) {
        parts[group] = neediest(filled, total, left--);
        filled[parts[group]] += size;
    }
    for (Document& document : corpus.documents) {
        document.part = parts.at(group_of(document));
    }
    corpus.split = by_family ? "families of documents" : "documents";
}

/// One document: its beginning, its middle, its end.
void cut_in_order(Corpus& corpus) {
    const Document whole = corpus.documents.front();
    corpus.documents.clear();
    const auto size = static_cast<double>(whole.tokens.size());
    double from = 0.0;
    for (const Share& share : kShares) {
        const double to = from + share.weight;
        const auto first = static_cast<std::ptrdiff_t>(from * size);
        const auto last = static_cast<std::ptrdiff_t>(std::min(to * size, size));
        Document piece = whole;
        piece.name = formatted("{}:{}", whole.name, to_string(share.part));
        piece.part = share.part;
        piece.tokens.assign(whole.tokens.begin() + first, whole.tokens.begin() + last);
        corpus.documents.push_back(std::move(piece));
        from = to;
    }
    corpus.split = "one document, cut in order";
}

void split_by_list(Corpus& corpus, const std::string& path) {
    std::ifstream in(path);
    require(in.good(),
            "--split: got {}, expected family, file, or the path of a list of lines PART NAME",
            in_quotes(path));
    for (Document& document : corpus.documents) {
        document.part = TextPart::unused;
    }
    std::string line;
    for (Index number = 1; std::getline(in, line); ++number) {
        std::istringstream words(line);
        std::string part;
        std::string name;
        if (!(words >> part) || part.front() == '#') {
            continue;
        }
        std::getline(words >> std::ws, name);
        bool found = false;
        for (Document& document : corpus.documents) {
            if (document.name == name || document.family == name) {
                document.part = text_part_from_string(part);
                found = true;
            }
        }
        require(found,
                "{}: line {}: got {}, expected PART NAME with a document or a family of the text",
                path,
                number,
                in_quotes(line));
    }
    corpus.split = "a list";
}

bool is_built_in(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::equivalent(path, kCommonLicenses, ignored);
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

Corpus split_corpus(Corpus corpus, const CorpusOptions& options) {
    require(!corpus.documents.empty(), "{}: holds no regular file; expected text", options.path);
    if (options.split != "family" && options.split != "file") {
        split_by_list(corpus, options.split);
    } else if (corpus.documents.size() == 1) {
        cut_in_order(corpus);
    } else if (options.split == "family" && is_built_in(options.path)) {
        split_licences(corpus);
    } else {
        split_groups(corpus, options.split == "family");
    }
    for (const Share& share : kShares) {
        require(corpus.num_tokens(share.part) > 0,
                "{}: no text is left for the part {} when split by {}; give more documents, "
                "--split file, or a list of lines PART NAME",
                options.path,
                to_string(share.part),
                corpus.split);
    }
    return corpus;
}

VocabularyText with_vocabulary(const Corpus& corpus, Index size) {
    require(size >= 2, "vocabulary: got {} words, expected at least 2", size);
    std::vector<Index> counts(corpus.types.size(), 0);
    for (const Document& document : corpus.documents) {
        for (const std::int32_t token : document.tokens) {
            counts[static_cast<std::size_t>(token)] += document.part == TextPart::train ? 1 : 0;
        }
    }
    std::vector<std::size_t> order(corpus.types.size());
    std::iota(order.begin(), order.end(), 0);
    order.erase(
        std::remove_if(order.begin(), order.end(), [&](std::size_t i) { return counts[i] == 0; }),
        order.end());
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : corpus.types[a] < corpus.types[b];
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(size) - 1));
    VocabularyText text{{"<unk>"}, {0}, {}};
    std::vector<std::int32_t> number(corpus.types.size(), 0);
    for (const std::size_t type : order) {
        number[type] = static_cast<std::int32_t>(text.vocabulary.size());
        text.vocabulary.push_back(corpus.types[type]);
        text.counts.push_back(counts[type]);
    }
    for (const Document& document : corpus.documents) {
        WordList list{document.part, {}};
        for (const std::int32_t token : document.tokens) {
            list.words.push_back(number[static_cast<std::size_t>(token)]);
        }
        text.documents.push_back(std::move(list));
    }
    text.counts[0] = corpus.num_tokens(TextPart::train) -
                     std::accumulate(text.counts.begin() + 1, text.counts.end(), Index{0});
    return text;
}

std::vector<TextWindow> text_windows(const VocabularyText& text, TextPart part, Index n) {
    require(n >= 1, "text: got windows of {} tokens, expected at least 1", n);
    std::vector<TextWindow> windows;
    for (Index k = 0; k < std::ssize(text.documents); ++k) {
        const WordList& document = text.documents[static_cast<std::size_t>(k)];
        for (Index end = n; document.part == part && end < std::ssize(document.words); ++end) {
            windows.push_back({k, end});
        }
    }
    require(!windows.empty(),
            "text: no document of the part {} has {} tokens, as windows of {} and the next need",
            to_string(part),
            n + 1,
            n);
    return windows;
}

}  // namespace attest
