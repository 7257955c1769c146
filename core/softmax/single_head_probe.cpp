#include "core/softmax/single_head_probe.hpp"

#include "core/base/error.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/input_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kProbeRounding = std::numeric_limits<double>::epsilon();

NpyArray array_of(const Matrix& A) {
    NpyArray array{DType::float64, {A.rows(), A.cols()}, {}};
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            array.data.push_back(A(i, j));
        }
    }
    return array;
}

/// Reads A_ij off V e_j + p·V e_i.
void read_entry(SingleHead& head, const Vector& answer, Index i, Index j) {
    const Vector value = head.V.col(i);
    const Vector rest = answer - head.V.col(j);
    const double size = value.norm();
    const double largest = head.V.colwise().norm().maxCoeff();
    if (size <= 4.0 * kProbeRounding * largest) {
        head.unread.emplace_back(i, j);
        return;
    }
    const double p = rest.dot(value) / (size * size);
    const double off = (rest - p * value).norm() / size;
    head.misfit = std::max(head.misfit, off);
    const double rounding = 4.0 * kProbeRounding * largest / size;
    const double room = std::min(p, 1.0 - p);
    if (room <= rounding + off) {
        head.unread.emplace_back(i, j);
        return;
    }
    head.A(i, j) = std::log(p) - std::log1p(-p);
    head.error = std::max(head.error, (rounding + off) / (p * (1.0 - p)));
}

}  // namespace

Dataset softmax_queries(Index d) {
    InputList inputs(d);
    for (Index i = 0; i < d; ++i) {
        inputs.add({Vector::Unit(d, i)});
    }
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
            inputs.add({Vector::Unit(d, i) + Vector::Unit(d, j), Vector::Unit(d, j)});
        }
    }
    return inputs.finish();
}

SingleHead read_single_head(const Dataset& answers) {
    const Index d = answers.d();
    const Dataset asked = softmax_queries(d);
    require(answers.labels == LabelKind::per_sequence && answers.query.empty(),
            "read_single_head: expected one answer for each sequence, under the key y, and no "
            "query");
    require(answers.offsets == asked.offsets && answers.tokens.view() == asked.tokens.view(),
            "read_single_head: the inputs are not those of attest probe --softmax --d {}",
            d);
    SingleHead head;
    head.V = answers.y.leftCols(d);
    head.A = Matrix::Zero(d, d);
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
            read_entry(head, answers.y.col(d + i * d + j), i, j);
        }
    }
    return head;
}

void write_single_head(const std::string& path, const SingleHead& head) {
    NpzWriter file;
    file.add("V", array_of(head.V));
    file.add("A", array_of(head.A));
    file.write(path);
}

}  // namespace attest
