#include "core/stack/local_stack.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/progress_scope.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/dimension_bound.hpp"
#include "core/stack/jacobian.hpp"
#include "core/stack/numerical_rank.hpp"
#include "core/stack/residue_matrix.hpp"

#include <algorithm>
#include <set>

namespace attest {

namespace {

constexpr Choices<StackVerdict, 7> kVerdicts{
    {{StackVerdict::determined, "locally_determined"},
     {StackVerdict::not_determined, "not_determined"},
     {StackVerdict::first_order_open, "first_order_open"},
     {StackVerdict::singular, "singular"},
     {StackVerdict::undecided, "undecided"},
     {StackVerdict::numerically_determined, "numerically_locally_determined"},
     {StackVerdict::numerically_open, "numerically_open"}}};
constexpr Choices<StackEvidence, 4> kEvidence{{{StackEvidence::symmetries, "symmetries"},
                                               {StackEvidence::bound, "bound"},
                                               {StackEvidence::full_row_rank, "full_row_rank"},
                                               {StackEvidence::none, "none"}}};

/// Fresh inputs that do not enlarge a rank before it is taken as that of all inputs.
constexpr Index kIdleInputs = 3;

/// The examples of a data set, each once.
std::vector<Matrix> examples_of(const Dataset& data) {
    std::vector<Matrix> examples;
    std::set<std::vector<double>> seen;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        Matrix Z = data.sequence(i);
        std::vector<double> key(Z.data(), Z.data() + Z.size());
        if (seen.insert(std::move(key)).second) {
            examples.push_back(std::move(Z));
        }
    }
    return examples;
}

Index longest_of(const std::vector<Matrix>& examples) {
    Index longest = 1;
    for (const Matrix& Z : examples) {
        longest = std::max(longest, Z.cols());
    }
    return longest;
}

Matrix fresh_input(const Stack& stack, Index tokens, const Stream& stream, Index number) {
    return grid_matrix(grid_normal(), stack.shape.d, tokens, stream.child(number));
}

template <class Value>
Value exactly(double value) {
    if constexpr (std::is_same_v<Value, Rational>) {
        return to_rational(value);
    } else {
        return Value(static_cast<std::int64_t>(modulus_of<Value>().reduce(value)));
    }
}

template <class Value>
MatrixOf<Value> exactly(const Matrix& A) {
    MatrixOf<Value> result(A.rows(), A.cols());
    for (Index k = 0; k < A.size(); ++k) {
        result(k) = exactly<Value>(A(k));
    }
    return result;
}

template <class Value>
StackAt<Value> exactly(const Stack& stack) {
    StackAt<Value> at{stack.shape, {}, {}};
    for (const double parameter : stack.parameters) {
        at.parameters.push_back(exactly<Value>(parameter));
    }
    for (const StackLayerConstants& each : stack.constants) {
        LayerConstants<Value> constants;
        for (const double decay : each.decays) {
            constants.decay.push_back(exactly<Value>(decay));
        }
        at.constants.push_back(std::move(constants));
    }
    return at;
}

/// Ranks modulo one prime at the model.
struct ModularRanks {
    std::uint64_t prime = 0;
    Index on_data = 0;
    Index at_model = 0;
    Index symmetries = 0;
    std::vector<StackSuggestion> suggestions;
    std::vector<Index> open;  ///< parameters that one open direction moves; none where none is open
};

/// The parameters of the reduced null vector with the fewest entries that these rows notice.
template <class Residue>
std::vector<Index> noticed_support(const ModularMatrix& null, const MatrixOf<Residue>& rows) {
    const Modulus p = modulus_of<Residue>();
    const ModularMatrix change = multiply(p, null, transpose(modular(rows)));
    std::vector<Index> best;
    for (Index k = 0; k < null.rows(); ++k) {
        const bool noticed = std::any_of(
            change.row(k), change.row(k) + change.cols(), [](auto x) { return x != 0; });
        std::vector<Index> support;
        for (Index j = 0; noticed && j < null.cols(); ++j) {
            if (null(k, j) != 0) {
                support.push_back(j);
            }
        }
        if (noticed && (best.empty() || support.size() < best.size())) {
            best = std::move(support);
        }
    }
    return best;
}

/// The Jacobians of a stack at inputs, as rows modulo the prime of Value's tangents.
template <class Value>
class JacobianRows {
public:
    explicit JacobianRows(const Stack& stack) : jacobian_(exactly<Value>(stack)) {}

    MatrixOf<TangentOf<Value>> at(const Matrix& Z) { return jacobian_.at(exactly<Value>(Z)).J; }

    void append(ModularRowBasis& to, const Matrix& Z) {
        throw_if_interrupted("local_stack");
        const auto J = at(Z);
        to.append(modular(J), ModularMatrix(J.rows(), 0));
    }

private:
    StackJacobian<Value> jacobian_;
};

/// The first candidate of the pool that adds most to the basis, and so on.
template <class Value>
std::vector<StackSuggestion> suggestions(JacobianRows<Value>& rows,
                                         ModularRowBasis basis,
                                         const std::vector<Matrix>& pool,
                                         Index most) {
    std::vector<StackSuggestion> found;
    std::vector<char> taken(pool.size(), 0);
    while (std::ssize(found) < most) {
        Index best_rank = basis.rank();
        std::optional<std::size_t> best;
        for (std::size_t c = 0; c < pool.size(); ++c) {
            if (taken[c] == 0) {
                ModularRowBasis trial = basis;
                rows.append(trial, pool[c]);
                trial.flush();
                if (trial.rank() > best_rank) {
                    best_rank = trial.rank();
                    best = c;
                }
            }
        }
        if (!best) {
            break;
        }
        taken[*best] = 1;
        rows.append(basis, pool[*best]);
        basis.flush();
        found.push_back({static_cast<Index>(*best), best_rank});
    }
    return found;
}

template <class Value>
ModularRanks ranks_modulo(const Stack& stack,
                          const std::vector<Matrix>& examples,
                          const std::vector<Matrix>& pool,
                          const LocalStackRequest& request) {
    using Residue = TangentOf<Value>;
    const auto P = static_cast<Index>(stack.parameters.size());
    ModularRanks found;
    found.prime = Residue::kModulus;

    std::vector<Residue> images;
    images.reserve(stack.parameters.size());
    for (const double parameter : stack.parameters) {
        images.push_back(Calculus<Value>::image(exactly<Value>(parameter)));
    }
    found.symmetries = symmetry_rank(stack.shape, images).rank();

    JacobianRows<Value> rows(stack);
    ModularRowBasis basis(modulus_of<Residue>(), P);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        note_progress("data", static_cast<Index>(i), static_cast<Index>(examples.size()));
        rows.append(basis, examples[i]);
    }
    basis.flush();
    found.on_data = basis.rank();
    const ModularMatrix null = basis.null_basis();
    found.suggestions = suggestions(rows, basis, pool, request.suggest);

    // What any input sees: fresh ones until none enlarges the rank.
    const Stream stream = Stream(request.seed).child("fresh");
    const Index tokens = std::max(Index{2}, longest_of(examples));
    Index idle = 0;
    for (Index i = 0; idle < kIdleInputs && basis.rank() < P - found.symmetries; ++i) {
        const Index before = basis.rank();
        rows.append(basis, fresh_input(stack, tokens, stream, i));
        basis.flush();
        idle = basis.rank() > before ? 0 : idle + 1;
    }
    found.at_model = basis.rank();
    if (found.at_model > found.on_data) {
        found.open = noticed_support<Residue>(null, rows.at(fresh_input(stack, tokens, stream, 0)));
    }
    return found;
}

/// The Jacobian on examples in doubles.
Matrix numerical_jacobian(const Stack& stack, const std::vector<Matrix>& examples) {
    StackJacobian<double> jacobian(in_doubles(stack));
    std::vector<Matrix> blocks;
    Index rows = 0;
    for (const Matrix& Z : examples) {
        throw_if_interrupted("local_stack");
        blocks.push_back(jacobian.at(Z).J);
        rows += blocks.back().rows();
    }
    Matrix J(rows, static_cast<Index>(stack.parameters.size()));
    rows = 0;
    for (const Matrix& block : blocks) {
        J.middleRows(rows, block.rows()) = block;
        rows += block.rows();
    }
    return J;
}

/// A direction in the kernel of J that moves these parameters alone.
Vector kernel_direction(const Matrix& J, const std::vector<Index>& support) {
    Matrix columns(J.rows(), static_cast<Index>(support.size()));
    for (std::size_t k = 0; k < support.size(); ++k) {
        columns.col(static_cast<Index>(k)) = J.col(support[k]);
    }
    // Of the smallest eigenvalue: the null vector is unique.
    const Vector entries = symmetric_eigen(columns.transpose() * columns).vectors.col(0);
    Vector direction = Vector::Zero(J.cols());
    for (std::size_t k = 0; k < support.size(); ++k) {
        direction(support[k]) = entries(static_cast<Index>(k));
    }
    return direction;
}

/// The direction in the kernel of J, of this rank, that these rows see most.
Vector kernel_direction(const Matrix& J, Index rank, const Matrix& seen) {
    // Eigenvectors of JᵀJ in ascending order: the first P − rank span the kernel.
    const Matrix kernel = symmetric_eigen(J.transpose() * J).vectors.leftCols(J.cols() - rank);
    return kernel * svd(seen * kernel).V.col(0);
}

/// In words what one open direction moves, and where it shows. `support`: of exact ranks.
OpenDirection open_direction(const Stack& stack,
                             const Matrix& J,
                             Index rank,
                             const std::vector<Index>& support,
                             Index tokens,
                             std::uint64_t seed) {
    constexpr Index kInputs = 8;
    constexpr double kNamedShare = 0.05;
    std::vector<Matrix> inputs;
    for (Index i = 0; i < kInputs; ++i) {
        inputs.push_back(fresh_input(stack, tokens, Stream(seed).child("shown"), i));
    }
    const Matrix seen = numerical_jacobian(stack, inputs);
    const Vector direction =
        support.empty() ? kernel_direction(J, rank, seen) : kernel_direction(J, support);
    OpenDirection open;
    open.direction.assign(direction.data(), direction.data() + direction.size());
    for (const NamedSlot& each : named_slots(stack.shape)) {
        const double share = direction.segment(each.slot.first, each.slot.size()).squaredNorm();
        if (share >= kNamedShare) {
            open.shares.push_back({each.name, share});
        }
    }
    std::sort(open.shares.begin(), open.shares.end(), [](const OpenShare& a, const OpenShare& b) {
        return a.share > b.share;
    });
    const Vector change = seen * direction;
    const Index o = seen.rows() / kInputs;
    Index largest = 0;
    for (Index i = 1; i < kInputs; ++i) {
        if (change.segment(i * o, o).norm() > change.segment(largest * o, o).norm()) {
            largest = i;
        }
    }
    open.input = inputs[static_cast<std::size_t>(largest)];
    open.change = change.segment(largest * o, o);
    return open;
}

bool is_exact(const Stack& stack, StackArithmetic arithmetic) {
    const bool rotary = std::any_of(stack.shape.layers.begin(),
                                    stack.shape.layers.end(),
                                    [](const StackLayer& layer) { return layer.rotary; });
    return !rotary &&
           (arithmetic == StackArithmetic::residues || arithmetic == StackArithmetic::rationals);
}

void decide_exactly(LocalStack& found, const ModularRanks& ranks, std::optional<Index> bound) {
    found.prime = ranks.prime;
    found.rank = ranks.on_data;
    found.at_model = ranks.at_model;
    found.symmetry_rank = ranks.symmetries;
    found.suggestions = ranks.suggestions;
    if (found.rank + found.symmetry_rank == found.parameters) {
        found.verdict = StackVerdict::determined;
        found.evidence = StackEvidence::symmetries;
    } else if (bound == found.rank) {
        found.verdict = StackVerdict::determined;
        found.evidence = StackEvidence::bound;
    } else if (found.rank == found.numbers && found.at_model > found.rank) {
        found.verdict = StackVerdict::not_determined;
        found.evidence = StackEvidence::full_row_rank;
    } else if (found.at_model > found.rank) {
        found.verdict = StackVerdict::first_order_open;
    } else {
        found.verdict =
            found.at_model < found.dimension ? StackVerdict::singular : StackVerdict::undecided;
    }
}

/// Both primes where the first does not prove the end.
template <class First, class Second>
void rank_exactly(const Stack& stack,
                  const std::vector<Matrix>& examples,
                  const std::vector<Matrix>& pool,
                  const LocalStackRequest& request,
                  std::optional<Index> bound,
                  LocalStack& found,
                  std::vector<Index>& open) {
    const ModularRanks ranks = ranks_modulo<First>(stack, examples, pool, request);
    decide_exactly(found, ranks, bound);
    open = ranks.open;
    if constexpr (!std::is_same_v<First, Second>) {
        if (found.evidence == StackEvidence::none) {
            const ModularRanks again = ranks_modulo<Second>(stack, examples, pool, request);
            if (again.on_data > found.rank || again.at_model > found.at_model) {
                decide_exactly(found, again, bound);
                open = again.open;
            }
        }
    }
}

void rank_numerically(const Stack& stack,
                      const std::vector<Matrix>& examples,
                      const Matrix& J,
                      std::uint64_t seed,
                      LocalStack& found) {
    std::tie(found.rank, found.gap) = numerical_rank(J);
    const Index tokens = std::max(Index{2}, longest_of(examples));
    const Index fresh = 6 * (found.parameters / stack.shape.outputs(tokens) + 1);
    std::vector<Matrix> all = examples;
    for (Index i = 0; i < fresh; ++i) {
        all.push_back(fresh_input(stack, tokens, Stream(seed).child("fresh"), i));
    }
    found.at_model = std::max(found.rank, numerical_rank(numerical_jacobian(stack, all)).first);
    found.verdict = found.rank < found.at_model    ? StackVerdict::numerically_open
                    : found.rank < found.dimension ? StackVerdict::singular
                                                   : StackVerdict::numerically_determined;
}

}  // namespace

std::string_view to_string(StackVerdict verdict) {
    return name_of(kVerdicts, verdict);
}

std::string_view to_string(StackEvidence evidence) {
    return name_of(kEvidence, evidence);
}

LocalStack local_stack(const Dataset& data, const Stack& stack, const LocalStackRequest& request) {
    require_sound(stack);
    require(data.d() == stack.shape.d,
            "local_stack: the data have tokens of {} numbers, the stack of {}",
            data.d(),
            stack.shape.d);
    require(data.query.empty(),
            "local_stack: the data name query columns; a stack reads the last token or all");
    const std::vector<Matrix> examples = examples_of(data);
    const std::vector<Matrix> pool =
        request.pool != nullptr ? examples_of(*request.pool) : std::vector<Matrix>{};
    LocalStack found;
    found.parameters = static_cast<Index>(stack.parameters.size());
    require_memory(2.0 * dimension_bytes(found.parameters),
                   formatted("the derivative by {} parameters", found.parameters),
                   "take a smaller stack");
    found.examples = static_cast<Index>(examples.size());
    for (const Matrix& Z : examples) {
        found.numbers += stack.shape.outputs(Z.cols());
    }
    const Index tokens = std::max(Index{2}, longest_of(examples));
    found.tokens = tokens;
    const StackDimension family = dimension({stack.shape, tokens, request.seed});
    found.dimension = family.rank;
    found.dimension_proved = family.proof != DimensionProof::none;
    found.arithmetic = arithmetic_for(stack.shape);
    std::vector<Index> open;
    if (is_exact(stack, found.arithmetic)) {
        const std::optional<Index> bound = dimension_bound(stack.shape, tokens);
        if (found.arithmetic == StackArithmetic::rationals) {
            rank_exactly<Rational, Rational>(stack, examples, pool, request, bound, found, open);
        } else {
            rank_exactly<ResidueNumber<kStackPrime>, ResidueNumber<PowerNumber::kPrime>>(
                stack, examples, pool, request, bound, found, open);
        }
    } else {
        found.arithmetic = StackArithmetic::floating;
        rank_numerically(stack, examples, numerical_jacobian(stack, examples), request.seed, found);
    }
    if (found.open_directions() > 0) {
        const Matrix J = numerical_jacobian(stack, examples);
        if (found.verdict == StackVerdict::first_order_open &&
            numerical_rank(J).first > found.rank) {
            found.verdict =
                StackVerdict::undecided;  // numbers of the data vanish modulo the primes
            return found;
        }
        found.open = open_direction(stack, J, found.rank, open, tokens, request.seed);
    }
    return found;
}

}  // namespace attest
