#include "tasks/text/split.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace attest {

namespace {

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

}  // namespace attest
