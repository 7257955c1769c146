#pragma once

#include "core/kernels/recurrence/arithmetic.hpp"

#include <functional>
#include <vector>

namespace attest {

/// A matrix on a tape.
struct Recorded {
    Index at = -1;

    [[nodiscard]] bool exists() const { return at >= 0; }
};

/// Matrices computed in some arithmetic, and their gradients by going back over them: reverse-mode
/// differentiation (Griewank and Walther 2008 §3.2) in which every step of either way is rounded as
/// the arithmetic rounds. A 1×n, n×1 or 1×1 matrix stands beside an m×n one for its repetition.
template <class Arithmetic>
class Tape {
public:
    using Scalar = typename Arithmetic::Scalar;
    using Values = MatrixOf<Scalar>;
    /// Called with the gradient of what was recorded, to add to those of what it was made of.
    using Back = std::function<void(const Values& gradient)>;

    explicit Tape(Arithmetic& arithmetic) : arithmetic_(arithmetic) {}

    [[nodiscard]] Recorded record(Values value, Back back = {});

    [[nodiscard]] const Values& value(Recorded x) const { return node(x).value; }

    /// Zeros where nothing depends on x. Meant for leaves, once backward() has run.
    [[nodiscard]] Values gradient(Recorded x) const;

    void add_gradient(Recorded x, Values gradient);
    /// The same of the rows from `first` on.
    void add_gradient(Recorded x, Index first, const Values& gradient);

    /// From the last matrix to the first.
    void backward();

    [[nodiscard]] Arithmetic& arithmetic() { return arithmetic_; }

    [[nodiscard]] Recorded add(Recorded a, Recorded b);
    [[nodiscard]] Recorded subtract(Recorded a, Recorded b);
    [[nodiscard]] Recorded times(Recorded a, Recorded b);
    [[nodiscard]] Recorded divided(Recorded a, Recorded b);
    [[nodiscard]] Recorded scaled(Recorded a, double factor);
    [[nodiscard]] Recorded plus(Recorded a, double number);
    [[nodiscard]] Recorded product(Recorded a, Recorded b);
    /// A Bᵀ.
    [[nodiscard]] Recorded product_transposed(Recorded a, Recorded b);
    /// Aᵀ B.
    [[nodiscard]] Recorded transposed_product(Recorded a, Recorded b);
    [[nodiscard]] Recorded transposed(Recorded a);
    [[nodiscard]] Recorded exp(Recorded a);
    [[nodiscard]] Recorded log(Recorded a);
    /// log(1 + eᵃ).
    [[nodiscard]] Recorded softplus(Recorded a);
    /// 1/(1 + e⁻ᵃ).
    [[nodiscard]] Recorded sigmoid(Recorded a);
    /// max(|a|, floor), of gradient 0 where the floor is the larger.
    [[nodiscard]] Recorded size_from(Recorded a, double floor);
    /// Within [lowest, highest], of gradient 0 beyond them.
    [[nodiscard]] Recorded clamped(Recorded a, double lowest, double highest);
    /// Rows x/√(x·x + ε).
    [[nodiscard]] Recorded unit_rows(Recorded a, double epsilon);
    /// Sums of the rows so far.
    [[nodiscard]] Recorded cumulated(Recorded a);
    /// What stands on and below the diagonal `first` below the main one; zeros above.
    [[nodiscard]] Recorded lower(Recorded a, Index first);
    /// (I + A)⁻¹ of a strictly lower triangular A.
    [[nodiscard]] Recorded inverse_of_unit_lower(Recorded a);
    [[nodiscard]] Recorded rows(Recorded a, Index first, Index count);
    [[nodiscard]] Recorded columns(Recorded a, Index first, Index count);
    /// A beside B.
    [[nodiscard]] Recorded beside(Recorded a, Recorded b);
    /// One above the other.
    [[nodiscard]] Recorded stacked(const std::vector<Recorded>& parts);

private:
    struct Node {
        Values value;
        Values gradient;  ///< empty: zeros so far
        Back back;
    };

    [[nodiscard]] const Node& node(Recorded x) const {
        return nodes_[static_cast<std::size_t>(x.at)];
    }

    [[nodiscard]] Node& node(Recorded x) { return nodes_[static_cast<std::size_t>(x.at)]; }

    [[nodiscard]] Values repeated(Recorded x, Index rows, Index cols) const;

    [[nodiscard]] Values rounded(Values x) { return arithmetic_.rounded(std::move(x)); }

    Arithmetic& arithmetic_;
    std::vector<Node> nodes_;
};

extern template class Tape<ExactArithmetic>;
extern template class Tape<RandomArithmetic>;

}  // namespace attest
