#include "core/questions/certify.hpp"

#include "core/features/cubic.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/data.hpp"
#include "python/src/interruptible.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace attest::python {

namespace {

/// mantissa·2^exponent, for fractions.Fraction.
py::tuple exact(const BigDyadic& value) {
    return py::make_tuple(value.mantissa.str(), value.exponent);
}

py::dict witness_of(const WitnessAudit& found) {
    py::list coefficients;
    for (const Matrix& P : found.witness.P) {
        coefficients.append(Matrix(P.transpose()));
    }
    py::list null_vector;
    for (const Integer& entry : found.witness.null_vector) {
        null_vector.append(entry.str());
    }
    py::dict said;
    said["coefficients"] = coefficients;
    said["input"] = std::make_unique<Data>(found.witness.input);
    said["difference"] = found.witness.difference;
    said["null_vector"] = null_vector;
    return said;
}

/// The value under a key of the question, or what stands for its absence.
template <class Value>
Value asked(const py::kwargs& question, const char* key, Value otherwise) {
    return question.contains(key) ? question[key].cast<Value>() : otherwise;
}

/// Another data set that the question names, with all its tokens; null without.
const Dataset* asked_data(const py::kwargs& question, const char* key) {
    const auto* const data = asked<const Data*>(question, key, nullptr);
    return data == nullptr ? nullptr : &data->whole();
}

CertifyRequest request_of(const py::kwargs& question) {
    CertifyRequest request;
    request.level = certify_level_from_string(asked<std::string>(question, "level", "auto"));
    request.parts.queries = asked_data(question, "queries");
    request.parts.witness = asked(question, "witness", false);
    request.parts.reasons = asked(question, "explain", false);
    request.parts.realisable = asked(question, "realisable", false);
    request.parts.least_risk = asked(question, "expressible", false);
    request.parts.coverage = asked<std::optional<double>>(question, "coverage", std::nullopt);
    request.parts.heads = asked<Index>(question, "heads", 0);
    request.parts.head_sizes = {asked<Index>(question, "key_size", 0),
                                asked<Index>(question, "value_size", 0)};
    request.pool = asked_data(question, "pool");
    request.suggest = asked<Index>(question, "suggest", 0);
    request.model = asked<const Model*>(question, "model", nullptr);
    request.noise = asked<std::optional<double>>(question, "noise", std::nullopt);
    request.other = asked_data(question, "ood");
    return request;
}

/// The keywords are those of _core.pyi; the Python layer names and checks them.
py::dict certify_data(const Data& data, const py::kwargs& question) {
    const CertifyRequest request = request_of(question);
    require_answerable(request);  // before the data are read
    const int threads = asked(question, "threads", 1);
    const auto progress = asked<py::object>(question, "progress", py::none());
    Certification found = interruptible(threads, progress, [&] {
        const auto source = data.source(reading_for(request));
        return certify(FactoredSource(*source), request);
    });
    if (const auto path = asked<std::optional<std::string>>(question, "keep", std::nullopt)) {
        keep_proof(found, *path);
    }
    py::dict answer = answer_of(describe(found));
    answer["answer"] = to_string(found.answer);
    answer["heads"] = found.least_heads;
    answer["proof"] = found.proof;
    if (const LambdaMinEnclosure* const enclosure = found.enclosure()) {
        answer["lambda_min"] = py::make_tuple(exact(enclosure->lo), exact(enclosure->hi));
    }
    if (found.exact() != nullptr && found.exact()->witness) {
        answer["witness"] = witness_of(*found.exact()->witness);
    }
    return answer;
}

Matrix leverage_of(const Data& data, const Data& queries, int threads) {
    return interruptible(threads, [&]() -> Matrix {
        const auto source = data.source(ReadingAs::parts);
        const FactoredSource factored(*source);
        const auto scaled = factored.in_its_units(queries.sequences());
        return factored.leverage().of(*scaled);
    });
}

py::dict spectrum_of(const Data& data, int threads) {
    const NumericalSpectrum found = interruptible(threads, [&] {
        const auto source = data.source(ReadingAs::parts);
        return FactoredSource(*source).spectrum();
    });
    py::dict said;
    said["sigma"] = Matrix(
        found.sigma.unaryExpr([&](double value) { return std::ldexp(value, found.exponent); }));
    said["rank"] = found.rank;
    said["threshold"] = std::ldexp(found.threshold, found.exponent);
    return said;
}

Matrix features_of(const Data& data) {
    return interruptible(1, [&] {
        const auto source = data.source(ReadingAs::parts);
        return feature_columns(collect(*source), source->shape().layout);
    });
}

}  // namespace

void bind_certify(py::module_& module) {
    module.def("certify", &certify_data);
    module.def("leverage", &leverage_of);
    module.def("spectrum", &spectrum_of);
    module.def("features", &features_of);
}

}  // namespace attest::python
