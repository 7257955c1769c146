#pragma once

#include "core/data/archive/npz.hpp"
#include "core/stack/forward.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

/// Constants of a layer as a file holds them.
struct StackLayerConstants {
    std::vector<double> decays;  ///< γ_h, one a head, of a fixed decay
    std::vector<double> angles;  ///< one a pair of entries of a rotary key, in radians
};

/// A stack of layers with its numbers.
struct Stack {
    StackShape shape;
    std::vector<double> parameters;              ///< P, in the order of named_slots(shape)
    std::vector<StackLayerConstants> constants;  ///< one a layer
    std::string meta;                            ///< JSON text, possibly empty
};

/// Throws InvalidInput unless sizes fit and every number is finite.
void require_sound(const Stack& stack);

/// Reads `stack.npz`: key `stack`, JSON text of the architecture (docs/formats.md), and an array
/// for each of named_slots(shape), a bias with one axis; `layers.L.decays`, `layers.L.angles`.
/// Throws InvalidInput of one line for another version, keys that are unknown or missing, and
/// shapes that disagree.
[[nodiscard]] Stack read_stack(const NpzReader& file);
[[nodiscard]] Stack read_stack(const std::string& path);

/// Whether a file holds a stack, not a layer's model.
[[nodiscard]] bool is_stack_file(const NpzReader& file);

void write_stack(const std::string& path, const Stack& stack);
[[nodiscard]] std::vector<std::byte> stack_bytes(const Stack& stack);

/// The architecture as JSON text, and back. Throws InvalidInput, `where` first.
[[nodiscard]] std::string shape_json(const StackShape& shape);
[[nodiscard]] StackShape shape_from_json(const std::string& text, const std::string& where);

/// The stack in doubles.
[[nodiscard]] StackAt<double> in_doubles(const Stack& stack);

/// Outputs on a d×t input that are read, token after token.
[[nodiscard]] Vector outputs(const Stack& stack, const Matrix& X);

}  // namespace attest
