#include "record/row.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

constexpr Choices<RowStatus, 5> kRowStatusNames{{
    {RowStatus::ok, "ok"},
    {RowStatus::failed, "failed"},
    {RowStatus::refused, "refused"},
    {RowStatus::interrupted, "interrupted"},
    {RowStatus::skipped, "skipped"},
}};

Json metric_to_json(const Metric& metric) {
    Json object;
    object["value"] = number_or_word(metric.value);
    if (metric.bound) {
        object["bound"] = number_or_word(*metric.bound);
    }
    if (!metric.unit.empty()) {
        object["unit"] = metric.unit;
    }
    if (!metric.exact.empty()) {
        object["exact"] = metric.exact;
    }
    return object;
}

Metric metric_from_json(const Json& object, const std::string& name) {
    const std::string what = "row: metric " + name;
    Metric metric;
    metric.value = number_from_json(member(object, "value", what), what);
    if (object.contains("bound")) {
        metric.bound = number_from_json(object.at("bound"), what + " bound");
    }
    if (object.contains("unit")) {
        metric.unit = text_member(object, "unit", what);
    }
    if (object.contains("exact")) {
        metric.exact = text_member(object, "exact", what);
    }
    return metric;
}

void add_key(Json& object, const CaseKey& key) {
    object["task"] = key.task;
    object["parameters"] = to_json_object(key.parameters);
    object["learner"] = key.learner;
    object["learner_parameters"] = to_json_object(key.learner_parameters);
    object["seed"] = key.seed;
    object["stream"] = key.stream;
    object["repetition"] = key.repetition;
    object["precision"] = key.precision;
}

CaseKey key_from_json(const Json& object) {
    return {.task = text_member(object, "task", "row"),
            .parameters = parameters_from_json(member(object, "parameters", "row"), "row"),
            .learner = text_member(object, "learner", "row"),
            .learner_parameters =
                parameters_from_json(member(object, "learner_parameters", "row"), "row"),
            .seed = whole_member(object, "seed", "row"),
            .stream = text_member(object, "stream", "row"),
            .repetition = static_cast<Index>(whole_member(object, "repetition", "row")),
            .precision = text_member(object, "precision", "row")};
}

std::string with_parameters(const std::string& name, const ParameterMap& parameters) {
    return parameters.empty() ? name : name + " (" + to_string(parameters) + ")";
}

}  // namespace

Metric zero_up_to(double level, double value) {
    return value < level ? Metric{value, value} : Metric{value};
}

std::string_view to_string(RowStatus status) {
    return name_of(kRowStatusNames, status);
}

RowStatus row_status_from_string(std::string_view text) {
    if (const std::optional<RowStatus> status = find_choice(kRowStatusNames, text)) {
        return *status;
    }
    throw InvalidInput(formatted(
        "row: got status \"{}\", expected ok, failed, refused, interrupted or skipped", text));
}

std::string identity(const CaseKey& key) {
    Json object;
    add_key(object, key);
    return json_text(object);
}

std::string describe(const CaseKey& key) {
    std::string text = with_parameters(key.task, key.parameters);
    if (!key.learner.empty()) {
        text += ", " + with_parameters(key.learner, key.learner_parameters);
    }
    return formatted("{}, seed {}, repetition {}", text, key.seed, key.repetition);
}

Json to_json_object(const Row& row) {
    Json object;
    object["schema"] = row.schema;
    object["kind"] = "row";
    object["id"] = row.id;
    add_key(object, row.key);
    object["status"] = to_string(row.status);
    object["message"] = row.message;
    object["metrics"] = Json::object();
    for (const auto& [name, metric] : row.metrics) {
        object["metrics"][name] = metric_to_json(metric);
    }
    object["seconds"] = number_or_word(row.seconds);
    object["blas"] = row.blas;
    if (!row.evidence.empty()) {
        object["evidence"] = parse_json(row.evidence, "row: evidence");
    }
    return object;
}

Row row_from_json(const Json& object) {
    const std::uint64_t schema = whole_member(object, "schema", "row");
    require(schema == kRowSchema, "row: got schema {}, expected {}", schema, kRowSchema);
    const std::string kind = text_member(object, "kind", "row");
    require(kind == "row", R"(row: got kind "{}", expected "row")", kind);
    Row row{.schema = kRowSchema,
            .id = text_member(object, "id", "row"),
            .key = key_from_json(object),
            .status = row_status_from_string(text_member(object, "status", "row")),
            .message = text_member(object, "message", "row"),
            .metrics = {},
            .seconds = number_from_json(member(object, "seconds", "row"), "row: seconds"),
            .blas = text_member(object, "blas", "row")};
    const Json& metrics = member(object, "metrics", "row");
    require(metrics.is_object(), "row: metrics: expected an object");
    for (const auto& [name, metric] : metrics.items()) {
        row.metrics.emplace(name, metric_from_json(metric, name));
    }
    if (object.contains("evidence")) {
        require(object.at("evidence").is_object(), "row: evidence: expected an object");
        row.evidence = json_text(object.at("evidence"));
    }
    return row;
}

}  // namespace attest
