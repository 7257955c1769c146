#pragma once
#include "proofs_check/checker/exact_matrix.hpp"

namespace attest::checker {
/// value / 2^e, an integer.
[[nodiscard]] Integer quotient(double value, Index e);

/// s and u of the prefixes of one sequence, in the integers of the table.
class Sums {
public:
    Sums(const Table& table, const Dataset& set, Index first);
    /// The next token.
    void add();
    /// s of an example that ends at the token added last.
    [[nodiscard]] std::vector<Integer> state(Index example) const;
    [[nodiscard]] std::vector<Integer> query(Index example, Index token) const;

private:
    /// Σ_t rate^δ x_t or, gated, Σ_t (Π_{r>t} g_r) ∘ x_t, or what `delta` keeps of it, times
    /// `power`.
    struct Running {
        std::vector<Integer> sum;
        Integer power = 1;
    };

    [[nodiscard]] std::vector<Integer> column(const Matrix& matrix, Index at) const;
    [[nodiscard]] std::vector<Integer> token(Index t) const;
    [[nodiscard]] std::vector<Integer> summand(Index t) const;
    void forget(std::vector<Integer>& sum) const;
    void step(Running& running, const Kernel& kernel, const std::vector<Integer>& x) const;
    void add_direct(std::vector<Integer>& state) const;

    const Table& table_;
    const Layer& layer_ = table_.layer;
    const Dataset& set_;
    Index first_;
    Index next_ = first_;
    std::vector<Running> running_;
    std::size_t size_ = 0;  ///< of a summand
};
}  // namespace attest::checker
