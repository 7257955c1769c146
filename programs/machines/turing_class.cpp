#include "programs/machines/turing_class.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"

#include <unordered_set>

namespace attest {

namespace {

Index checked_power(Index base, Index exponent) {
    constexpr Index kMost = Index{1} << 62;
    Index product = 1;
    for (Index i = 0; i < exponent; ++i) {
        require(product <= kMost / base, "TuringClass: the class has more than 2^62 runs");
        product *= base;
    }
    return product;
}

}  // namespace

TuringClass::TuringClass(const TuringShape& shape, Index steps) : shape_(shape), steps_(steps) {
    require(shape.states >= 1 && shape.halting >= 1 && shape.symbols >= 1 && shape.cells >= 1 &&
                steps >= 1,
            "TuringClass: states, halting states, symbols, cells and steps must be at least 1");
    require(shape.states <= 20 && shape.halting <= 20 && shape.symbols <= 20,
            "TuringClass: at most 20 states, halting states and symbols");
    const Index moves = shape.moves == Moves::with_stay ? 3 : 2;
    choices_ = shape.symbols * moves * (shape.states + shape.halting);
    num_machines_ = checked_power(choices_, shape.states * shape.symbols);
    num_words_ = checked_power(shape.symbols, shape.cells);
    require(num_words_ <= (Index{1} << 62) / shape.cells / num_machines_,
            "TuringClass: the class has more than 2^62 runs");
}

TuringMachine TuringClass::machine(Index number) const {
    TuringMachine machine;
    for (Index q = 0; q < shape_.states; ++q) {
        machine.states.emplace_back(1, static_cast<char>('A' + q));
    }
    for (Index q = 0; q < shape_.halting; ++q) {
        machine.halting.push_back(q == 0 ? "Z" : formatted("Z{}", q));
    }
    for (Index a = 0; a < shape_.symbols; ++a) {
        machine.symbols.push_back(std::to_string(a));
    }
    const Index targets = shape_.states + shape_.halting;
    for (Index i = 0; i < shape_.states * shape_.symbols; ++i) {
        const Index choice = number % choices_;
        number /= choices_;
        machine.table.emplace_back(Transition{choice / targets % shape_.symbols,
                                              static_cast<Move>(choice / targets / shape_.symbols),
                                              choice % targets});
    }
    return machine;
}

std::vector<Index> TuringClass::word(Index number) const {
    std::vector<Index> letters;
    for (Index p = 0; p < shape_.cells; ++p) {
        letters.push_back(number % shape_.symbols);
        number /= shape_.symbols;
    }
    return letters;
}

TuringCase TuringClass::at(Index run) const {
    require(0 <= run && run < size(), "TuringClass: got run {} of {}", run, size());
    const Index head = run % shape_.cells;
    const Index rest = run / shape_.cells;
    return {machine(rest / num_words_), {word(rest % num_words_), head}};
}

std::vector<Index> TuringClass::sample(Index count, const Stream& stream) const {
    require(count >= 1, "TuringClass: got {} runs, expected at least 1", count);
    if (count >= size()) {
        return random_permutation(size(), stream);
    }
    Draws draws(stream);
    std::unordered_set<Index> seen;
    std::vector<Index> runs;
    while (static_cast<Index>(runs.size()) < count) {
        const auto run = static_cast<Index>(draws.below(static_cast<std::uint64_t>(size())));
        if (seen.insert(run).second) {
            runs.push_back(run);
        }
    }
    return runs;
}

}  // namespace attest
