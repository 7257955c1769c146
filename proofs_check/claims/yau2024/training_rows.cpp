#include "proofs_check/claims/yau2024/training_rows.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/jsonl.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::yau2024 {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// (update, error) of the kept curve, ascending.
std::vector<std::pair<double, double>> curve(const Row& row) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [name, metric] : row.metrics) {
        if (name.rfind("loss_", 0) == 0) {
            points.emplace_back(std::stod(name.substr(5)), metric.value);
        }
    }
    return points;
}

std::vector<Row> committed_rows(const ClaimContext& context,
                                const std::string& id,
                                const std::string& profile) {
    const std::filesystem::path path = context.results / profile / (id + ".jsonl");
    if (!std::filesystem::exists(path)) {
        const bool smaller = std::filesystem::exists(context.results / "quick" / (id + ".jsonl"));
        throw NotAvailable(formatted(
            "claims: got no {}, expected the rows of `attest reproduce {} --profile {} --out {}`{}",
            path.string(),
            id,
            profile,
            context.results.string(),
            smaller ? "; those of the quick profile are there, and too few to decide it"
            : std::filesystem::exists(context.results)
                ? ""
                : "; --results names the folder, which the sources of Attest have"));
    }
    return latest_rows(read_result_file(path).rows);
}

}  // namespace

std::vector<Row> training_rows(const ClaimContext& context, const std::string& id) {
    const bool large = context.profile == Profile::full &&
                       std::filesystem::exists(context.results / "full" / (id + ".jsonl"));
    return committed_rows(context, id, large ? "full" : "quick");
}

std::vector<Row> full_rows(const ClaimContext& context, const std::string& id) {
    return committed_rows(context, id, "full");
}

std::vector<Row> trainings(const std::vector<Row>& rows,
                           Index d,
                           const std::string& learner,
                           Index size) {
    const double rate = learner == "transformer" ? 0.001 : 0.01;
    return trainings_at(rows, {d, learner, size, rate, 32});
}

std::vector<Row> trainings_at(const std::vector<Row>& rows, const Setting& setting) {
    const char* const parameter = setting.learner == "heads" ? "heads" : "layers";
    std::vector<Row> chosen;
    for (const Row& row : select_rows(rows, "learner", setting.learner)) {
        if (row.status == RowStatus::ok && std::lround(number_field(row, "d")) == setting.d &&
            std::lround(number_field(row, parameter)) == setting.size &&
            std::lround(number_field(row, "batch_size")) == setting.batch &&
            std::abs(number_field(row, "rate") - setting.rate) < 1e-3 * setting.rate) {
            chosen.push_back(row);
        }
    }
    if (chosen.empty()) {
        throw NotAvailable(
            formatted("claims: got no rows of {} {} at d = {}, rate {}, batch {}, expected those "
                      "of the full profile",
                      setting.size,
                      setting.learner,
                      setting.d,
                      setting.rate,
                      setting.batch));
    }
    std::sort(chosen.begin(), chosen.end(), [](const Row& a, const Row& b) {
        return a.key.repetition < b.key.repetition;
    });
    return chosen;
}

double final_error(const Row& row) {
    const auto found = row.metrics.find("held_out_relative");
    if (found == row.metrics.end()) {
        return kNever;
    }
    return found->second.value;
}

double updates_to(const Row& row, double error) {
    for (const auto& [update, loss] : curve(row)) {
        if (loss <= error) {
            return update;
        }
    }
    return kNever;
}

double error_after(const Row& row, double update) {
    double last = kNever;
    for (const auto& [at, loss] : curve(row)) {
        last = at <= update ? loss : last;
    }
    return last;
}

double median_of(std::vector<double> values) {
    require(!values.empty(), "median_of: got no values");
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace attest::yau2024
