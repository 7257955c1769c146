#include "tests/cli/head_models.hpp"

#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/coefficients.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/heads.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attest::test {

std::string planted_data(const TemporaryFolder& folder, const std::string& noise) {
    std::string data = folder.file("data.npz");
    (void)run_json(typed("generate random-linear-attention --d 3 --n 6 --heads 2 --noise " + noise +
                         " -N 150 -o " + data));
    return data;
}

std::string planted_layer(const TemporaryFolder& folder,
                          const std::string& name,
                          const std::string& n) {
    std::string file = folder.file(name);
    (void)run_json(typed("generate random-linear-attention --d 2 --n " + n +
                         " --heads 1 --noise 0.1 -N 60 -o " + file));
    return file;
}

std::string generic_model(const TemporaryFolder& folder, Index d) {
    std::string file = folder.file("generic" + std::to_string(d) + ".npz");
    write_model(file, {d, d, generic_coefficients(d, d, Stream(1)), Parameters{d, d, {}}, ""});
    return file;
}

void expect_same_outputs(const TemporaryFolder& folder,
                         const std::string& model,
                         const std::string& other,
                         const std::string& data) {
    const std::string first = folder.file("first.npz");
    const std::string second = folder.file("second.npz");
    (void)run_json({"predict", model, data, "-o", first});
    (void)run_json({"predict", other, data, "-o", second});
    const Matrix P = read_model(model).P;
    const Dataset sequences = read_dataset(data);
    const MomentBatch moments = collect(DatasetSource(sequences));
    const Matrix difference = read_dataset(first).y - read_dataset(second).y;
    const double norm = symmetric_gauge<double>(P, sequences.d()).norm();
    const double rounding =
        2.0 * static_cast<double>(P.rows()) * std::numeric_limits<double>::epsilon();
    for (Index i = 0; i < moments.size(); ++i) {
        // ‖S‖_F is at most √2 times the norm of its pack.
        const double reach =
            norm * std::sqrt(2.0) * moments.S.col(i).norm() * moments.u.col(i).norm();
        EXPECT_LE(difference.col(i).norm(), (kFunctionBar + rounding) * reach) << i;
    }
}

}  // namespace attest::test
