#include "tasks/entry_sequences.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"

namespace attest {

EntrySequences::EntrySequences(EntrySequencesSpec spec, const Stream& stream)
    : spec_(std::move(spec)), examples_(stream.child("example")) {
    require(spec_.d >= 1 && spec_.lengths.shortest >= 1 &&
                spec_.lengths.longest >= spec_.lengths.shortest,
            "task {}: got d = {} and n = {}, expected at least 1",
            spec_.description.name,
            spec_.d,
            to_string(spec_.lengths));
    spec_.description.stream = stream.path();
    if (spec_.teacher) {
        labeller_.emplace(*spec_.teacher, spec_.law.bits());
    }
}

TaskTraits EntrySequences::traits() const {
    TaskTraits traits;
    traits.d = spec_.d;
    traits.o = spec_.teacher ? spec_.teacher->o : 0;
    traits.labels = spec_.teacher ? spec_.labels : LabelKind::none;
    traits.realisable = spec_.teacher.has_value();
    traits.bitwise = spec_.lengths.longest <= spec_.law.exact_feature_length();
    traits.max_length = spec_.lengths.longest;
    return traits;
}

Index EntrySequences::length(Index i) const {
    const auto [shortest, longest] = spec_.lengths;
    if (shortest == longest) {
        return shortest;
    }
    Draws draws(examples_.child(i).child("length"));
    const auto choices = static_cast<std::uint64_t>(longest - shortest + 1);
    return shortest + static_cast<Index>(draws.below(choices));
}

Sequence EntrySequences::draw(Index i) const {
    if (i < 0) {
        throw InvalidInput(
            formatted("task {}: got sequence {}, expected at least 0", spec_.description.name, i));
    }
    const Stream tokens = examples_.child(i).child("tokens");
    Sequence sequence{grid_matrix(spec_.law, spec_.d, length(i), tokens), Matrix()};
    if (labeller_) {
        sequence.y = labeller_->labels(sequence.Z, spec_.labels);
    }
    return sequence;
}

GroundTruth EntrySequences::truth() const {
    GroundTruth truth;
    truth.heads = spec_.teacher;
    return truth;
}

}  // namespace attest
