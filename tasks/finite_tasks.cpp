#include "tasks/finite_tasks.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace attest {

namespace {

using Permutation = std::vector<Index>;

FiniteGroup cyclic(Index m) {
    FiniteGroup group{m, {}, {1}};
    for (Index a = 0; a < m; ++a) {
        for (Index b = 0; b < m; ++b) {
            group.products.push_back((a + b) % m);
        }
    }
    return group;
}

Permutation composed(const Permutation& a, const Permutation& b) {
    Permutation ab;
    for (const Index i : b) {
        ab.push_back(a[static_cast<std::size_t>(i)]);
    }
    return ab;
}

FiniteGroup symmetric(Index m) {
    Permutation next(static_cast<std::size_t>(m));
    std::iota(next.begin(), next.end(), Index{0});
    Permutation swap = next;
    std::swap(swap[0], swap[1]);
    Permutation cycle = next;
    std::rotate(cycle.begin(), cycle.begin() + 1, cycle.end());
    std::vector<Permutation> elements;
    std::map<Permutation, Index> numbers;
    do {
        numbers[next] = std::ssize(elements);
        elements.push_back(next);
    } while (std::next_permutation(next.begin(), next.end()));
    FiniteGroup group{std::ssize(elements), {}, {numbers[swap]}};
    if (m > 2) {
        group.generators.push_back(numbers[cycle]);
    }
    for (const Permutation& a : elements) {
        for (const Permutation& b : elements) {
            group.products.push_back(numbers[composed(a, b)]);
        }
    }
    return group;
}

using Word = std::vector<Index>;

constexpr Index kLongestWord = 14;
constexpr double kMostWords = 20000.0;

enum class Letters : std::uint8_t { elements, generators };
constexpr Choices<Letters, 2> kLetters{
    {{Letters::elements, "elements"}, {Letters::generators, "generators"}}};

/// Where the key of a pair stands: in the token of its value, in the token before, or in both,
/// every token carrying the one before beside it.
enum class PairForm : std::uint8_t { joined, split, shifted };
constexpr Choices<PairForm, 3> kPairForms{
    {{PairForm::joined, "joined"}, {PairForm::split, "split"}, {PairForm::shifted, "shifted"}}};

std::vector<Word> one_hot(const Word& word) {
    std::vector<Word> tokens;
    for (const Index letter : word) {
        tokens.push_back({letter});
    }
    return tokens;
}

Vector number(double value) {
    return Vector::Constant(1, value);
}

Dataset word_problem(const ParameterReader& reader) {
    const FiniteGroup group = group_named(reader.text("group"));
    Word letters = group.generators;
    if (reader.choice("letters", kLetters) == Letters::elements) {
        letters.resize(static_cast<std::size_t>(group.order));
        std::iota(letters.begin(), letters.end(), Index{0});
    }
    LabelledWords words(std::ssize(letters), group.order);
    for_each_word(
        std::ssize(letters), reader.integer("length", 1, kLongestWord), [&](const Word& word) {
            Index product = 0;
            for (const Index letter : word) {
                product = group.product(product, letters[static_cast<std::size_t>(letter)]);
            }
            words.add(one_hot(word), Vector::Unit(group.order, product));
        });
    return words.finish();
}

Dataset parity(const ParameterReader& reader) {
    LabelledWords words(2, 1);
    for_each_word(2, reader.integer("length", 1, kLongestWord), [&](const Word& word) {
        const Index ones = std::accumulate(word.begin(), word.end(), Index{0});
        words.add(one_hot(word), number(ones % 2 == 0 ? 1.0 : -1.0));
    });
    return words.finish();
}

Dataset majority(const ParameterReader& reader) {
    LabelledWords words(2, 1);
    for_each_word(2, reader.integer("length", 1, kLongestWord), [&](const Word& word) {
        const Index lead =
            2 * std::accumulate(word.begin(), word.end(), Index{0}) - std::ssize(word);
        words.add(one_hot(word), number(lead > 0 ? 1.0 : lead < 0 ? -1.0 : 0.0));
    });
    return words.finish();
}

/// The tokens of some pairs and of the key that asks, value v being coordinate keys + v.
std::vector<Word> recall_tokens(
    const Word& keys, const Word& values, Index asked, PairForm form, Index num_letters) {
    std::vector<Word> tokens;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Index value = std::ssize(keys) + values[i];
        if (form == PairForm::joined) {
            tokens.push_back({keys[i], value});
        } else {
            tokens.push_back({keys[i]});
            tokens.push_back({value});
        }
    }
    tokens.push_back({asked});
    for (std::size_t t = tokens.size(); form == PairForm::shifted && --t > 0;) {
        tokens[t].push_back(num_letters + tokens[t - 1].front());
    }
    return tokens;
}

Dataset recall(const ParameterReader& reader) {
    const Index pairs = reader.integer("pairs", 1, 5);
    const Index num_values = reader.integer("values", 2, 5);
    const PairForm form = reader.choice("form", kPairForms);
    const double inputs = std::pow(static_cast<double>(num_values), static_cast<double>(pairs)) *
                          std::tgamma(static_cast<double>(pairs) + 1.0) *
                          static_cast<double>(pairs);
    require(inputs <= kMostWords,
            "recall: {} pairs of {} values make {} inputs, more than 20000; take fewer",
            pairs,
            num_values,
            static_cast<Index>(inputs));
    const Index letters = pairs + num_values;
    LabelledWords words(form == PairForm::shifted ? 2 * letters : letters, num_values);
    for_each_word(num_values, pairs, [&](const Word& values) {
        Word keys(static_cast<std::size_t>(pairs));
        std::iota(keys.begin(), keys.end(), Index{0});
        do {
            for (std::size_t i = 0; i < keys.size(); ++i) {
                words.add(recall_tokens(keys, values, keys[i], form, letters),
                          Vector::Unit(num_values, values[i]));
            }
        } while (std::next_permutation(keys.begin(), keys.end()));
    });
    return words.finish();
}

/// Letters 0 and 1 write −1 and 1, letter 2 writes nothing and, at the end, asks.
Dataset last_write(const ParameterReader& reader) {
    LabelledWords words(3, 1);
    for_each_word(3, reader.integer("length", 2, kLongestWord) - 1, [&](const Word& word) {
        const auto last =
            std::find_if(word.rbegin(), word.rend(), [](Index letter) { return letter != 2; });
        if (last != word.rend()) {
            std::vector<Word> tokens = one_hot(word);
            tokens.push_back({2});
            words.add(tokens, number(*last == 0 ? -1.0 : 1.0));
        }
    });
    return words.finish();
}

const TaskParameter kLength{"length", "3", "tokens of every word, at most 14"};

/// What a layer reads beside tokens; empty where that is all.
std::string beside_tokens(const Layer& layer) {
    if (layer.form == TokenForm::supplied) {
        return "s and u";
    }
    if (layer.form == TokenForm::mapped) {
        return "phi";
    }
    if (layer.form == TokenForm::delta) {
        return "keys and beta";
    }
    if (layer.gates != GateForm::none) {
        return "gates";
    }
    return layer.cross ? "x" : "";
}

void require_tokens_only(std::string_view task, const Layer& layer) {
    const std::string more = beside_tokens(layer);
    require(more.empty(),
            "task {}: its inputs are tokens, and the layer {} reads {}; label inputs of yours, and "
            "attest certify --expressible",
            task,
            to_string(layer),
            more);
}

}  // namespace

FiniteGroup group_named(std::string_view name) {
    const std::optional<Index> m =
        name.empty() ? std::nullopt : parse_number<Index>(name.substr(1));
    if (m && name.front() == 'Z' && 2 <= *m && *m <= 64) {
        return cyclic(*m);
    }
    if (m && name.front() == 'S' && 2 <= *m && *m <= 5) {
        return symmetric(*m);
    }
    throw UnknownName(
        formatted("group: got {}, expected Z2 to Z64 or S2 to S5", in_quotes(std::string(name))));
}

std::span<const FiniteTask> finite_tasks() {
    static const std::vector<FiniteTask> tasks{
        {"word-problem",
         "the product of a word in a group, one-hot",
         {{"group", "Z2", "Z2 to Z64, S2 to S5"},
          {"letters", "elements", "elements, or generators: 1 of Zm; (1 2), (1 2 ... m) of Sm"},
          kLength},
         word_problem},
        {"parity", "1 or -1: are the ones of a binary word even or odd?", {kLength}, parity},
        {"majority", "1, -1 or 0: more ones than zeros in a binary word?", {kLength}, majority},
        {"recall",
         "the value beside a key: pairs in every order, then one of the keys",
         {{"pairs", "2", "keys, each once, 1 to 5"},
          {"values", "2", "different values, 2 to 5"},
          {"form", "joined", "key and value in one token, split, or shifted: split with the last"}},
         recall},
        {"last-write",
         "1 or -1, what was written last, among tokens that write nothing",
         {kLength},
         last_write},
    };
    return tasks;
}

Dataset enumerate_task(std::string_view name,
                       const std::map<std::string, std::string>& parameters,
                       const Layer& layer) {
    std::vector<std::string> known;
    for (const FiniteTask& task : finite_tasks()) {
        if (task.name == name) {
            Dataset data =
                task.enumerate(ParameterReader(std::string(name), task.parameters, parameters));
            require_tokens_only(name, layer);
            data.layer = layer;
            check(data);
            (void)data.layout();
            return data;
        }
        known.emplace_back(task.name);
    }
    throw UnknownName(unknown_name_message("task", name, known));
}

std::vector<FiniteCase> finite_cases() {
    std::vector<FiniteCase> cases;
    const auto add = [&](const std::string& task,
                         const std::map<std::string, std::string>& parameters,
                         const std::vector<std::string>& layers) {
        for (const std::string& layer : layers) {
            cases.push_back({task, parameters, layer});
        }
    };
    const std::vector<std::string> kernels{"linear", "decay=1,1/2", "lags=2"};
    for (const char* length : {"2", "3", "4", "6", "8"}) {
        add("parity", {{"length", length}}, kernels);
    }
    for (const char* length : {"2", "3", "5", "7"}) {
        add("majority", {{"length", length}}, kernels);
    }
    for (const char* group : {"Z2", "Z3", "Z5", "S3"}) {
        for (const char* length : {"2", "3", "4"}) {
            add("word-problem", {{"group", group}, {"length", length}}, {"linear", "lags=2"});
        }
    }
    for (const char* length : {"2", "4", "6", "8"}) {
        add("word-problem",
            {{"group", "S5"}, {"letters", "generators"}, {"length", length}},
            kernels);
    }
    for (const char* pairs : {"2", "3"}) {
        for (const char* form : {"joined", "split", "shifted"}) {
            add("recall", {{"pairs", pairs}, {"form", form}}, {"linear"});
        }
    }
    for (const char* length : {"2", "3", "4", "6"}) {
        add("last-write", {{"length", length}}, kernels);
    }
    return cases;
}

void LabelledWords::add(const std::vector<std::vector<Index>>& tokens, const Vector& label) {
    ensure(label.size() == o_, "LabelledWords: a label of another size");
    std::vector<Vector> sequence;
    for (const std::vector<Index>& ones : tokens) {
        Vector token = Vector::Zero(d_);
        for (const Index j : ones) {
            token(j) = 1.0;
        }
        sequence.push_back(std::move(token));
    }
    inputs_.add(sequence);
    labels_.insert(labels_.end(), label.data(), label.data() + o_);
}

Dataset LabelledWords::finish() const {
    Dataset data = inputs_.finish();
    data.labels = LabelKind::per_sequence;
    data.y = Eigen::Map<const Matrix>(labels_.data(), o_, inputs_.size());
    return data;
}

void for_each_word(Index letters,
                   Index length,
                   const std::function<void(const std::vector<Index>&)>& visit) {
    const double count = std::pow(static_cast<double>(letters), static_cast<double>(length));
    require(count <= kMostWords,
            "the words of {} letters out of {} are more than 20000; take shorter ones",
            length,
            letters);
    std::vector<Index> word(static_cast<std::size_t>(length), 0);
    for (auto left = static_cast<Index>(std::llround(count)); left > 0; --left) {
        visit(word);
        for (std::size_t i = word.size(); i > 0; --i) {
            Index& letter = word[i - 1];
            letter = (letter + 1) % letters;
            if (letter != 0) {
                break;
            }
        }
    }
}

}  // namespace attest
