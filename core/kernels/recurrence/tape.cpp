#include "core/kernels/recurrence/tape.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

template <class A>
Recorded Tape<A>::record(Values value, Back back) {
    nodes_.push_back({std::move(value), {}, std::move(back)});
    return {std::ssize(nodes_) - 1};
}

template <class A>
typename Tape<A>::Values Tape<A>::gradient(Recorded x) const {
    const Node& at = node(x);
    return at.gradient.size() > 0 ? at.gradient : Values::Zero(at.value.rows(), at.value.cols());
}

template <class A>
void Tape<A>::add_gradient(Recorded x, Values gradient) {
    Node& at = node(x);
    const Index rows = at.value.rows();
    const Index cols = at.value.cols();
    if (gradient.rows() > rows) {
        gradient = rounded(gradient.colwise().sum());
    }
    if (gradient.cols() > cols) {
        gradient = rounded(gradient.rowwise().sum());
    }
    at.gradient = at.gradient.size() == 0 ? std::move(gradient) : rounded(at.gradient + gradient);
}

template <class A>
void Tape<A>::add_gradient(Recorded x, Index first, const Values& gradient) {
    Node& at = node(x);
    if (at.gradient.size() == 0) {
        at.gradient = Values::Zero(at.value.rows(), at.value.cols());
    }
    auto block = at.gradient.middleRows(first, gradient.rows());
    block = rounded(block + gradient);
}

template <class A>
void Tape<A>::backward() {
    for (Index at = std::ssize(nodes_) - 1; at >= 0; --at) {
        Node& here = nodes_[static_cast<std::size_t>(at)];
        if (here.back && here.gradient.size() > 0) {
            const Values gradient = std::move(here.gradient);
            here.gradient = Values();
            here.back(gradient);
            here.back = {};
        }
    }
}

template <class A>
typename Tape<A>::Values Tape<A>::repeated(Recorded x, Index rows, Index cols) const {
    const Values& value = node(x).value;
    return value.replicate(rows / value.rows(), cols / value.cols());
}

template <class A>
Recorded Tape<A>::add(Recorded a, Recorded b) {
    const Index rows = std::max(value(a).rows(), value(b).rows());
    const Index cols = std::max(value(a).cols(), value(b).cols());
    return record(rounded(repeated(a, rows, cols) + repeated(b, rows, cols)),
                  [this, a, b](const Values& G) {
                      add_gradient(a, G);
                      add_gradient(b, G);
                  });
}

template <class A>
Recorded Tape<A>::subtract(Recorded a, Recorded b) {
    const Index rows = std::max(value(a).rows(), value(b).rows());
    const Index cols = std::max(value(a).cols(), value(b).cols());
    return record(rounded(repeated(a, rows, cols) - repeated(b, rows, cols)),
                  [this, a, b](const Values& G) {
                      add_gradient(a, G);
                      add_gradient(b, -G);
                  });
}

template <class A>
Recorded Tape<A>::times(Recorded a, Recorded b) {
    const Index rows = std::max(value(a).rows(), value(b).rows());
    const Index cols = std::max(value(a).cols(), value(b).cols());
    return record(rounded(repeated(a, rows, cols).cwiseProduct(repeated(b, rows, cols))),
                  [this, a, b, rows, cols](const Values& G) {
                      add_gradient(a, rounded(G.cwiseProduct(repeated(b, rows, cols))));
                      add_gradient(b, rounded(G.cwiseProduct(repeated(a, rows, cols))));
                  });
}

template <class A>
Recorded Tape<A>::divided(Recorded a, Recorded b) {
    const Index rows = std::max(value(a).rows(), value(b).rows());
    const Index cols = std::max(value(a).cols(), value(b).cols());
    const Values quotient = rounded(repeated(a, rows, cols).cwiseQuotient(repeated(b, rows, cols)));
    return record(quotient, [this, a, b, rows, cols, quotient](const Values& G) {
        const Values share = rounded(G.cwiseQuotient(repeated(b, rows, cols)));
        add_gradient(a, share);
        add_gradient(b, rounded(-quotient.cwiseProduct(share)));
    });
}

template <class A>
Recorded Tape<A>::scaled(Recorded a, double factor) {
    const auto wide = static_cast<Scalar>(factor);
    return record(rounded(wide * value(a)),
                  [this, a, wide](const Values& G) { add_gradient(a, rounded(wide * G)); });
}

template <class A>
Recorded Tape<A>::plus(Recorded a, double number) {
    return record(rounded((value(a).array() + static_cast<Scalar>(number)).matrix()),
                  [this, a](const Values& G) { add_gradient(a, G); });
}

template <class A>
Recorded Tape<A>::product(Recorded a, Recorded b) {
    return record(arithmetic_.product(value(a), value(b)), [this, a, b](const Values& G) {
        add_gradient(a, arithmetic_.product(G, value(b).transpose()));
        add_gradient(b, arithmetic_.product(value(a).transpose(), G));
    });
}

template <class A>
Recorded Tape<A>::product_transposed(Recorded a, Recorded b) {
    return record(arithmetic_.product(value(a), value(b).transpose()),
                  [this, a, b](const Values& G) {
                      add_gradient(a, arithmetic_.product(G, value(b)));
                      add_gradient(b, arithmetic_.product(G.transpose(), value(a)));
                  });
}

template <class A>
Recorded Tape<A>::transposed_product(Recorded a, Recorded b) {
    return record(arithmetic_.product(value(a).transpose(), value(b)),
                  [this, a, b](const Values& G) {
                      add_gradient(a, arithmetic_.product(value(b), G.transpose()));
                      add_gradient(b, arithmetic_.product(value(a), G));
                  });
}

template <class A>
Recorded Tape<A>::transposed(Recorded a) {
    return record(value(a).transpose(),
                  [this, a](const Values& G) { add_gradient(a, G.transpose()); });
}

template <class A>
Recorded Tape<A>::exp(Recorded a) {
    const Values result = arithmetic_.exp(value(a));
    return record(result, [this, a, result](const Values& G) {
        add_gradient(a, rounded(G.cwiseProduct(result)));
    });
}

template <class A>
Recorded Tape<A>::log(Recorded a) {
    return record(rounded(value(a).array().log().matrix()), [this, a](const Values& G) {
        add_gradient(a, rounded(G.cwiseQuotient(value(a))));
    });
}

template <class A>
Recorded Tape<A>::softplus(Recorded a) {
    // log(1 + eˣ) = max(x, 0) + log(1 + e^−|x|).
    const Values result = value(a).unaryExpr(
        [](Scalar x) { return std::max(x, Scalar(0)) + std::log1p(std::exp(-std::abs(x))); });
    return record(arithmetic_.rounded(result, 4.0), [this, a](const Values& G) {
        const Values slope =
            value(a).unaryExpr([](Scalar x) { return Scalar(1) / (Scalar(1) + std::exp(-x)); });
        add_gradient(a, arithmetic_.rounded(G.cwiseProduct(slope), 4.0));
    });
}

template <class A>
Recorded Tape<A>::sigmoid(Recorded a) {
    const Values result = arithmetic_.rounded(
        value(a).unaryExpr([](Scalar x) { return Scalar(1) / (Scalar(1) + std::exp(-x)); }), 4.0);
    return record(result, [this, a, result](const Values& G) {
        const Values slope = result.unaryExpr([](Scalar s) { return s * (Scalar(1) - s); });
        add_gradient(a, arithmetic_.rounded(G.cwiseProduct(slope), 3.0));
    });
}

template <class A>
Recorded Tape<A>::size_from(Recorded a, double floor) {
    const auto least = static_cast<Scalar>(floor);
    return record(value(a).unaryExpr([least](Scalar x) { return std::max(std::abs(x), least); }),
                  [this, a, least](const Values& G) {
                      const Values sign = value(a).unaryExpr([least](Scalar x) {
                          return std::abs(x) > least ? std::copysign(Scalar(1), x) : Scalar(0);
                      });
                      add_gradient(a, G.cwiseProduct(sign));
                  });
}

template <class A>
Recorded Tape<A>::clamped(Recorded a, double lowest, double highest) {
    const auto low = static_cast<Scalar>(lowest);
    const auto high = static_cast<Scalar>(highest);
    return record(value(a).unaryExpr([low, high](Scalar x) { return std::clamp(x, low, high); }),
                  [this, a, low, high](const Values& G) {
                      const Values inside = value(a).unaryExpr([low, high](Scalar x) {
                          return x >= low && x <= high ? Scalar(1) : Scalar(0);
                      });
                      add_gradient(a, G.cwiseProduct(inside));
                  });
}

template <class A>
Recorded Tape<A>::unit_rows(Recorded a, double epsilon) {
    const auto added = static_cast<Scalar>(epsilon);
    const Values squares = arithmetic_.row_products(value(a), value(a));
    const Values inverse = arithmetic_.rounded(
        squares.unaryExpr([added](Scalar x) { return Scalar(1) / std::sqrt(x + added); }), 3.0);
    const Index cols = value(a).cols();
    const Values unit = rounded(value(a).cwiseProduct(inverse.replicate(1, cols)));
    return record(unit, [this, a, inverse, unit, cols](const Values& G) {
        const Values along = arithmetic_.row_products(G, unit);
        const Values across = rounded(G - rounded(unit.cwiseProduct(along.replicate(1, cols))));
        add_gradient(a, rounded(across.cwiseProduct(inverse.replicate(1, cols))));
    });
}

template <class A>
Recorded Tape<A>::cumulated(Recorded a) {
    const Values& x = value(a);
    Values sums = x;
    const double units = std::max(1.0, std::sqrt(static_cast<double>(x.rows()) / 3.0));
    for (Index t = 1; t < x.rows(); ++t) {
        sums.row(t) += sums.row(t - 1);
    }
    return record(arithmetic_.rounded(std::move(sums), units), [this, a, units](const Values& G) {
        Values back = G;
        for (Index t = G.rows() - 2; t >= 0; --t) {
            back.row(t) += back.row(t + 1);
        }
        add_gradient(a, arithmetic_.rounded(std::move(back), units));
    });
}

namespace {

template <class Values>
Values lower_part(Values x, Index first) {
    for (Index s = 0; s < x.cols(); ++s) {
        const Index zeros = std::min(x.rows(), s + first);
        x.col(s).head(zeros).setZero();
    }
    return x;
}

}  // namespace

template <class A>
Recorded Tape<A>::lower(Recorded a, Index first) {
    return record(lower_part(value(a), first),
                  [this, a, first](const Values& G) { add_gradient(a, lower_part(G, first)); });
}

template <class A>
Recorded Tape<A>::inverse_of_unit_lower(Recorded a) {
    const Index n = value(a).rows();
    Values inverse = Values::Identity(n, n);
    for (Index t = 1; t < n; ++t) {
        inverse.row(t).head(t) =
            -(value(a).row(t).head(t) *
              inverse.topLeftCorner(t, t).template triangularView<Eigen::Lower>());
    }
    inverse = arithmetic_.inverse_rounded(std::move(inverse), value(a));
    return record(inverse, [this, a, inverse](const Values& G) {
        const Values left = arithmetic_.product(inverse.transpose(), G);
        add_gradient(a, -arithmetic_.product(left, inverse.transpose()));
    });
}

template <class A>
Recorded Tape<A>::rows(Recorded a, Index first, Index count) {
    return record(value(a).middleRows(first, count),
                  [this, a, first](const Values& G) { add_gradient(a, first, G); });
}

template <class A>
Recorded Tape<A>::columns(Recorded a, Index first, Index count) {
    return record(value(a).middleCols(first, count), [this, a, first, count](const Values& G) {
        Values wide = Values::Zero(value(a).rows(), value(a).cols());
        wide.middleCols(first, count) = G;
        add_gradient(a, std::move(wide));
    });
}

template <class A>
Recorded Tape<A>::beside(Recorded a, Recorded b) {
    const Index left = value(a).cols();
    const Index right = value(b).cols();
    Values both(value(a).rows(), left + right);
    both << value(a), value(b);
    return record(std::move(both), [this, a, b, left, right](const Values& G) {
        add_gradient(a, G.leftCols(left));
        add_gradient(b, G.rightCols(right));
    });
}

template <class A>
Recorded Tape<A>::stacked(const std::vector<Recorded>& parts) {
    Index count = 0;
    for (const Recorded part : parts) {
        count += value(part).rows();
    }
    Values all(count, value(parts.front()).cols());
    Index first = 0;
    for (const Recorded part : parts) {
        all.middleRows(first, value(part).rows()) = value(part);
        first += value(part).rows();
    }
    return record(std::move(all), [this, parts](const Values& G) {
        Index from = 0;
        for (const Recorded part : parts) {
            const Index size = value(part).rows();
            add_gradient(part, G.middleRows(from, size));
            from += size;
        }
    });
}

template class Tape<ExactArithmetic>;
template class Tape<RandomArithmetic>;

}  // namespace attest
