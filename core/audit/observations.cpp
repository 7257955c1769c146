#include "core/audit/observations.hpp"

#include "core/base/plural.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <set>

namespace attest {

namespace {

constexpr std::size_t kMostCauses = 8;

/// One after the other, each part by a function of its own.
class Observer {
public:
    Observer(const LayerAudit& audit, Uniqueness unique)
        : audit_(audit),
          open_(unique == Uniqueness::everywhere || unique == Uniqueness::lengths_seen
                    ? Concern::note
                    : Concern::alarm) {}

    std::vector<Observation> all() && {
        examples();
        causes();
        coordinates();
        duplicates();
        precision();
        held_out();
        goodness();
        heads();
        return std::move(seen_);
    }

private:
    void see(std::string kind, Concern concern, std::string sentence, std::string advice = "") {
        seen_.push_back({std::move(kind), concern, std::move(sentence), std::move(advice)});
    }

    /// What any data of so few examples leave open.
    void examples() {
        const Explanation& why = *audit_.found.explanation;
        const auto& structure = audit_.found.structure;
        const Index wanted = structure && structure->seen ? structure->seen->rank : audit_.psi;
        const Index missing = wanted - why.distinct_examples;
        if (missing > 0 && audit_.found.verdict != DataVerdict::determined) {
            see("too_few_examples",
                open_,
                formatted("{}, but {} to be determined for each output.",
                          plural(why.distinct_examples, "distinct example"),
                          plural(wanted, "coefficient")),
                formatted("Record at least {} more.", plural(missing, "distinct example")));
        }
    }

    /// Relations between features that hold in every example, by cause.
    void causes() {
        std::set<std::string> known;
        std::size_t more = 0;
        for (const RelationClass& one : audit_.found.explanation->classes) {
            if (one.is_structural || !known.insert(one.cause.because).second) {
                continue;
            }
            if (known.size() > kMostCauses) {
                ++more;
                continue;
            }
            see(std::string(to_string(one.cause.kind)),
                open_,
                formatted("{}: {} in every example.", one.cause.because, to_string(one.example)),
                formatted("Record {}.", one.cause.broken_by));
        }
        if (more > 0) {
            see("more_causes", Concern::note, formatted("{} more causes are listed below.", more));
        }
    }

    /// Coordinates that say nothing by themselves; what they leave open is among the causes.
    void coordinates() {
        const auto dead = [&](const char* kind, const std::vector<Index>& list, const char* what) {
            if (!list.empty()) {
                see(kind,
                    Concern::note,
                    formatted("Coordinate{} {} {} {} in every token.",
                              list.size() == 1 ? "" : "s",
                              list_of(list),
                              list.size() == 1 ? "is" : "are",
                              what));
            }
        };
        const auto& classes = audit_.found.explanation->classes;
        const bool is_cause = std::any_of(classes.begin(), classes.end(), [](const auto& one) {
            return one.cause.kind == CauseKind::zero_coordinate;
        });
        if (!is_cause) {
            dead("zero_coordinate", audit_.facts.zero, "0");
        }
        dead("constant_coordinate", audit_.facts.constant, "constant");
    }

    void duplicates() {
        Index repeated = 0;
        double most = 0.0;
        for (const DuplicateGroup& group : audit_.duplicates) {
            repeated += std::ssize(group.sequences) - 1;
            most = std::max(most, group.labels_differ_by);
        }
        if (repeated == 0) {
            return;
        }
        see("duplicates",
            Concern::note,
            formatted("{} of {} repeat an earlier input.",
                      repeated,
                      plural(audit_.num_sequences, "sequence")));
        if (most > 0.0) {
            see("contradictory_labels",
                Concern::alarm,
                formatted("Equal inputs have labels that differ by up to {}: no function has both.",
                          most),
                "Look at the labels of the duplicates: noise, or something the layer is not "
                "given.");
        }
    }

    void precision() {
        const ExactRank& rank = *audit_.found.rank;
        if (audit_.spectrum.rank < rank.rank_lower) {
            see("ill_conditioned",
                Concern::alarm,
                formatted(
                    "The rank is {}, proved, but double precision sees {}: what is learned in "
                    "floating point may be another function.",
                    rank.rank_lower,
                    audit_.spectrum.rank),
                "Bring the coordinates to one size, or record more varied inputs.");
        }
    }

    void held_out() {
        if (!audit_.found.queries) {
            return;
        }
        const QueryAudit& queries = *audit_.found.queries;
        if (queries.not_determined > 0) {
            see("held_out_open",
                Concern::alarm,
                formatted("On {} of {} the output is open: equally good layers with heads enough "
                          "differ there by any amount.",
                          queries.not_determined,
                          plural(std::ssize(queries.spans), "held-out input")),
                "Record inputs like the open ones.");
        }
        if (!audit_.seen.empty()) {
            see("held_out_seen",
                Concern::alarm,
                formatted("{} of the held-out sequences stand in the data: they test nothing.",
                          audit_.seen.size()),
                "Hold out inputs that the layer has not seen.");
        }
    }

    void goodness() {
        if (!audit_.risk) {
            return;
        }
        if (audit_.risk->relative >= 1.0) {
            see("no_better_than_zero",
                Concern::alarm,
                "The layer's outputs are no nearer to the labels than zeros.",
                "Check the import: scale, heads, decays, and what the labels are.");
            return;
        }
        const ModelAudit& model = *audit_.found.model;
        const double excess = model.risk - model.least_risk;
        if (model.risk > 0.0 && excess > kStoredRisk * model.risk / audit_.risk->relative) {
            see("not_the_best_layer",
                Concern::note,
                formatted("A layer of the family has mean squared error {} where this one has {}.",
                          model.least_risk,
                          model.risk),
                "attest learn finds it.");
        }
    }

    void heads() {
        const HeadNeeds& heads = audit_.heads;
        if (heads.found && *heads.found < heads.has) {
            see("fewer_heads",
                Concern::note,
                formatted("{} of {} compute the same{}.",
                          plural(*heads.found, "head"),
                          heads.has,
                          heads.same_everywhere ? " function" : " on the data"),
                "attest heads finds them.");
        }
    }

    const LayerAudit& audit_;
    Concern open_;
    std::vector<Observation> seen_;
};

}  // namespace

std::vector<Observation> observations(const LayerAudit& audit, Uniqueness unique) {
    return Observer(audit, unique).all();
}

}  // namespace attest
