#include "programs/machines/utm1.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

Utm1::Utm1(const TuringShape& shape, Index steps) : shape_(shape), steps_(steps) {
    require(shape.states >= 1 && shape.halting >= 1 && shape.symbols >= 1 && shape.cells >= 1 &&
                steps >= 1 && shape.moves == Moves::left_right,
            "Utm1: expected at least one state, halting state, symbol, cell and step, moves L, R");
    program_.name = "utm1";
    add_blocks();
    add_counters();
    add_reading_heads();
    add_printing_heads();
}

void Utm1::add_blocks() {
    Schema& schema = program_.schema;
    const Index keys = shape_.states * shape_.symbols;
    const Index targets = shape_.states + shape_.halting;
    P_ = schema.add("P", num_positions());
    P1_ = schema.add("P1", num_positions());
    P2_ = schema.add("P2", num_positions());
    K_ = schema.add("K", keys);
    s_ = schema.add("s", targets);
    D_ = schema.add("D", 2 * targets);
    W_ = schema.add("W", shape_.symbols);
    c_ = schema.add("c", shape_.symbols);
    own_ = schema.add("own", shape_.symbols);
    for (Index offset = -1; offset <= 1; ++offset) {
        const std::string side = offset < 0 ? "L" : offset == 0 ? "C" : "R";
        Neighbour neighbour{offset, {}, {}, {}};
        neighbour.letter = schema.add("a" + side, shape_.symbols);
        neighbour.state = schema.add("q" + side, shape_.states);
        neighbour.key = schema.add("K" + side, keys);
        neighbours_.push_back(std::move(neighbour));
    }
    hash_ = schema.add("hash", 1);
    x_ = schema.add("x", 1);
    one_ = schema.add("one", 1);
}

/// P → P1 → P2 → P, one position further in the first step.
void Utm1::add_counters() {
    const Index one = one_.at(0);
    for (Index t = shape_.cells + 1; t < num_positions(); ++t) {
        program_.heads.push_back(
            {formatted("count_P1_{}", t), {{P1_.at(t), one}}, {{one, P_.at(t - 1)}}});
        program_.heads.push_back(
            {formatted("count_P2_{}", t), {{P2_.at(t), one}}, {{one, P1_.at(t)}}});
        program_.heads.push_back(
            {formatted("count_P_{}", t), {{P_.at(t), one}}, {{one, P2_.at(t)}}});
    }
}

/// From a printed token: the cells around the next position, one configuration earlier. From P1:
/// the key of δ where a neighbour holds the head.
void Utm1::add_reading_heads() {
    const Index one = one_.at(0);
    const Index N = shape_.cells + 1;
    std::vector<ProgramHead>& heads = program_.heads;
    std::vector<MatrixTerm> arms;
    std::vector<MatrixTerm> carries;
    std::vector<MatrixTerm> disarms;
    const Block& letter = neighbours_[1].letter;
    std::vector<MatrixTerm> carried =
        join_terms({map_block(own_, letter), map_block(letter, letter)});
    for (const Neighbour& neighbour : neighbours_) {
        std::vector<MatrixTerm> positions;
        for (Index t = N; t < num_positions(); ++t) {
            const Index seen = t - N + neighbour.offset;
            if (!is_mark(t) && seen >= 0 && !is_mark(seen)) {
                positions.push_back({P_.at(seen), P_.at(t - 1)});
            }
        }
        heads.push_back({"read_" + neighbour.letter.name,
                         join_terms({map_block(neighbour.letter, c_),
                                     map_block(neighbour.state, s_.part(0, shape_.states))}),
                         std::move(positions)});
        // One product head a letter, not a state: the number of heads must not grow with Q.
        for (Index a = 0; a < shape_.symbols; ++a) {
            std::vector<MatrixTerm> keys;
            for (Index q = 0; q < shape_.states; ++q) {
                keys.push_back({neighbour.key.at(q * shape_.symbols + a), neighbour.state.at(q)});
            }
            heads.push_back({formatted("{}_{}", neighbour.key.name, a),
                             std::move(keys),
                             {{x_.at(0), neighbour.letter.at(a)}}});
        }
        carried = join_terms({carried, map_block(neighbour.state, neighbour.state)});
    }
    for (Index t = N; t < num_positions(); ++t) {
        if (!is_mark(t)) {
            arms.push_back({one, P_.at(t - 1)});
            carries.push_back({x_.at(0), P1_.at(t)});
            disarms.push_back({one, P1_.at(t)});
        }
    }
    heads.push_back({"arm", {{x_.at(0), one}}, std::move(arms)});
    heads.push_back({"carry", std::move(carried), std::move(carries)});
    heads.push_back({"disarm", {{x_.at(0), one, -1}}, std::move(disarms)});
}

/// From P2: the letter and the state of the cell.
void Utm1::add_printing_heads() {
    const Index one = one_.at(0);
    const Index targets = shape_.states + shape_.halting;
    const Block& left = neighbours_[0].key;
    const Block& here = neighbours_[1].key;
    const Block& right = neighbours_[2].key;
    std::vector<ProgramHead>& heads = program_.heads;
    heads.push_back({"from_right", map_block(s_, D_.part(0, targets)), map_block(K_, right)});
    heads.push_back({"from_left", map_block(s_, D_.part(targets, targets)), map_block(K_, left)});
    heads.push_back({"write", map_block(c_, W_), map_block(K_, here)});
    for (Index a = 0; a < shape_.symbols; ++a) {
        // The cell keeps its letter unless the head is here.
        std::vector<MatrixTerm> keeps{{one, own_.at(a)}};
        for (Index q = 0; q < shape_.states; ++q) {
            keeps.push_back({one, here.at(q * shape_.symbols + a), -1});
        }
        heads.push_back({formatted("own_{}", a), {{c_.at(a), one}}, std::move(keeps)});
    }
    std::vector<MatrixTerm> marks;
    for (Index t = shape_.cells + 1; t < num_positions(); ++t) {
        if (is_mark(t)) {
            marks.push_back({one, P2_.at(t)});
        }
    }
    heads.push_back({"hash", {{hash_.at(0), one}}, std::move(marks)});
}

}  // namespace attest
