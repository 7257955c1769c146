#pragma once

#include "core/rng/stream.hpp"
#include "programs/machines/turing_notation.hpp"
#include "programs/machines/utm2.hpp"

#include <string>
#include <vector>

namespace attest {

/// A run of a class: a machine, its tape, its head.
struct TuringCase {
    TuringMachine machine;
    TuringTape tape;
};

/// Every run of every complete machine of a shape, from state 0 on every word on all n cells and
/// every start cell: ((Σ·|moves|·(Q+h))^(QΣ))·Σⁿ·n runs of at most `steps` steps. Run number
/// (machine·Σⁿ + word)·n + head.
class TuringClass {
public:
    /// Throws InvalidInput when a size or `steps` is not positive, or there are more than 2⁶² runs.
    TuringClass(const TuringShape& shape, Index steps);

    [[nodiscard]] const TuringShape& shape() const { return shape_; }

    [[nodiscard]] Index steps() const { return steps_; }

    [[nodiscard]] Index num_machines() const { return num_machines_; }

    [[nodiscard]] Index num_words() const { return num_words_; }

    [[nodiscard]] Index size() const { return num_machines_ * num_words_ * shape_.cells; }

    [[nodiscard]] TuringMachine machine(Index number) const;
    [[nodiscard]] std::vector<Index> word(Index number) const;
    [[nodiscard]] TuringCase at(Index run) const;

    /// `count` different runs, uniformly at random, in random order; all of them when `count` is
    /// at least size(). Throws InvalidInput when count < 1.
    [[nodiscard]] std::vector<Index> sample(Index count, const Stream& stream) const;

private:
    TuringShape shape_;
    Index steps_;
    Index choices_ = 0;  ///< transitions to choose from, for one state and letter
    Index num_machines_ = 0;
    Index num_words_ = 0;
};

}  // namespace attest
