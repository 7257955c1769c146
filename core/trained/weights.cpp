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

bool begins_with_some(const std::string& name, const std::vector<std::string>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
        return name.starts_with(beginning);
    });
}

/// What is read of a file; all names are noted.
struct Reading {
    Weights& weights;
    NonFinite odd = NonFinite::refused;
    const std::vector<std::string>& unread;
    std::vector<std::string> names = {};

    /// The place of a tensor, to be filled by `read` unless it is not wanted.
    template <class Read>
    void take(const std::string& name, const Read& read) {
        names.push_back(name);
        if (name.starts_with(weights.prefix)) {
            const std::string rest = without(weights.prefix, name);
            weights.tensors[rest] = begins_with_some(rest, unread) ? Weight{} : read();
        }
    }
};

void read_safetensors(Reading& reading, std::istream& file, Index bytes) {
    const std::string& path = reading.weights.file;
    for (const TensorEntry& entry : read_safetensors_header(file, bytes, path)) {
        reading.take(entry.name, [&] {
            return Weight{entry.shape, read_tensor(file, entry, path, reading.odd)};
        });
    }
}

void read_archive(Reading& reading) {
    const NpzReader file = NpzReader::open(reading.weights.file);
    for (const std::string& name : file.keys()) {
        reading.take(name, [&] {
            NpyArray array = file.read(name);
            const auto odd = std::find_if(array.data.begin(), array.data.end(), [](double value) {
                return !std::isfinite(value);
            });
            require(reading.odd == NonFinite::kept || odd == array.data.end(),
                    "{}: element {} is {}",
                    file.where(name),
                    odd - array.data.begin(),
                    odd == array.data.end() ? 0.0 : *odd);
            return Weight{array.shape, std::move(array.data)};
        });
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

Weights read_weights(const std::string& path,
                     const std::string& prefix,
                     NonFinite odd,
                     const std::vector<std::string>& unread) {
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
    Reading reading{weights, odd, unread};
    if (is_archive(file)) {
        read_archive(reading);
    } else {
        require(!path.ends_with(".npz"),
                "{}: is no zip archive or is cut short, expected an .npz file; write it with "
                "numpy.savez",
                path);
        read_safetensors(reading, file, static_cast<Index>(bytes));
    }
    require(!weights.tensors.empty(),
            "{}: no weight begins with {}; there are {}",
            path,
            in_quotes(prefix),
            reading.names.empty() ? "none" : some_of(reading.names));
    return weights;
}

std::vector<std::string> weight_names(const std::string& path, const std::string& prefix) {
    std::vector<std::string> names;
    for (const auto& [name, weight] : read_weights(path, prefix, NonFinite::kept, {""}).tensors) {
        names.push_back(prefix + name);
    }
    return names;
}

}  // namespace attest
