#pragma once

#include "programs/language/execute.hpp"
#include "programs/machines/turing_machine.hpp"

#include <string>
#include <vector>

namespace attest {

enum class Moves : std::uint8_t { left_right, with_stay };

/// A class of machines and tapes that one universal program runs: at most these sizes.
struct TuringShape {
    Index states = 2;
    Index halting = 1;
    Index symbols = 2;
    Index cells = 3;
    Moves moves = Moves::left_right;
};

/// The smallest shape that holds the machine on `cells` cells.
[[nodiscard]] TuringShape shape_of(const TuringMachine& machine, Index cells);

/// The number in the machine of the state that row `done` of block D names.
[[nodiscard]] Index machine_state(const TuringMachine& machine,
                                  const TuringShape& shape,
                                  Index done);

/// The blocks of a token of Utm2: (state, letter) keys, (next state, move), letters written and
/// read, position, next position, the constant of the first token.
struct Utm2Blocks {
    explicit Utm2Blocks(const Schema& schema);

    Block K, D, T, P, R, one;
};

/// What a run of attention says about its machine, read off tokens and moments only.
struct Utm2Run {
    AttentionEnding model = AttentionEnding::stopped;
    bool readable = false;  ///< every token was of a form that the rules know
    TuringResult result;    ///< meaningful when readable
    Trace trace;
};

/// The universal Turing machine with two tokens a step (Lemma B.1 asks for one of any size): an
/// attention program whose prompt holds the machine's table, the tape and the start. A step prints
/// E = {D = (next state, move), T = +written − read, P = position, neighbours aL and aR, x = +1},
/// then C = {K = (next state, next letter), R = next position, aL, aR, P, x = −1}. The tape is an
/// associative memory overwritten by signed deltas, so d does not depend on the number of steps:
/// d = QΣ + 2(Q+h) + 3Σ + 2n + 2 and H = n + 2Q + Σ + 8 for moves L and R on n > 1 cells.
class Utm2 {
public:
    explicit Utm2(const TuringShape& shape);

    [[nodiscard]] const Program& program() const { return program_; }

    [[nodiscard]] const TuringShape& shape() const { return shape_; }

    /// BOS, the table, the tape, the start; the machine may be smaller than the shape. Throws
    /// InvalidInput when it is larger.
    [[nodiscard]] std::vector<Token> prompt(const TuringMachine& machine,
                                            const std::vector<Index>& tape,
                                            Index head) const;

    /// The two tokens of a step; the second one is printed unless the step halts.
    [[nodiscard]] Token printed_step(const TuringMachine& machine, const TuringStep& step) const;
    [[nodiscard]] Token printed_configuration(const TuringMachine& machine,
                                              const TuringStep& step) const;
    /// The E of a machine without a transition: no D, the letter read is erased.
    [[nodiscard]] Token printed_stuck(const TuringConfiguration& last) const;

    /// What attention must print, from a plain simulation.
    [[nodiscard]] Trace expected(const TuringMachine& machine,
                                 const std::vector<Index>& tape,
                                 Index head,
                                 const TuringRun& run) const;

    /// Runs coefficients (the program's, or learned ones) on the machine and reads the outcome.
    [[nodiscard]] Utm2Run run(const SparseCoefficients& coefficients,
                              const TuringMachine& machine,
                              const std::vector<Index>& tape,
                              Index head,
                              Index budget) const;

private:
    void add_blocks();
    void add_configuration_heads();
    void add_step_heads();
    void add_move_heads(Move move);
    void add_head(std::string name, std::vector<MatrixTerm> V, std::vector<MatrixTerm> Q);

    [[nodiscard]] Index next_row(const TuringMachine& machine, const Transition& done) const;
    [[nodiscard]] Block moved(Move move) const;  ///< rows of D with this move
    void add_surroundings(std::vector<TokenEntry>& entries, const TuringStep& step) const;

    TuringShape shape_;
    Program program_;
    Block K_, D_, T_, left_, right_, same_, P_, R_, x_, one_;
};

}  // namespace attest
