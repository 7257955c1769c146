#include "core/trained/weights.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace attest {

namespace {

constexpr std::size_t kNamesShown = 8;

bool is_archive(std::istream& file) {
    std::string start(2, '\0');
    file.read(start.data(), 2);
    file.clear();
    return start == "PK";
}

std::string without(const std::string& prefix, const std::string& name) {
    return name.substr(prefix.size());
}

void read_safetensors(Weights& weights,
                      std::istream& file,
                      Index bytes,
                      NonFinite odd,
                      std::vector<std::string>& names) {
    for (const TensorEntry& entry : read_safetensors_header(file, bytes, weights.file)) {
        names.push_back(entry.name);
        if (entry.name.starts_with(weights.prefix)) {
            weights.tensors[without(weights.prefix, entry.name)] = {
                entry.shape, read_tensor(file, entry, weights.file, odd)};
        }
    }
}

void read_archive(Weights& weights, NonFinite kept, std::vector<std::string>& names) {
    const NpzReader file = NpzReader::open(weights.file);
    for (const std::string& name : file.keys()) {
        names.push_back(name);
        if (!name.starts_with(weights.prefix)) {
            continue;
        }
        NpyArray array = file.read(name);
        const auto odd = std::find_if(array.data.begin(), array.data.end(), [](double value) {
            return !std::isfinite(value);
        });
        require(kept == NonFinite::kept || odd == array.data.end(),
                "{}: element {} is {}",
                file.where(name),
                odd - array.data.begin(),
                odd == array.data.end() ? 0.0 : *odd);
        weights.tensors[without(weights.prefix, name)] = {array.shape, std::move(array.data)};
    }
}

}  // namespace

std::string some_of(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) {
        text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
    }
    return names.size() > kNamesShown
               ? formatted("{} and {} more", text, names.size() - kNamesShown)
               : text;
}

std::string Weights::where(const std::string& name) const {
    return formatted("{}: {}{}", file, prefix, name);
}

Matrix Weights::matrix(const std::string& name) const {
    const auto found = tensors.find(name);
    require(found != tensors.end(), "{}: is missing", where(name));
    const Weight& weight = found->second;
    require(weight.shape.size() == 2 && !weight.values.empty(),
            "{}: has {} axes, expected a matrix",
            where(name),
            weight.shape.size());
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        weight.values.data(), weight.shape[0], weight.shape[1]);
}

Vector Weights::vector_or_zero(const std::string& name, Index length) const {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
        return Vector::Zero(length);
    }
    const Weight& weight = found->second;
    require(weight.shape.size() == 1 && weight.shape[0] == length,
            "{}: expected a vector of {} entries",
            where(name),
            length);
    return Eigen::Map<const Vector>(weight.values.data(), length);
}

Weights read_weights(const std::string& path, const std::string& prefix, NonFinite odd) {
    Weights weights{path, prefix, {}};
    std::ifstream file(path, std::ios::binary);
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(path, absent);
    require(file.good() && !absent,
            "{}: cannot be read: {}; check the name and permissions",
            path,
            unreadable_reason(path));
    require(
        !path.ends_with(".pt") && !path.ends_with(".pth") && !path.ends_with(".bin"),
        "{}: a checkpoint of PyTorch is a pickle, which is a program and is not run here; write "
        "the weights with safetensors.torch.save_file or numpy.savez",
        path);
    std::vector<std::string> names;
    if (is_archive(file)) {
        read_archive(weights, odd, names);
    } else {
        require(!path.ends_with(".npz"),
                "{}: is no zip archive or is cut short, expected an .npz file; write it with "
                "numpy.savez",
                path);
        read_safetensors(weights, file, static_cast<Index>(bytes), odd, names);
    }
    require(!weights.tensors.empty(),
            "{}: no weight begins with {}; there are {}",
            path,
            in_quotes(prefix),
            names.empty() ? "none" : some_of(names));
    return weights;
}

}  // namespace attest
