#include "tasks/iid_entries.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/rng/sample.hpp"

#include <cmath>

namespace attest {

namespace {

GridLaw centred_law(EntryLaw law, double p) {
    switch (law) {
        case EntryLaw::gaussian:
            return grid_normal();
        case EntryLaw::uniform:
            return grid_uniform();
        case EntryLaw::laplace:
            return grid_laplace();
        case EntryLaw::three_point:
            return three_point(probability_weight(p) & ~std::uint64_t{1});
        case EntryLaw::rademacher:
            return rademacher();
        case EntryLaw::bernoulli:
            return bernoulli(probability_weight(p));
    }
    throw BrokenInvariant("iid-entries: unknown law");
}

TaskDescription describe(const IidEntriesOptions& options) {
    return {"iid-entries",
            {{"d", std::to_string(options.d)},
             {"n", to_string(options.n)},
             {"law", std::string(name_of(kEntryLaws, options.law))},
             {"p", round_trip(options.p)},
             {"mean", round_trip(options.mean)},
             {"o", options.o == 0 ? "d" : std::to_string(options.o)},
             {"heads", std::to_string(options.heads)},
             {"teacher", std::string(name_of(kTeacherKinds, options.teacher))}},
            {}};
}

}  // namespace

GridLaw entry_law(const IidEntriesOptions& options) {
    GridLaw law = centred_law(options.law, options.p);
    return is_zero(options.mean) ? law : law.shifted(options.mean);
}

std::unique_ptr<Task> iid_entries(const IidEntriesOptions& options, const Stream& stream) {
    EntrySequencesSpec spec{describe(options),
                            options.d,
                            entry_law(options),
                            options.n,
                            std::nullopt,
                            LabelKind::per_sequence};
    if (options.heads > 0) {
        TeacherOptions teacher;
        teacher.d = options.d;
        teacher.o = options.o == 0 ? options.d : options.o;
        teacher.heads = options.heads;
        teacher.kind = options.teacher;
        spec.teacher = random_teacher(teacher, stream.child("teacher"));
    }
    return std::make_unique<EntrySequences>(std::move(spec), stream);
}

std::vector<TaskParameter> iid_entries_parameters() {
    return {{"d", "4", "rows of a token"},
            {"n", "16", "tokens in a sequence; 16, or 4..32 for lengths drawn uniformly"},
            {"law", "gaussian", "gaussian, uniform, laplace, three_point, rademacher or bernoulli"},
            {"p", "0.5", "P(0) of three_point, P(1) of bernoulli"},
            {"mean", "0", "added to every entry; a multiple of 2^-40 such as 0.5"},
            {"o", "d", "outputs of the planted heads; d or a number"},
            {"heads", "0", "planted heads; 0 for data without labels"},
            {"teacher", "normalised", "plain, normalised or small"}};
}

std::unique_ptr<Task> read_iid_entries(const ParameterReader& reader, const Stream& stream) {
    IidEntriesOptions options;
    options.d = reader.integer("d", 1, kLargestDimension);
    options.n = reader.lengths("n");
    options.law = reader.choice("law", kEntryLaws);
    options.p = reader.real("p", 0.0, 1.0);
    options.mean = reader.real("mean", -0x1p20, 0x1p20);
    options.o = reader.text("o") == "d" ? 0 : reader.integer("o", 1, kLargestDimension);
    options.heads = reader.integer("heads", 0, kMostHeads);
    options.teacher = reader.choice("teacher", kTeacherKinds);
    return iid_entries(options, stream);
}

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
