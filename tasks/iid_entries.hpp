#pragma once

#include "core/rng/grid_law.hpp"
#include "core/rng/stream.hpp"
#include "tasks/labels.hpp"
#include "tasks/task.hpp"
#include "tasks/teacher.hpp"

#include <memory>
#include <optional>

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

/// What an EntrySequences task is made of.
struct EntrySequencesSpec {
    TaskDescription description;  ///< its stream is filled in
    Index d = 1;
    GridLaw law;
    LengthRange lengths;
    std::optional<Parameters> teacher;  ///< without one there are no labels
    LabelKind labels = LabelKind::per_sequence;
};

/// Sequences with independent entries from one law, labelled by planted heads. Sequence i draws
/// from stream.child("example").child(i): tokens column by column, so a longer sequence extends a
/// shorter one.
class EntrySequences final : public Task {
public:
    EntrySequences(EntrySequencesSpec spec, const Stream& stream);

    [[nodiscard]] TaskTraits traits() const override;

    [[nodiscard]] TaskDescription description() const override { return spec_.description; }

    [[nodiscard]] Index length(Index i) const override;
    [[nodiscard]] Sequence draw(Index i) const override;
    [[nodiscard]] GroundTruth truth() const override;

private:
    EntrySequencesSpec spec_;
    Stream examples_;
    std::optional<Labeller> labeller_;
};

}  // namespace attest
