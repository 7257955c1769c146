#pragma once

#include "core/rng/grid_law.hpp"
#include "core/rng/stream.hpp"
#include "tasks/labels.hpp"
#include "tasks/parameters.hpp"
#include "tasks/task.hpp"

#include <optional>

namespace attest {

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
