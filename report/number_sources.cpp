#include "report/number_sources.hpp"

#include "core/base/bitwise.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace attest {

namespace {

/// A number that more rows hold than this says nothing about any of them.
constexpr std::size_t kMostRows = 60;

/// "minimum_norm" and "minimum norm" are one word to a reader.
std::string spaced(std::string_view text) {
    std::string words(text);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

/// A decimal as it was printed: its value and how precisely it says it.
struct Printed {
    double value = 0.0;
    double half_digit = 0.0;  ///< half a unit in the last digit shown; 0 for whole numbers and 0.0
    bool whole = false;
};

std::optional<Printed> printed_number(std::string_view text) {
    Printed number;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number.value);
    // A mark behind the number ("4e-16 !") is the table's own.
    const bool whole_cell = parsed.ptr == end || *parsed.ptr == ' ';
    if (parsed.ec != std::errc() || !whole_cell || !std::isfinite(number.value)) {
        return std::nullopt;
    }
    const std::string_view mantissa = text.substr(0, text.find_first_of("eE "));
    bool leading = true;
    int digits = 0;
    for (const char letter : mantissa) {
        leading = leading && (letter == '0' || letter == '.' || letter == '-');
        digits += !leading && letter >= '0' && letter <= '9' ? 1 : 0;
    }
    number.whole = text.find_first_not_of("-0123456789") == std::string_view::npos;
    if (!number.whole && !is_zero(number.value)) {
        const double exponent = std::floor(std::log10(std::fabs(number.value)));
        // A little more than half, for the rounding of this product itself.
        number.half_digit = 0.5000001 * std::pow(10.0, exponent - digits + 1);
    }
    return number;
}

/// Whether `value`, rounded to the digits shown, is the number.
bool rounds_to(double value, const Printed& number) {
    if (is_zero(number.half_digit)) {
        return bitwise_equal(value, number.value) || (is_zero(value) && is_zero(number.value));
    }
    return std::fabs(value - number.value) <= number.half_digit;
}

/// "rank" and "nullity": "rank, nullity"; a name that is in the list already is not repeated.
void add_name(std::string& list, const std::string& name) {
    if (list != name && !list.ends_with(", " + name)) {
        list += ", " + name;
    }
}

/// Adds what nothing tells apart from the source found so far.
void join(NumberSource& source, const NumberSource& other) {
    add_name(source.metric, other.metric);
    add_name(source.statistic, other.statistic);
    source.rows.insert(source.rows.end(), other.rows.begin(), other.rows.end());
    std::sort(source.rows.begin(), source.rows.end());
    source.rows.erase(std::unique(source.rows.begin(), source.rows.end()), source.rows.end());
}

std::string group_of(const Row& row) {
    CaseKey key = row.key;
    key.seed = 0;
    key.stream.clear();
    key.repetition = 0;
    return identity(key);
}

}  // namespace

NumberSources::NumberSources(const std::vector<Row>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const CaseKey& key = rows[i].key;
        Settings settings{{"task", spaced(key.task)}, {"learner", spaced(key.learner)}};
        for (const ParameterMap* map : {&key.parameters, &key.learner_parameters}) {
            for (const auto& [name, value] : *map) {
                settings.emplace_back(spaced(name), spaced(to_string(value)));
            }
        }
        settings_.push_back(std::move(settings));
        for (const auto& [name, metric] : rows[i].metrics) {
            candidates_.push_back({metric.value, {name, "value", {i}}, i});
        }
    }
    add_groups(rows);
}

void NumberSources::add_groups(const std::vector<Row>& rows) {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].status == RowStatus::ok) {
            groups[group_of(rows[i])].push_back(i);
        }
    }
    for (const auto& [identity, members] : groups) {
        std::map<std::string, std::vector<double>> values;
        for (const std::size_t i : members) {
            for (const auto& [name, metric] : rows[i].metrics) {
                if (std::isfinite(metric.value)) {
                    values[name].push_back(metric.value);
                }
            }
        }
        for (const auto& [name, sample] : values) {
            const Summary summary = summarise(sample);
            if (summary.count > 1) {
                candidates_.push_back({summary.mean, {name, "mean", members}, members.front()});
                candidates_.push_back({summary.median, {name, "median", members}, members.front()});
                candidates_.push_back({summary.min, {name, "least", members}, members.front()});
                candidates_.push_back({summary.max, {name, "greatest", members}, members.front()});
            }
        }
    }
}

int NumberSources::score(const Candidate& candidate,
                         const std::vector<HeadedCell>& line,
                         std::size_t at) const {
    const std::string header = spaced(line[at].header);
    int points = header == spaced(candidate.source.metric) ? 2 : 0;
    for (const auto& [name, value] : settings_[candidate.settings]) {
        points += value == header ? 2 : 0;
        for (std::size_t j = 0; j < line.size(); ++j) {
            if (j != at && spaced(line[j].text) == value) {
                points += spaced(line[j].header) == name ? 3 : 1;
            }
        }
    }
    // One row that holds the number says more than a mean that happens to equal it.
    return 2 * points + (candidate.source.rows.size() == 1 ? 1 : 0);
}

bool NumberSources::is_setting(std::size_t settings,
                               const HeadedCell& cell,
                               const std::string& metric) const {
    const Settings& all = settings_[settings];
    return spaced(cell.header) != spaced(metric) &&
           std::any_of(all.begin(), all.end(), [&](const auto& setting) {
               return setting.second == spaced(cell.text);
           });
}

std::optional<NumberSource> NumberSources::find(const std::vector<HeadedCell>& line,
                                                std::size_t at) const {
    const std::optional<Printed> number = printed_number(line[at].text);
    if (!number) {
        return std::nullopt;
    }
    std::optional<NumberSource> best;
    std::size_t settings = 0;
    bool exact = false;
    int most = -1;
    for (const Candidate& candidate : candidates_) {
        if (!rounds_to(candidate.value, *number)) {
            continue;
        }
        const int points = score(candidate, line, at);
        if (points > most) {
            best = candidate.source;
            settings = candidate.settings;
            exact = bitwise_equal(candidate.value, number->value);
            most = points;
        } else if (points == most && best) {
            join(*best, candidate.source);
        }
    }
    // A whole number stands in many rows by chance: the column must name the metric or the setting.
    const bool named = most >= (number->whole ? 4 : 0);
    const bool says_something = best && named && best->rows.size() <= kMostRows;
    const bool is_other = !exact && is_setting(settings, line[at], best->metric);
    return says_something && !is_other ? best : std::nullopt;
}

}  // namespace attest
