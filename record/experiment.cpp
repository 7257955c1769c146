#include "record/experiment.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "record/jsonl.hpp"

#include <cmath>
#include <exception>
#include <map>
#include <new>
#include <set>
#include <utility>

namespace attest {

namespace {

using RowsByCase = std::map<std::string, Row>;

void require_distinct(const Experiment& experiment) {
    std::set<std::string> seen;
    for (const Case& one : experiment.cases) {
        ensure(seen.insert(identity(one.key)).second,
               formatted("run_experiment: {}: two cases {}", experiment.id, describe(one.key)));
    }
}

CaseOutcome run_or_explain(const Case& one) {
    const auto ended = [](RowStatus status, const char* why) {
        return CaseOutcome{.status = status, .message = why};
    };
    const StopScope ended_by_signals(&signal_token());
    try {
        return one.run();
    } catch (const Interrupted& error) {
        return ended(RowStatus::interrupted, error.what());
    } catch (const NotAvailable& error) {
        return ended(RowStatus::skipped, error.what());
    } catch (const EnvironmentFailure& error) {
        return ended(RowStatus::refused, error.what());
    } catch (const std::bad_alloc&) {
        return ended(RowStatus::refused, "out of memory");
    } catch (const std::exception& error) {
        return ended(RowStatus::failed, error.what());
    } catch (...) {
        return ended(RowStatus::failed, "an exception that is no std::exception");
    }
}

// A NaN is no result: what was measured beside it is kept, but the case has failed.
void fail_on_nan(CaseOutcome& outcome) {
    for (const auto& [name, metric] : outcome.metrics) {
        if (outcome.status == RowStatus::ok && std::isnan(metric.value)) {
            outcome.status = RowStatus::failed;
            outcome.message = "metric " + name + " is not a number";
        }
    }
}

Row run_case(const Case& one, const std::string& id, const std::string& blas) {
    const Timer timer;
    CaseOutcome outcome = run_or_explain(one);
    const double seconds = timer.seconds();
    fail_on_nan(outcome);
    return {.id = id,
            .key = one.key,
            .status = outcome.status,
            .message = std::move(outcome.message),
            .metrics = std::move(outcome.metrics),
            .seconds = seconds,
            .blas = blas,
            .evidence = std::move(outcome.evidence)};
}

ResumedRows open_rows(const Experiment& experiment,
                      const DirectoryLock& output,
                      const Provenance& provenance,
                      Restart restart) {
    const ResultHeader header{.configuration = {.id = experiment.id,
                                                .profile = experiment.profile,
                                                .seed = experiment.seed,
                                                .parameters = experiment.parameters,
                                                .code_version = code_version(provenance)},
                              .provenance = provenance};
    const std::string name = result_path(experiment, output).filename().string();
    if (restart == Restart::resume) {
        return JsonlWriter::resume(output, name, header);
    }
    return {JsonlWriter(output, name, header), {}, {}};
}

RowsByCase finished_rows(const std::vector<Row>& rows) {
    RowsByCase finished;
    for (const Row& row : rows) {
        if (row.status == RowStatus::ok) {
            finished.emplace(identity(row.key), row);
        }
    }
    return finished;
}

Index count_left(const Experiment& experiment, const RowsByCase& finished) {
    Index left = 0;
    for (const Case& one : experiment.cases) {
        left += finished.contains(identity(one.key)) ? 0 : 1;
    }
    return left;
}

[[noreturn]] void stop(const Experiment& experiment, const JsonlWriter& writer, std::size_t done) {
    throw Interrupted(formatted("{}: interrupted; {} of {} cases are in {}, continue with --resume",
                                experiment.id,
                                done,
                                experiment.cases.size(),
                                writer.path().string()));
}

}  // namespace

std::filesystem::path result_path(const Experiment& experiment, const DirectoryLock& output) {
    return output.directory() / (experiment.id + ".jsonl");
}

std::vector<Row> run_experiment(const Experiment& experiment,
                                const DirectoryLock& output,
                                const Provenance& provenance,
                                Restart restart,
                                const ProgressOptions& progress) {
    require_distinct(experiment);
    ResumedRows file = open_rows(experiment, output, provenance, restart);
    const RowsByCase finished = finished_rows(file.rows);
    Progress shown(experiment.id, count_left(experiment, finished), progress);
    for (const std::string& text : file.messages) {
        shown.message(text);
    }
    std::vector<Row> rows;
    for (const Case& one : experiment.cases) {
        if (const auto found = finished.find(identity(one.key)); found != finished.end()) {
            rows.push_back(found->second);
            continue;
        }
        if (interrupted()) {
            stop(experiment, file.writer, rows.size());
        }
        shown.begin(describe(one.key));
        rows.push_back(run_case(one, experiment.id, blas_summary(provenance)));
        const Row& row = rows.back();
        file.writer.append(row);
        if (row.status != RowStatus::ok) {
            shown.message(
                formatted("{}: {}: {}", to_string(row.status), describe(row.key), row.message));
        }
        if (row.status == RowStatus::interrupted) {
            stop(experiment, file.writer, rows.size() - 1);
        }
        shown.advance();
    }
    return rows;
}

}  // namespace attest
