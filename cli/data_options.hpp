#pragma once

#include "core/data/opened_dataset.hpp"

#include <string>

namespace attest::cli {

/// open_dataset of a file; sequences that hold a NaN or an infinity are left out with
/// `skip_invalid`, and which ones is said on standard error. `what` is the command.
[[nodiscard]] OpenedDataset open_data(
    const char* what, const std::string& path, bool skip_invalid, const Layer& layer, ReadingAs as);

/// The same, all of it in memory.
[[nodiscard]] Dataset load_data(const char* what,
                                const std::string& path,
                                bool skip_invalid,
                                const Layer& layer = {});

}  // namespace attest::cli
