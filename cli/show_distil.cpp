#include "cli/show_distil.hpp"

#include "core/base/text.hpp"

namespace attest::cli {

namespace {

std::string uniqueness_in_words(const Distilled& found) {
    switch (found.uniqueness) {
        case DataVerdict::determined:
            return "the best layer is one function (proved)";
        case DataVerdict::not_determined:
            return found.determined_on_lengths_seen
                       ? "one function on inputs of these lengths, not on others (proved)"
                       : "not unique: other layers are as good here and differ elsewhere (proved)";
        default:
            return "undecided";
    }
}

std::string in_words(FloorBasis basis) {
    switch (basis) {
        case FloorBasis::exact:
            return "the least risk, exact: no layer of the family is below it (proved)";
        case FloorBasis::rigorous:
            return "no layer of the family is below it (proved, every rounding accounted for)";
        case FloorBasis::numerical:
            return "numerical: proves nothing";
    }
    return "";
}

double relative_to(double value, double power) {
    return power > 0.0 ? value / power : 0.0;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
    return value ? number_or_null(*value) : nlohmann::ordered_json(nullptr);
}

void show_contenders(Output& output, const std::vector<Contender>& contenders) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Contender& each : contenders) {
        rows.push_back({{"trained", to_string(each.form)},
                        {"optimiser", to_string(each.optimiser)},
                        {"start", each.start},
                        {"status", to_string(each.status)},
                        {"relative", or_null(each.relative_risk)},
                        {"held_out_relative", or_null(each.held_out_relative)}});
        const std::string found =
            each.relative_risk
                ? brief(*each.relative_risk) +
                      (each.held_out_relative ? ", held out " + brief(*each.held_out_relative) : "")
                : each.note;
        output.say(formatted("{} on {}, start {}: relative {}",
                             to_string(each.optimiser),
                             to_string(each.form),
                             each.start,
                             found));
    }
    output.add_json("contenders", rows);
}

void show_floor(Output& output, const RiskFloor& floor, double relative, const std::string& words) {
    output.add("floor_basis", to_string(floor.basis));
    output.add("floor", number_or_null(floor.value), brief(floor.value) + ": " + words);
    output.add("floor_relative", number_or_null(relative), brief(relative));
    output.add_json("floor_note", floor.note);
}

}  // namespace

void show_distilled(Output& output, const Distilled& found) {
    const double power = relative_to(found.train.risk, found.train.relative);
    output.add("psi", found.model.P.rows());
    output.add("rank",
               found.rank,
               formatted("{} of {} (proved over Q)", found.rank, found.model.P.rows()));
    output.add("uniqueness", to_string(found.uniqueness), uniqueness_in_words(found));
    output.add_json("determined_on_lengths_seen", found.determined_on_lengths_seen);
    output.add("solver", found.fit.solver);
    output.add("risk", number_or_null(found.train.risk), brief(found.train.risk));
    output.add("relative", number_or_null(found.train.relative), brief(found.train.relative));
    if (found.held_out) {
        output.add("held_out_relative",
                   number_or_null(found.held_out->relative),
                   brief(found.held_out->relative));
    }
    show_floor(
        output, found.floor, relative_to(found.floor.value, power), in_words(found.floor.basis));
    show_contenders(output, found.contenders);
}

void show_distilled(Output& output, const DistilledNormalised& found) {
    const NormalisedFit& fit = found.fit;
    const double relative = relative_to(fit.risk, found.power);
    output.add("risk", number_or_null(fit.risk), brief(fit.risk) + ", the best head found");
    output.add("relative", number_or_null(relative), brief(relative));
    if (found.held_out_relative) {
        output.add("held_out_relative",
                   number_or_null(*found.held_out_relative),
                   brief(*found.held_out_relative));
    }
    show_floor(output,
               {FloorBasis::numerical, fit.floor, 0, "least singular value"},
               relative_to(fit.floor, found.power),
               "no normalised head is below it (numerical)");
    output.add("steps", fit.steps);
}

}  // namespace attest::cli
