#pragma once

#include "core/rng/grid_law.hpp"
#include "core/rng/stream.hpp"
#include "tasks/parameters.hpp"
#include "tasks/task.hpp"
#include "tasks/teacher.hpp"

#include <memory>

namespace attest {

enum class EntryLaw : std::uint8_t {
    gaussian,
    uniform,
    laplace,
    three_point,
    rademacher,
    bernoulli
};

inline constexpr Choices<EntryLaw, 6> kEntryLaws{{{EntryLaw::gaussian, "gaussian"},
                                                  {EntryLaw::uniform, "uniform"},
                                                  {EntryLaw::laplace, "laplace"},
                                                  {EntryLaw::three_point, "three_point"},
                                                  {EntryLaw::rademacher, "rademacher"},
                                                  {EntryLaw::bernoulli, "bernoulli"}}};

/// Options of the data of Lemma A.5: the entries of Z are independent draws from one law.
struct IidEntriesOptions {
    Index d = 4;
    LengthRange n{16, 16};
    EntryLaw law = EntryLaw::gaussian;
    double p = 0.5;     ///< P(0) of three_point, P(1) of bernoulli; unused otherwise
    double mean = 0.0;  ///< added to every entry; a multiple of 2⁻⁴⁰ such as 0.5
    Index o = 0;        ///< outputs of the teacher; 0: the same as d
    Index heads = 0;    ///< planted heads; 0: no labels
    TeacherKind teacher = TeacherKind::normalised;
};

/// The law of one entry, shift included; its moments are exact. Throws InvalidInput if the mean is
/// not a multiple of 2⁻⁴⁰, or p is needed and not within (0,1).
[[nodiscard]] GridLaw entry_law(const IidEntriesOptions& options);

/// The task. Truth: the planted heads, if any.
[[nodiscard]] std::unique_ptr<Task> iid_entries(const IidEntriesOptions& options,
                                                const Stream& stream);

/// The task's row in the registry.
[[nodiscard]] std::vector<TaskParameter> iid_entries_parameters();
[[nodiscard]] std::unique_ptr<Task> read_iid_entries(const ParameterReader& reader,
                                                     const Stream& stream);

}  // namespace attest
