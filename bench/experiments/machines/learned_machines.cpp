#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/learning/learned_run.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

// Section 5 of arXiv 2410.10101 on machines with a name: each belongs to a class of very many, of
// which a layer sees the first steps of random runs only. Does what it saw determine the whole run
// of the named machine, and does the layer print it?
//
// Expected outcome: busy beavers and the increment are certified and exact to their end, longer
// runs than any of the training set included; choosing runs actively takes a fraction.

namespace {

constexpr Index kTrainSteps = 6;

struct Setting {
    std::string machine;
    Index runs_offered;
    Selection selection;
};

/// log10 of the number of machines that training runs are drawn from.
double log10_class_size(const TuringShape& shape) {
    const double choices = static_cast<double>(shape.symbols) *
                           (shape.moves == Moves::with_stay ? 3.0 : 2.0) *
                           static_cast<double>(shape.states + shape.halting);
    return static_cast<double>(shape.states * shape.symbols) * std::log10(choices);
}

CaseOutcome measure(const Setting& setting, const Stream& stream) {
    const NamedMachine* const named = find_named_machine(setting.machine);
    ensure(named != nullptr, "learned_machines: every machine of the list has a name");
    const LearnedRun found = learned_run(*named,
                                         {.train_runs = setting.runs_offered,
                                          .train_steps = kTrainSteps,
                                          .selection = setting.selection},
                                         stream.child("train"));
    const TuringShape& shape = found.program.shape();
    CaseOutcome outcome;
    const auto add = [&](const char* name, double value) { outcome.metrics[name] = {value}; };
    add("cells", static_cast<double>(shape.cells));
    add("d", static_cast<double>(found.program.program().schema.dim()));
    add("log10_machines", log10_class_size(shape));
    add("train_runs", static_cast<double>(found.learned.num_traces));
    add("train_tokens", static_cast<double>(found.learned.num_tokens));
    add("rank", static_cast<double>(found.learned.rank));
    add("steps", static_cast<double>(found.simulated.result.steps));
    add("tokens", static_cast<double>(found.certified.size()));
    add("tokens_certified",
        static_cast<double>(std::count(found.certified.begin(), found.certified.end(), true)));
    add("exact", found.run.readable && found.run.trace == found.expected ? 1.0 : 0.0);
    return outcome;
}

Case machine_case(const Setting& setting, std::uint64_t seed, Index repetition) {
    const Stream stream =
        Stream(seed).child("learned_machines").child(setting.machine).child(repetition);
    CaseKey key;
    key.task = setting.machine;
    key.parameters = {{"runs_offered", std::int64_t{setting.runs_offered}},
                      {"train_steps", std::int64_t{kTrainSteps}}};
    key.learner = setting.selection == Selection::active ? "exact_active" : "exact_random";
    key.seed = seed;
    key.stream = stream.path();
    key.repetition = repetition;
    key.precision = "exact";
    return {key, [=] { return measure(setting, stream); }};
}

Table machine_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::fixed, 0};
    return group_table(rows,
                       {"task", "runs_offered", "learner"},
                       {{"cells", whole},
                        {"log10_machines", {NumberFormat::Style::fixed, 1}},
                        {"train_runs", whole},
                        {"train_tokens", whole},
                        {"rank", whole},
                        {"steps", whole},
                        {"tokens", whole},
                        {"tokens_certified", whole},
                        {"exact", whole}});
}

Experiment make_learned_machines(Profile profile, std::uint64_t seed) {
    Experiment experiment{"learned_machines", profile, seed};
    const auto offer = [&](const char* machine,
                           Index runs,
                           Selection selection,
                           Index repetitions) {
        for (Index repetition = 0; repetition < repetitions; ++repetition) {
            experiment.cases.push_back(machine_case({machine, runs, selection}, seed, repetition));
        }
    };
    const auto offer_both = [&](const char* machine, Index runs, Index repetitions) {
        offer(machine, runs, Selection::all, repetitions);
        offer(machine, runs, Selection::active, repetitions);
    };
    offer_both("bb2", 3000, profile == Profile::quick ? 1 : 3);
    if (profile == Profile::full) {
        offer_both("increment", 4000, 3);
        offer_both("bb3_steps", 6000, 3);
        offer_both("bb3_ones", 6000, 3);
        offer_both("binary_counter", 10000, 3);
        offer("bb4", 30000, Selection::all, 1);  // ten minutes
    }
    return experiment;
}

std::string learned_machines_text(const std::vector<Row>& rows) {
    return formatted(
               "Named machines, learned from random runs of at most {} steps, median over seeds\n",
               kTrainSteps) +
           to_terminal(machine_table(rows)) +
           "\ntokens certified: proved over Z; exact: 1 if the layer, fed by itself, prints the "
           "simulator's trace\n";
}

Derived learned_machines_derived(const std::vector<Row>& rows) {
    return {.tables = {{"learned_machines", machine_table(rows)}}};
}

}  // namespace

ExperimentEntry learned_machines() {
    return {.id = "learned_machines",
            .summary = "busy beavers and others learned from short random runs of their class",
            .quick_seconds = 4.0,
            .full_seconds = 3600.0,
            .make = make_learned_machines,
            .text = learned_machines_text,
            .derive_numbered = learned_machines_derived};
}

}  // namespace attest
