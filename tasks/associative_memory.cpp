#include "tasks/associative_memory.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/dyadic.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"
#include "tasks/teacher.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

// With skew entries of at most 1 a Cayley transform has a denominator of at most d^(d/2)
// (Hadamard), and d^d times the grid's 2^13 numerators has to stay below 2^53.
constexpr Index kLargestRational = 11;

constexpr Index kMostLabelBits = 40;  // of a Labeller; beyond, labels are sums in double

/// Entries of the skew matrix behind a Cayley transform. Small d would have too few with 1.
Index skew_bound(Index d) {
    return d <= 4 ? 2 : 1;
}

Parameters teacher(const AssociativeMemoryOptions& options, const Stream& stream) {
    require(options.d >= 1, "task associative-memory: got d = {}, expected at least 1", options.d);
    if (options.teacher == MemoryTeacher::paper) {
        return memory_parameters(options.d);
    }
    // As large as the paper's head: both of its matrices have Frobenius norm √d.
    const double norm = std::sqrt(static_cast<double>(options.d));
    const Index width = 2 * options.d;
    return {width,
            width,
            {{random_direction(width, width, norm, stream.child("V")),
              random_direction(width, width, norm, stream.child("Q"))}}};
}

/// [K q; X ζ] with q column `chosen` of K.
template <class Scalar>
MatrixOf<Scalar> assemble(const MatrixOf<Scalar>& K,
                          const MatrixOf<Scalar>& X,
                          Index chosen,
                          const VectorOf<Scalar>& zeta) {
    const Index d = K.rows();
    MatrixOf<Scalar> Z(2 * d, d + 1);
    Z.topLeftCorner(d, d) = K;
    Z.bottomLeftCorner(d, d) = X;
    Z.col(d).head(d) = K.col(chosen);
    Z.col(d).tail(d) = zeta;
    return Z;
}

MatrixOf<Rational> random_rotation(Index d, const Stream& stream) {
    return random_rational_orthogonal<Rational>(d, skew_bound(d), stream);
}

/// A sequence times one factor: multiples of 2^−bits.
struct ScaledSequence {
    Matrix Z;
    Index bits;
};

/// The factor is the least common denominator over the power of two just below it.
ScaledSequence in_doubles(const MatrixOf<Rational>& Z) {
    Integer common = 1;
    for (Index k = 0; k < Z.size(); ++k) {
        common = lcm(common, Integer(denominator(Z.data()[k])));
    }
    const auto bits = static_cast<Index>(msb(common));
    const Rational factor = Rational(common) * power_of_two(-static_cast<int>(bits));
    ScaledSequence scaled{Matrix(Z.rows(), Z.cols()), bits};
    for (Index k = 0; k < Z.size(); ++k) {
        const Rational entry = Z.data()[k] * factor;
        scaled.Z.data()[k] = entry.convert_to<double>();
        ensure(Rational(scaled.Z.data()[k]) == entry,
               "associative-memory: a scaled entry is not a double");
    }
    return scaled;
}

/// The keys (or values) of one sequence that are doubles as they are drawn.
Matrix columns(const AssociativeMemoryOptions& options,
               const AssociativeMemory& task,
               Index i,
               const Stream& stream) {
    if (!task.unitary(i)) {
        return grid_matrix(grid_normal(), options.d, options.d, stream);
    }
    switch (options.orthogonal) {
        case OrthogonalKind::haar:
            return random_orthogonal(options.d, stream);
        case OrthogonalKind::signed_permutation:
            return random_signed_permutation(options.d, stream);
        case OrthogonalKind::rational:
            break;
    }
    throw BrokenInvariant("associative-memory: unknown orthogonal kind");
}

Index chosen_key(Index d, const Stream& example) {
    Draws draws(example.child("query"));
    return static_cast<Index>(draws.below(static_cast<std::uint64_t>(d)));
}

Vector query_value(const AssociativeMemoryOptions& options, const Stream& example) {
    if (options.zeta == QueryValue::zero) {
        return Vector::Zero(options.d);
    }
    return grid_matrix(grid_normal(), options.d, 1, example.child("zeta"));
}

}  // namespace

AssociativeMemory::AssociativeMemory(const AssociativeMemoryOptions& options, const Stream& stream)
    : options_(options),
      path_(stream.path()),
      examples_(stream.child("example")),
      labeller_(attest::teacher(options, stream.child("teacher")), grid_normal().bits()) {
    require(options.mixture >= 0.0 && options.mixture <= 1.0,
            "task associative-memory: got mixture {}, expected 0 to 1",
            round_trip(options.mixture));
    require(!options.num_gaussian || *options.num_gaussian >= 0,
            "task associative-memory: got a negative num_gaussian, expected at least 0");
    const bool some_unitary = options.num_gaussian.has_value() || options.mixture > 0.0;
    require(options.orthogonal != OrthogonalKind::rational || !some_unitary ||
                options.d <= kLargestRational,
            "task associative-memory: got d = {}, expected at most {} for rational keys, whose "
            "entries have to fit in doubles; orthogonal = haar takes any d, but is rounded, and "
            "only a numerical rank sees it as orthogonal",
            options.d,
            kLargestRational);
    require(options.labels == MemoryLabels::attention || options.teacher == MemoryTeacher::paper,
            "task associative-memory: the printed labels belong to the paper's teacher");
}

TaskTraits AssociativeMemory::traits() const {
    const bool all_gaussian = !options_.num_gaussian && is_zero(options_.mixture);
    TaskTraits traits;
    traits.d = 2 * options_.d;
    traits.o = 2 * options_.d;
    // Without ζ the query column adds nothing, and equation 14 is right.
    traits.realisable =
        options_.labels == MemoryLabels::attention || options_.zeta == QueryValue::zero;
    // Rational keys of two entries have the denominator 5 at most: numerators stay below 2^16.
    traits.bitwise = all_gaussian || options_.orthogonal == OrthogonalKind::signed_permutation ||
                     (options_.orthogonal == OrthogonalKind::rational && options_.d <= 2);
    traits.max_length = options_.d + 1;
    return traits;
}

TaskDescription AssociativeMemory::description() const {
    const std::string num_gaussian =
        options_.num_gaussian ? std::to_string(*options_.num_gaussian) : "none";
    return {"associative-memory",
            {{"d", std::to_string(options_.d)},
             {"mixture", round_trip(options_.mixture)},
             {"num_gaussian", num_gaussian},
             {"orthogonal", std::string(name_of(kOrthogonalKinds, options_.orthogonal))},
             {"zeta", std::string(name_of(kQueryValues, options_.zeta))},
             {"labels", std::string(name_of(kMemoryLabels, options_.labels))},
             {"teacher", std::string(name_of(kMemoryTeachers, options_.teacher))}},
            path_};
}

Index AssociativeMemory::length(Index /*i*/) const {
    return options_.d + 1;
}

Stream AssociativeMemory::example(Index i) const {
    require(i >= 0, "task associative-memory: got sequence {}, expected at least 0", i);
    return examples_.child(i);
}

bool AssociativeMemory::unitary(Index i) const {
    const Stream stream = example(i);
    if (options_.num_gaussian) {
        return i >= *options_.num_gaussian;
    }
    if (options_.mixture >= 1.0) {
        return true;
    }
    return options_.mixture >= 0x1p-64 &&
           stream.child("kind").at(0) < probability_weight(options_.mixture);
}

bool AssociativeMemory::rational(Index i) const {
    return options_.orthogonal == OrthogonalKind::rational && unitary(i);
}

Sequence AssociativeMemory::draw(Index i) const {
    if (rational(i)) {
        const ScaledSequence scaled = in_doubles(draw_exact(i));
        const Labeller labeller(labeller_.theta(), std::min(scaled.bits, kMostLabelBits));
        return {scaled.Z, labels(scaled.Z, labeller)};
    }
    const Stream stream = example(i);
    const Matrix K = columns(options_, *this, i, stream.child("keys"));
    const Matrix X = columns(options_, *this, i, stream.child("values"));
    const Vector zeta = query_value(options_, stream);
    const Matrix Z = assemble<double>(K, X, chosen_key(options_.d, stream), zeta);
    return {Z, labels(Z, labeller_)};
}

Matrix AssociativeMemory::labels(const Matrix& Z, const Labeller& labeller) const {
    return options_.labels == MemoryLabels::printed ? Matrix(printed_memory_label(Z))
                                                    : labeller.labels(Z, LabelKind::per_sequence);
}

MatrixOf<Rational> AssociativeMemory::draw_exact(Index i) const {
    const Stream stream = example(i);
    if (rational(i)) {
        return assemble<Rational>(random_rotation(options_.d, stream.child("keys")),
                                  random_rotation(options_.d, stream.child("values")),
                                  chosen_key(options_.d, stream),
                                  query_value(options_, stream).cast<Rational>());
    }
    if (unitary(i) && options_.orthogonal == OrthogonalKind::haar) {
        throw NotAvailable(
            formatted("associative-memory: sequence {} has Haar keys, which have no rational form; "
                      "use rational or signed_permutation",
                      i));
    }
    return draw(i).Z.cast<Rational>();
}

GroundTruth AssociativeMemory::truth() const {
    GroundTruth truth;
    truth.heads = labeller_.theta();
    return truth;
}

Vector printed_memory_label(const Matrix& Z) {
    const Index d = Z.rows() / 2;
    require(Z.rows() == 2 * d && Z.cols() == d + 1,
            "printed_memory_label: Z is {}x{}, expected 2d x d+1",
            Z.rows(),
            Z.cols());
    Vector y = Vector::Zero(2 * d);
    for (Index j = 0; j < d; ++j) {
        double score = 0.0;
        for (Index i = 0; i < d; ++i) {
            score += Z(i, d) * Z(i, j);
        }
        for (Index i = d; i < 2 * d; ++i) {
            y(i) += score * Z(i, j);
        }
    }
    return y;
}

Parameters memory_parameters(Index d) {
    Matrix V = Matrix::Zero(2 * d, 2 * d);
    Matrix Q = Matrix::Zero(2 * d, 2 * d);
    for (Index i = 0; i < d; ++i) {
        V(d + i, d + i) = 1.0;
        Q(i, i) = 1.0;
    }
    return {2 * d, 2 * d, {{V, Q}}};
}

std::vector<TaskParameter> associative_memory_parameters() {
    return {
        {"d", "4", "entries of a key; tokens have 2d, sequences d + 1 tokens"},
        {"mixture", "0", "probability that a sequence is unitary"},
        {"num_gaussian", "none", "sequences before this one are Gaussian, the others unitary"},
        {"orthogonal",
         "rational",
         "unitary keys: rational (exact but for a factor), signed_permutation or haar (rounded)"},
        {"zeta", "normal", "value beside the query: normal or zero"},
        {"labels", "attention", "attention, or printed: equation 14, another function"},
        {"teacher", "paper", "paper, or random: one random head of the same norm"}};
}

std::unique_ptr<Task> read_associative_memory(const ParameterReader& reader, const Stream& stream) {
    AssociativeMemoryOptions options;
    options.d = reader.integer("d", 1, kLargestDimension);
    options.mixture = reader.real("mixture", 0.0, 1.0);
    if (reader.text("num_gaussian") != "none") {
        options.num_gaussian = reader.integer("num_gaussian", 0, Index{1} << 40);
    }
    options.orthogonal = reader.choice("orthogonal", kOrthogonalKinds);
    options.zeta = reader.choice("zeta", kQueryValues);
    options.labels = reader.choice("labels", kMemoryLabels);
    options.teacher = reader.choice("teacher", kMemoryTeachers);
    return std::make_unique<AssociativeMemory>(options, stream);
}

}  // namespace attest
