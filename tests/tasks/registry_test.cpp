#include "tasks/registry.hpp"

#include "core/layers/parse_layer.hpp"
#include "tasks/associative_memory.hpp"
#include "tasks/icl_regression.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/random_layer.hpp"
#include "tasks/random_linear_attention.hpp"
#include "tasks/softmax_attention.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

std::string failure(const std::string& task, const std::map<std::string, std::string>& parameters) {
    try {
        (void)make_task(task, parameters, 1);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Registry, ListsTheTasksWithTheirParameters) {
    for (const TaskEntry& entry : task_registry()) {
        EXPECT_FALSE(entry.summary.empty()) << entry.name;
        ASSERT_GE(entry.parameters.size(), 3U) << entry.name;
        EXPECT_EQ(entry.parameters.back().name, "noise") << entry.name;
        for (const TaskParameter& parameter : entry.parameters) {
            EXPECT_FALSE(parameter.description.empty()) << entry.name << ' ' << parameter.name;
        }
        EXPECT_EQ(&task_named(entry.name), &entry);
    }
}

TEST(Registry, DefaultsInTheTableAreThoseOfTheOptions) {
    const Stream stream(1);
    std::vector<std::unique_ptr<Task>> tasks;
    tasks.push_back(random_linear_attention({}, stream));
    tasks.push_back(random_layer({layer_named("decay=1,31/32")}, stream));
    tasks.push_back(std::make_unique<AssociativeMemory>(AssociativeMemoryOptions{}, stream));
    tasks.push_back(iid_entries({}, stream));
    tasks.push_back(icl_regression({}, stream));
    tasks.push_back(std::make_unique<SoftmaxAttention>(SoftmaxAttentionOptions{}, stream));

    ASSERT_EQ(tasks.size(), task_registry().size());
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        const TaskEntry& entry = task_registry()[t];
        const TaskDescription description = tasks[t]->description();
        EXPECT_EQ(description.name, entry.name);
        ASSERT_EQ(description.parameters.size() + 2, entry.parameters.size()) << entry.name;
        for (std::size_t i = 0; i < description.parameters.size(); ++i) {
            EXPECT_EQ(description.parameters[i].first, entry.parameters[i].name);
            EXPECT_EQ(description.parameters[i].second, entry.parameters[i].default_value)
                << entry.name << ' ' << entry.parameters[i].name;
        }
    }
}

TEST(Registry, UnknownTasksAreRefusedWithTheListAndTheNearest) {
    EXPECT_SAYS(failure("asociative-memory", {}), "task: got 'asociative-memory'");
    EXPECT_THROW((void)task_named("x"), UnknownName);
}

TEST(Registry, UnknownParametersAndChoicesAreRefused) {
    EXPECT_SAYS(failure("iid-entries", {{"laww", "uniform"}}),
                "parameter of iid-entries: got 'laww'");
    EXPECT_SAYS(failure("iid-entries", {{"law", "gausian"}}),
                "task iid-entries: law: got 'gausian'");
    EXPECT_SAYS(failure("iid-entries", {{"relabel", "soft"}}),
                "task iid-entries: relabel: got 'soft'");
}

TEST(Registry, ValuesThatDoNotFitAreRefused) {
    EXPECT_SAYS(failure("iid-entries", {{"d", "four"}}), "task iid-entries: d: got 'four'");
    EXPECT_SAYS(failure("iid-entries", {{"noise", "0.1"}}),
                "noisy labels: task iid-entries has no labels");
    EXPECT_SAYS(failure("iid-entries", {{"mean", "0.1"}}), "grid law gaussian: got shift 0.1");
    EXPECT_EQ(failure("iid-entries", {{"law", "bernoulli"}, {"p", "1"}}),
              "probability: got 1, expected a number between 0 and 1");
    EXPECT_SAYS(failure("associative-memory", {{"labels", "printed"}, {"teacher", "random"}}),
                "task associative-memory: the printed labels belong to the paper's teacher");
}

TEST(Registry, TasksOfOneSeedDrawFromStreamsOfTheirOwn) {
    const std::unique_ptr<Task> a = make_task("random-linear-attention", {}, 1);
    const std::unique_ptr<Task> b = make_task("iid-entries", {}, 1);

    EXPECT_NE(a->draw(0).Z, b->draw(0).Z);
}

TEST(Registry, ARepetitionIsAnotherRootStream) {
    const Stream root = Stream(1).child("fig2");
    const std::unique_ptr<Task> first = make_task("associative-memory", {}, root.child(0));
    const std::unique_ptr<Task> second = make_task("associative-memory", {}, root.child(1));

    EXPECT_NE(first->draw(0).Z, second->draw(0).Z);
    EXPECT_EQ(second->description().stream, "1/fig2[1]/associative-memory");
}

}  // namespace
}  // namespace attest
