#include "bench/sweep/toml_table.hpp"

#include "bench/sweep/sweep.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

namespace attest {

namespace {

/// More cases than anybody waits for: a slip in the file.
constexpr Index kMostCases = 100000;

const std::vector<std::string> kLearnKeys = {"layer", "solver", "ridge", "norm", "heads"};
const std::vector<std::string> kCertifyKeys = {"layer", "level"};

/// sweep.hpp lists them too.
const std::vector<std::string> kMetrics = {"psi",
                                           "num_examples",
                                           "train_relative",
                                           "held_out_relative",
                                           "held_out_mse",
                                           "rcond",
                                           "unique",
                                           "error_bound",
                                           "rank",
                                           "heads",
                                           "seconds",
                                           "nullity",
                                           "determined",
                                           "lambda_min",
                                           "condition"};

bool is_snake_case(const std::string& name) {
    return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
           });
}

/// No two are alike: each makes cases of its own.
template <class Value>
void expect_different(const TomlTable& table, const std::string& key, std::vector<Value> values) {
    std::sort(values.begin(), values.end());
    const bool different = std::adjacent_find(values.begin(), values.end()) == values.end();
    table.expect(different, key, "different values, got one twice");
}

/// A number by its value: 0.1 and 1e-1 are one setting.
std::string canonical(const std::string& word) {
    const std::optional<double> number = parse_number<double>(word);
    return number ? round_trip(*number) : word;
}

/// Values of each axis, and those that zipped ones have together.
void expect_different_settings(const TomlTable& table,
                               const std::vector<SweepAxis>& axes,
                               const std::vector<std::string>& zipped = {}) {
    std::vector<std::string> together;
    for (const SweepAxis& axis : axes) {
        std::vector<std::string> words;
        std::transform(
            axis.values.begin(), axis.values.end(), std::back_inserter(words), canonical);
        if (std::find(zipped.begin(), zipped.end(), axis.name) == zipped.end()) {
            expect_different(table, axis.name, words);
            continue;
        }
        together.resize(words.size());
        for (std::size_t i = 0; i < words.size(); ++i) {
            together[i] += words[i] + '\n';
        }
    }
    expect_different(table, "zip", together);
}

std::vector<std::uint64_t> read_seeds(const TomlTable& table) {
    std::vector<std::uint64_t> seeds;
    const std::vector<std::string> words = table.words("seeds", {"1"});
    const bool listed = table.is_list("seeds");
    for (const std::string& word : words) {
        const auto seed = parse_number<std::uint64_t>(word);
        table.expect(seed.has_value() && (listed || *seed > 0) && *seed <= 1'000'000,
                     "seeds",
                     "a number of seeds from 1 on, or a list of seeds");
        seeds.push_back(*seed);
    }
    if (!listed) {
        const std::uint64_t count = seeds.front();
        seeds.clear();
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            seeds.push_back(seed);
        }
    }
    expect_different(table, "seeds", seeds);
    return seeds;
}

/// All keys of a table but some, as axes in the order of the file.
std::vector<SweepAxis> axes_of(const TomlTable& table, const std::vector<std::string>& but = {}) {
    std::vector<SweepAxis> axes;
    for (const std::string& key : table.keys()) {
        if (std::find(but.begin(), but.end(), key) == but.end()) {
            axes.push_back({key, table.words(key)});
        }
    }
    return axes;
}

/// Those of the data, in the order of the file, sequences last.
std::vector<SweepAxis> axes_of_data(const SweepPlan& plan) {
    std::vector<SweepAxis> axes = plan.parameters;
    axes.push_back(plan.sequences);
    return axes;
}

/// The axes that go together, each as long as the first.
std::vector<std::string> read_zipped(const TomlTable& data, const SweepPlan& plan) {
    std::vector<std::string> names = data.words("zip", {});
    const std::vector<SweepAxis> axes = axes_of_data(plan);
    std::vector<std::string> known;
    known.reserve(axes.size());
    for (const SweepAxis& axis : axes) {
        known.push_back(axis.name);
    }
    data.among("zip", names, known);
    std::size_t length = 0;
    for (const SweepAxis& axis : axes) {
        const auto times = std::count(names.begin(), names.end(), axis.name);
        data.expect(times < 2, "zip", "each axis once, got " + axis.name + " twice");
        if (times == 1) {
            length = length == 0 ? axis.values.size() : length;
            data.expect(
                axis.values.size() == length,
                "zip",
                formatted("lists of one length, got {} and {} values", length, axis.values.size()));
        }
    }
    data.expect(names.size() != 1, "zip", "two axes or more");
    return names;
}

void read_data(const TomlTable& data, SweepPlan& plan) {
    plan.task = data.word("task");
    plan.sequences = {"sequences", data.words("sequences")};
    for (const std::string& words : plan.sequences.values) {
        (void)sequences_of(words, 1);
    }
    const auto held_out = parse_number<Index>(data.word("held_out", "1000"));
    data.expect(held_out && *held_out >= 0, "held_out", "a number of sequences from 0 on");
    plan.held_out = *held_out;
    plan.parameters = axes_of(data, {"task", "sequences", "held_out", "zip"});
    plan.zipped = read_zipped(data, plan);
    expect_different_settings(data, axes_of_data(plan), plan.zipped);
}

Scale scale_of(const std::vector<std::string>& logarithmic, const std::string& axis) {
    const bool listed =
        std::find(logarithmic.begin(), logarithmic.end(), axis) != logarithmic.end();
    return listed ? Scale::log10 : Scale::linear;
}

SweepFigure read_figure(const TomlTable& figure, const SweepPlan& plan) {
    figure.know({"x", "y", "by", "log"});
    std::vector<std::string> settings{"num_sequences", "sequences", "seed"};
    for (const auto* const axes : {&plan.parameters, &plan.learn, &plan.certify}) {
        for (const SweepAxis& axis : *axes) {
            settings.push_back(axis.name);
        }
    }
    const std::vector<std::string> logarithmic = figure.words("log", {});
    figure.among("log", logarithmic, {"x", "y"});
    SweepFigure asked{figure.word("x", "num_sequences"),
                      scale_of(logarithmic, "x"),
                      figure.words("y"),
                      scale_of(logarithmic, "y"),
                      figure.words("by", {})};
    figure.among("x", {asked.x}, settings);
    figure.among("by", asked.by, settings);
    figure.among("y", asked.metrics, kMetrics);
    return asked;
}

void expect_few_cases(const SweepPlan& plan, const std::string& place) {
    bool zip_counted = false;
    const auto product = [&](const std::vector<SweepAxis>& axes) {
        double count = 1.0;
        for (const SweepAxis& axis : axes) {
            const bool zipped =
                std::find(plan.zipped.begin(), plan.zipped.end(), axis.name) != plan.zipped.end();
            count *= zipped && zip_counted ? 1.0 : static_cast<double>(axis.values.size());
            zip_counted = zip_counted || zipped;
        }
        return count;
    };
    const double learners = (plan.learn.empty() ? 0.0 : product(plan.learn)) +
                            (plan.certify.empty() ? 0.0 : product(plan.certify));
    const double cases =
        product(axes_of_data(plan)) * static_cast<double>(plan.seeds.size()) * learners;
    require(cases <= static_cast<double>(kMostCases),
            "{}: got {} cases, expected at most {}; give some settings fewer values",
            place,
            cases,
            kMostCases);
}

/// The word of a value; none for a list, a table, a date, or a number that is not finite.
std::optional<std::string> word_of(const toml::node& node) {
    if (const auto* const text = node.as_string(); text != nullptr) {
        return text->get();
    }
    if (const auto* const whole = node.as_integer(); whole != nullptr) {
        return std::to_string(whole->get());
    }
    if (const auto* const number = node.as_floating_point(); number != nullptr) {
        return std::isfinite(number->get()) ? std::optional(round_trip(number->get()))
                                            : std::nullopt;
    }
    if (const auto* const flag = node.as_boolean(); flag != nullptr) {
        return flag->get() ? "true" : "false";
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> SweepPlan::varied(const std::vector<SweepAxis>& learners) const {
    std::vector<std::string> names;
    const auto add = [&](const SweepAxis& axis) {
        if (axis.varies()) {
            names.push_back(axis.name);
        }
    };
    std::for_each(parameters.begin(), parameters.end(), add);
    add(sequences);
    std::for_each(learners.begin(), learners.end(), add);
    return names;
}

Index sequences_of(const std::string& words, Index psi) {
    constexpr std::string_view kUnit = " psi";
    std::optional<Index> count = parse_number<Index>(words);
    if (words.ends_with(kUnit)) {
        const auto multiple =
            parse_number<double>(std::string_view(words).substr(0, words.size() - kUnit.size()));
        const double product = multiple.value_or(0.0) * static_cast<double>(psi);
        count = product > 0.0 && product <= 0x1p40 ? static_cast<Index>(std::ceil(product)) : 0;
    }
    require(count.value_or(0) >= 1,
            "sequences: got '{}', expected a whole number from 1 on, or a multiple of the number "
            "of features, as \"2 psi\"",
            words);
    return *count;
}

SweepPlan sweep_from_text(const std::string& text, const std::string& place) {
    const TomlTable file = TomlTable::parse(text, place);
    file.know({"name", "summary", "seeds", "data", "learn", "certify", "figure"});
    SweepPlan plan;
    plan.text = text;
    plan.name = file.word("name");
    file.expect(is_snake_case(plan.name), "name", "snake_case, which its files are named by");
    file.expect(plan.name != "claims", "name", "another name: rows of claims are attest verify's");
    plan.summary = file.word("summary", plan.name);
    plan.seeds = read_seeds(file);
    read_data(file.table("data"), plan);
    if (const auto learn = file.find_table("learn"); learn) {
        learn->know(kLearnKeys);
        plan.learn = axes_of(*learn);
        expect_different_settings(*learn, plan.learn);
        if (plan.learn.empty()) {
            plan.learn = {{"solver", {"auto"}}};
        }
    }
    if (const auto certify = file.find_table("certify"); certify) {
        certify->know(kCertifyKeys);
        plan.certify = axes_of(*certify);
        expect_different_settings(*certify, plan.certify);
        if (plan.certify.empty()) {
            plan.certify = {{"level", {"exact"}}};
        }
    }
    require(!plan.learn.empty() || !plan.certify.empty(),
            "{}: got neither [learn] nor [certify], expected what is to be done with the data",
            place);
    if (const auto figure = file.find_table("figure"); figure) {
        plan.figure = read_figure(*figure, plan);
    }
    expect_few_cases(plan, place);
    return plan;
}

SweepPlan read_sweep(const std::filesystem::path& path) {
    return sweep_from_text(read_text_file(path), path.string());
}

/// A table lives in the file that was parsed, which all tables of it share.
struct TomlTable::Contents {
    std::shared_ptr<const toml::table> file;
    const toml::table* table;
    std::string place;
    std::string name;  ///< "[learn] ", nothing for the file itself
};

TomlTable::TomlTable(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

TomlTable TomlTable::parse(std::string_view text, const std::string& place) {
    try {
        auto file = std::make_shared<const toml::table>(toml::parse(text));
        const toml::table* const whole = file.get();
        return TomlTable(
            std::make_shared<const Contents>(Contents{std::move(file), whole, place, ""}));
    } catch (const toml::parse_error& error) {
        throw InvalidInput(formatted(
            "{}:{}: {}", place, error.source().begin.line, std::string(error.description())));
    }
}

std::string TomlTable::where(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    const toml::source_region& region =
        node != nullptr ? node->source() : contents_->table->source();
    return formatted("{}:{}: {}{}", contents_->place, region.begin.line, contents_->name, key);
}

void TomlTable::know(const std::vector<std::string>& keys) const {
    for (const std::string& key : this->keys()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
            throw UnknownName(unknown_name_message(where(key), key, keys));
        }
    }
}

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::pair<toml::source_position, std::string>> found;
    for (const auto& [key, node] : *contents_->table) {
        found.emplace_back(key.source().begin, std::string(key.str()));
    }
    std::sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    names.reserve(found.size());
    for (auto& [position, name] : found) {
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<std::string> TomlTable::words(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    expect(node != nullptr, key, "a value; it is missing");
    std::vector<std::string> found;
    const auto add = [&](const toml::node& one) {
        const std::optional<std::string> word = word_of(one);
        expect(word.has_value(), key, "a text, a finite number, true or false, or a list of them");
        found.push_back(*word);
    };
    if (const toml::array* const list = node->as_array(); list != nullptr) {
        for (const toml::node& one : *list) {
            add(one);
        }
        expect(!found.empty(), key, "at least one value");
    } else {
        add(*node);
    }
    return found;
}

std::vector<std::string> TomlTable::words(const std::string& key,
                                          std::vector<std::string> otherwise) const {
    return contents_->table->contains(key) ? words(key) : std::move(otherwise);
}

std::string TomlTable::word(const std::string& key) const {
    expect(!is_list(key), key, "one value, not a list");
    return words(key).front();
}

std::string TomlTable::word(const std::string& key, std::string otherwise) const {
    return contents_->table->contains(key) ? word(key) : std::move(otherwise);
}

bool TomlTable::is_list(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    return node != nullptr && node->is_array();
}

TomlTable TomlTable::table(const std::string& key) const {
    std::optional<TomlTable> found = find_table(key);
    expect(found.has_value(), "[" + key + "]", "a table; it is missing");
    return *std::move(found);
}

std::optional<TomlTable> TomlTable::find_table(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    expect(node->is_table(), key, "a table, [" + key + "]");
    return TomlTable(std::make_shared<const Contents>(
        Contents{contents_->file, node->as_table(), contents_->place, "[" + key + "] "}));
}

void TomlTable::expect(bool fulfilled, const std::string& key, std::string_view expected) const {
    if (!fulfilled) {
        throw InvalidInput(formatted("{}: expected {}", where(key), expected));
    }
}

void TomlTable::among(const std::string& key,
                      const std::vector<std::string>& words,
                      const std::vector<std::string>& known) const {
    for (const std::string& word : words) {
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            throw UnknownName(unknown_name_message(where(key), word, known));
        }
    }
}

}  // namespace attest
