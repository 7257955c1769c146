#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// The population by law, d and n, then the samples.
[[nodiscard]] std::string iid_certificate_text(const std::vector<Row>& rows);

/// Tables iid_certificate and iid_certificate_population, figure iid_certificate.
[[nodiscard]] Derived iid_certificate_derived(const std::vector<Row>& rows);

}  // namespace attest
