#include "programs/machines/utm2.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace attest {

TuringShape shape_of(const TuringMachine& machine, Index cells) {
    return {machine.num_states(),
            std::max<Index>(1, static_cast<Index>(machine.halting.size())),
            machine.num_symbols(),
            cells,
            machine.has_stay() ? Moves::with_stay : Moves::left_right};
}

Utm2::Utm2(const TuringShape& shape) : shape_(shape) {
    require(shape.states >= 1 && shape.halting >= 1 && shape.symbols >= 1 && shape.cells >= 1,
            "Utm2: got an empty class, expected at least one state, halting state, symbol, cell");
    program_.name = "utm2";
    add_blocks();
    add_configuration_heads();
    add_step_heads();
}

void Utm2::add_blocks() {
    const bool stays = shape_.moves == Moves::with_stay;
    Schema& schema = program_.schema;
    K_ = schema.add("K", shape_.states * shape_.symbols);
    D_ = schema.add("D", (stays ? 3 : 2) * (shape_.states + shape_.halting));
    T_ = schema.add("T", shape_.symbols);
    left_ = schema.add("aL", shape_.symbols);
    right_ = schema.add("aR", shape_.symbols);
    same_ = stays ? schema.add("aS", shape_.symbols) : Block{};
    P_ = schema.add("P", shape_.cells);
    R_ = schema.add("R", shape_.cells);
    x_ = schema.add("x", 1);
    one_ = schema.add("one", 1);
}

void Utm2::add_head(std::string name, std::vector<MatrixTerm> V, std::vector<MatrixTerm> Q) {
    program_.heads.push_back({std::move(name), std::move(V), std::move(Q)});
}

Block Utm2::moved(Move move) const {
    const Index count = shape_.states + shape_.halting;
    return D_.part(static_cast<Index>(move) * count, count);
}

/// Heads whose source is in C: they look up δ, erase the letter read, read both neighbours, and
/// copy the address.
void Utm2::add_configuration_heads() {
    const Index n = shape_.cells;
    std::vector<MatrixTerm> found = join_terms({map_block(D_, D_), map_block(T_, T_)});
    if (shape_.moves == Moves::with_stay) {
        found = join_terms({found, map_block(same_, T_)});
    }
    add_head("delta", std::move(found), map_block(K_, K_));
    for (Index a = 0; a < shape_.symbols; ++a) {
        std::vector<MatrixTerm> reads_a;
        for (Index q = 0; q < shape_.states; ++q) {
            reads_a.push_back({one_.at(0), K_.at(q * shape_.symbols + a)});
        }
        add_head(formatted("erase_{}", a), {{T_.at(a), one_.at(0), -1}}, std::move(reads_a));
    }
    if (n > 1) {
        add_head("readL", map_block(left_, T_), map_block(P_.part(0, n - 1), R_.part(1, n - 1)));
        add_head("readR", map_block(right_, T_), map_block(P_.part(1, n - 1), R_.part(0, n - 1)));
    }
    for (Index p = 0; p < n; ++p) {
        add_head(formatted("addr_{}", p), {{P_.at(p), one_.at(0)}}, {{one_.at(0), R_.at(p)}});
    }
    add_head("arm", {{x_.at(0), one_.at(0)}}, sum_block(one_.at(0), K_));
}

/// Heads whose source is in E. S(u, x) holds the block u of this token alone: every earlier +1 was
/// disarmed by a −1.
void Utm2::add_step_heads() {
    add_move_heads(Move::left);
    add_move_heads(Move::right);
    std::vector<MatrixTerm> carried =
        join_terms({map_block(left_, left_), map_block(right_, right_), map_block(P_, P_)});
    if (shape_.moves == Moves::with_stay) {
        add_move_heads(Move::stay);
        carried = join_terms({carried, map_block(same_, same_)});
    }
    add_head("carry", std::move(carried), sum_block(x_.at(0), D_));
    add_head("disarm", {{x_.at(0), one_.at(0), -1}}, sum_block(one_.at(0), D_));
}

void Utm2::add_move_heads(Move move) {
    const Index n = shape_.cells;
    const Block& letter = move == Move::left ? left_ : move == Move::right ? right_ : same_;
    for (Index q = 0; q < shape_.states; ++q) {
        add_head(formatted("prod{}_{}", to_string(move), q),
                 map_block(K_.part(q * shape_.symbols, shape_.symbols), letter),
                 {{x_.at(0), moved(move).at(q)}});
    }
    const Index kept = n - (move == Move::stay ? 0 : 1);
    if (kept == 0) {
        return;  // one cell: every move leaves the tape
    }
    const Index from = move == Move::left ? 1 : 0;
    const Index to = move == Move::right ? 1 : 0;
    add_head(formatted("move_{}", to_string(move)),
             map_block(R_.part(to, kept), P_.part(from, kept)),
             sum_block(x_.at(0), moved(move)));
}

}  // namespace attest
