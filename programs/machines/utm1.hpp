#pragma once

#include "programs/language/execute.hpp"
#include "programs/machines/utm2.hpp"

#include <vector>

namespace attest {

/// What the printed configurations say.
struct Utm1Run {
    bool readable = false;
    /// A halting move off the tape prints no state, like one that falls off: both are off_tape.
    TuringEnding ending = TuringEnding::limit;
    Index steps = 0;
    std::vector<Index> tape;
    Trace trace;
};

/// The universal machine of Algorithms 6 and 7, with their misprints corrected: it prints every
/// cell of every configuration, three tokens a letter, "#" after each configuration. N = n + 1,
/// T = N(Φ + 1): d = 3T + 4QΣ + 6Q + 3h + 6Σ + 3, H = 3(T − N) + 4Σ + 10. Moves L and R only.
/// Erratum: Algorithm 7 tests "== L" in both branches of a neighbour; the head arrives from the
/// right by L and from the left by R, and δ is looked up at the scanned letter in every branch.
class Utm1 {
public:
    /// Configurations are printed for at most `steps` steps.
    Utm1(const TuringShape& shape, Index steps);

    [[nodiscard]] const Program& program() const { return program_; }

    /// What attention must print, from a plain simulation of at most `steps` steps.
    [[nodiscard]] Trace expected(const TuringMachine& machine,
                                 const std::vector<Index>& tape,
                                 Index head) const;
    [[nodiscard]] Utm1Run run(const SparseCoefficients& coefficients,
                              const TuringMachine& machine,
                              const std::vector<Index>& tape,
                              Index head) const;

private:
    /// Attributes of one neighbour: left, the cell itself, right.
    struct Neighbour {
        Index offset = 0;
        Block letter;
        Block state;
        Block key;
    };

    /// A run while its tokens are read, and of the configuration that is being printed so far: its
    /// letters, how many states stand in it, and whether one of them halts.
    struct Reading {
        Utm1Run run;
        std::vector<Index> letters;
        Index states = 0;
        bool halts = false;
    };

    [[nodiscard]] Index num_positions() const { return (shape_.cells + 1) * (steps_ + 1); }

    [[nodiscard]] bool is_mark(Index t) const { return t % (shape_.cells + 1) == shape_.cells; }

    void add_blocks();
    void add_counters();
    void add_reading_heads();
    void add_printing_heads();
    [[nodiscard]] std::vector<Token> prompt(const TuringMachine& machine,
                                            const std::vector<Index>& tape,
                                            Index head) const;
    [[nodiscard]] Continue read_cell(const Token& token, Reading& reading) const;
    [[nodiscard]] Continue end_configuration(Reading& reading) const;
    /// The three tokens of position t, cell i of the configuration after `before`.
    void print_cell(std::vector<Token>& to,
                    Index t,
                    const TuringConfiguration& before,
                    const TuringConfiguration& after,
                    const TuringMachine& machine,
                    bool stuck) const;

    TuringShape shape_;
    Index steps_;
    Program program_;
    Block P_, P1_, P2_, K_, s_, D_, W_, c_, own_, hash_, x_, one_;
    std::vector<Neighbour> neighbours_;
};

}  // namespace attest
