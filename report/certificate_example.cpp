#include "report/certificate_example.hpp"

#include "core/base/files.hpp"
#include "core/certify/proof.hpp"
#include "core/data/dataset_file.hpp"
#include "core/features/cubic.hpp"
#include "proofs_check/checker/verify.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest {

namespace {

/// What attest-check prints: it reads the data from a file, by code of its own.
std::string checked(const std::string& proof, const Dataset& data) {
    const TemporaryDirectory folder;
    const std::string file = folder.file("data.npz");
    write_dataset(file, data);
    try {
        const checker::Dataset read = checker::load_dataset(file);
        const checker::Dataset no_queries;
        return "VERIFIED " + checker::verify(proof, {read, no_queries});
    } catch (const checker::Failure& failure) {
        return std::string("REJECTED: ") + failure.what();
    }
}

CertificateExample example(const Dataset& inputs) {
    CertificateExample made;
    const Index d = inputs.d();
    made.truth = Matrix::Zero(feature_dim(d), 1);
    for (Index j = 0; j < made.truth.rows(); ++j) {
        made.truth(j, 0) = static_cast<double>(j % 3 - 1);
    }
    Matrix y(1, inputs.num_sequences());
    for (Index i = 0; i < inputs.num_sequences(); ++i) {
        const Matrix Z = inputs.sequence(i);
        y.col(i) = made.truth.transpose() * cubic_features(Z);
    }
    made.data = with_labels(inputs, y);
    made.rank = certify_rank(made.data, {NullVectors::all, {}});
    if (const std::optional<std::string> proof = rank_proof(made.data, made.rank)) {
        made.proof = *proof;
        made.answer = checked(made.proof, made.data);
    }
    if (made.rank.verdict == RankVerdict::deficient) {
        made.witness = make_witness(made.data, made.rank, made.truth, nullptr);
    }
    return made;
}

}  // namespace

CertificateExample determined_example() {
    return example(unimodular_six());
}

CertificateExample undetermined_example() {
    return example(deficient_five());
}

}  // namespace attest
