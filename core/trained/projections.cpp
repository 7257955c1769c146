#include "core/trained/projections.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/shards.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

namespace {

/// A projection with its bias as column 0.
struct Biased {
    Matrix weight;  ///< rows×(1 + d)
    bool biased;
};

Biased with_bias(const Matrix& weight, const Vector& bias) {
    Matrix both(weight.rows(), weight.cols() + 1);
    both << bias, weight;
    return {both, !bias.isZero(0.0)};
}

Biased projection(const Weights& weights, const std::string& name) {
    const Matrix weight = weights.matrix(name + ".weight");
    return with_bias(weight, weights.vector_or_zero(name + ".bias", weight.rows()));
}

struct Inputs {
    Biased queries;
    Biased keys;
    Biased values;
};

Inputs separate_inputs(const Weights& weights) {
    return {projection(weights, "q_proj"),
            projection(weights, "k_proj"),
            projection(weights, "v_proj")};
}

/// Queries, keys and values one below the other, or, where their sizes differ, each by its name.
Inputs packed_inputs(const Weights& weights) {
    const bool together = weights.contains("in_proj_weight");
    const Matrix all =
        together ? weights.matrix("in_proj_weight") : weights.matrix("q_proj_weight");
    const Index rows = together ? all.rows() / 3 : all.rows();
    require(!together || all.rows() == 3 * rows,
            "{}: has {} rows, expected three times as many as queries have",
            weights.where("in_proj_weight"),
            all.rows());
    const Vector bias = weights.vector_or_zero("in_proj_bias", 3 * rows);
    const auto part = [&](Index k, const char* name) {
        const Matrix weight =
            together ? Matrix(all.middleRows(k * rows, rows)) : weights.matrix(name);
        require(weight.rows() == rows,
                "{}: has {} rows, expected {}",
                weights.where(name),
                weight.rows(),
                rows);
        return with_bias(weight, bias.segment(k * rows, rows));
    };
    return {part(0, "q_proj_weight"), part(1, "k_proj_weight"), part(2, "v_proj_weight")};
}

/// Where a weight that is no projection stands.
enum class Place : std::uint8_t {
    before_heads,  ///< the heads are computed from what it puts out
    behind_heads,  ///< no matter where the heads are the output
};

/// What else a checkpoint may hold, by a part of its name, and what to do. The first that fits.
struct Term {
    std::string_view part;
    std::string_view reason;
    Place place = Place::before_heads;
};

constexpr std::string_view kKeyNorm =
    "queries or keys are normalised, which is not linear in the token; record what this norm puts "
    "out, compute the states and bring s and u: --layer moments, docs/families.md 3.11";
constexpr std::string_view kHeadNorm =
    "the heads are normalised, which is not linear; record what enters this norm and import "
    "--until heads";
constexpr std::string_view kSomeNorm =
    "is a norm, and its name does not say of what; before the layer: record the tokens that it "
    "puts out and leave it out of this file; behind the heads: call it o_norm, record what enters "
    "it and import --until heads";
constexpr std::string_view kDelta =
    "is DeltaNet's or Mamba's: the state changes by more than a fixed decay; record keys, "
    "strengths and gates: --layer \"delta gates\", docs/families.md 3.12, or \"gates cross\", 3.7";

constexpr std::array<Term, 29> kTerms{
    {{"conv1d",
      "a short convolution with an activation stands before the sum; record what it puts out "
      "and use --layer moments"},
     {"feature_map",
      "a learned feature map is no fixed one; record its output and use --layer mapped"},
     {"bias_k", "a key and value of its own is added to the sequence; train without add_bias_kv"},
     {"bias_v", "a key and value of its own is added to the sequence; train without add_bias_kv"},
     {"A_log", kDelta},
     {"dt_bias", kDelta},
     {"a_proj", kDelta},
     {"b_proj", kDelta},
     {"beta_proj", kDelta},
     {"gk_proj", "gates depend on the token; import as simple-gla and record them"},
     {"g_proj",
      "the heads are multiplied by a gate; record what enters it and import --until heads",
      Place::behind_heads},
     {"q_norm", kKeyNorm},
     {"k_norm", kKeyNorm},
     {"qk_norm", kKeyNorm},
     {"v_norm", kKeyNorm},
     {"norm_q", kKeyNorm},
     {"norm_k", kKeyNorm},
     {"norm_v", kKeyNorm},
     {"q_layernorm", kKeyNorm},
     {"k_layernorm", kKeyNorm},
     {"query_norm", kKeyNorm},
     {"key_norm", kKeyNorm},
     {"g_norm", kHeadNorm, Place::behind_heads},
     {"o_norm", kHeadNorm, Place::behind_heads},
     {"group_norm", kHeadNorm, Place::behind_heads},
     {"out_norm", kHeadNorm, Place::behind_heads},
     {"head_norm", kHeadNorm, Place::behind_heads},
     {"layernorm", kSomeNorm},
     {"norm", kSomeNorm}}};

/// Whether a name has this part at the beginning of one of its words.
bool has_part(const std::string& name, std::string_view part) {
    for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
        if (at == 0 || std::isalnum(static_cast<unsigned char>(name[at - 1])) == 0) {
            return true;
        }
    }
    return false;
}

const Term* term_named(const std::string& name) {
    const auto* const found = std::find_if(
        kTerms.begin(), kTerms.end(), [&](const Term& term) { return has_part(name, term.part); });
    return found == kTerms.end() ? nullptr : &*found;
}

/// Refuses weights of several layers, or of a whole model, with the prefixes of the layers in them.
void refuse_whole_models(const Weights& weights) {
    const bool own = weights.contains("q_proj.weight") || weights.contains("in_proj_weight") ||
                     weights.contains("q_proj_weight");
    std::vector<std::string> names;
    for (const auto& [name, weight] : weights.tensors) {
        names.push_back(weights.prefix + name);
    }
    const std::vector<std::string> prefixes = layer_prefixes(names, weights.prefix);
    if (own || prefixes.empty()) {
        return;
    }
    throw InvalidInput(formatted(
        "{}: {} is no weight of one layer; one layer is imported at a time, as each has inputs of "
        "its own: --prefix {}; or --all",
        weights.file,
        in_quotes(weights.prefix + weights.tensors.begin()->first),
        some_of(prefixes)));
}

/// The weights that are read, whole names: q_proj.lora_A adds to q_proj.
constexpr std::array<std::string_view, 8> kSeparate{"q_proj.weight",
                                                    "q_proj.bias",
                                                    "k_proj.weight",
                                                    "k_proj.bias",
                                                    "v_proj.weight",
                                                    "v_proj.bias",
                                                    "o_proj.weight",
                                                    "o_proj.bias"};
constexpr std::array<std::string_view, 7> kPacked{"in_proj_weight",
                                                  "in_proj_bias",
                                                  "q_proj_weight",
                                                  "k_proj_weight",
                                                  "v_proj_weight",
                                                  "out_proj.weight",
                                                  "out_proj.bias"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void refuse_other_terms(const Weights& weights,
                        WeightNames names,
                        ImportedOutput output,
                        bool recorded_gates) {
    refuse_whole_models(weights);
    const bool separate = names == WeightNames::separate;
    for (const auto& [name, weight] : weights.tensors) {
        const bool known = separate ? is_one_of(kSeparate, name) : is_one_of(kPacked, name);
        const bool buffer = name == kFrequencies;
        if (known || buffer || (recorded_gates && name.starts_with("gk_proj."))) {
            continue;
        }
        const Term* const term = term_named(name);
        require(term != nullptr,
                "{}: is not a weight of linear attention that is known here; see "
                "docs/your-layer.md",
                weights.where(name));
        require(term->place == Place::behind_heads && output == ImportedOutput::heads,
                "{}: {}",
                weights.where(name),
                term->reason);
    }
}

/// Rows of head h among `count` heads.
Matrix rows_of(const Matrix& weight, Index h, Index count) {
    const Index size = weight.rows() / count;
    return weight.middleRows(h * size, size);
}

void require_divides(const Weights& weights, const char* name, const Matrix& weight, Index heads) {
    require(weight.rows() % heads == 0,
            "{}: {} rows are not those of {} heads; see --num-heads and --key-heads",
            weights.where(name),
            weight.rows(),
            heads);
}

}  // namespace

std::vector<std::string> layer_prefixes(const std::vector<std::string>& names,
                                        const std::string& prefix) {
    std::vector<std::string> found;
    for (const std::string& name : names) {
        for (const std::string_view first : {"q_proj.weight", "in_proj_weight", "q_proj_weight"}) {
            if (name.ends_with(first)) {
                const std::string layer = name.substr(0, name.size() - first.size());
                if (layer.size() > prefix.size() && layer.ends_with('.')) {
                    found.push_back(layer);
                }
            }
        }
    }
    std::sort(found.begin(), found.end(), naturally_before);
    return found;
}

Projections read_projections(const Weights& weights,
                             WeightNames names,
                             Index heads,
                             Index key_heads,
                             ImportedOutput output,
                             bool recorded_gates) {
    refuse_other_terms(weights, names, output, recorded_gates);
    const Index groups = key_heads == 0 ? heads : key_heads;
    require(heads > 0 && heads % groups == 0,
            "import: {} heads cannot share the keys of {}",
            heads,
            groups);
    const bool separate = names == WeightNames::separate;
    const Inputs in = separate ? separate_inputs(weights) : packed_inputs(weights);
    require_divides(weights, "queries", in.queries.weight, heads);
    require_divides(weights, "keys", in.keys.weight, groups);
    require_divides(weights, "values", in.values.weight, groups);
    const Index d = in.queries.weight.cols() - 1;
    require(in.keys.weight.cols() == d + 1 && in.values.weight.cols() == d + 1 &&
                in.queries.weight.rows() / heads == in.keys.weight.rows() / groups,
            "{}: queries, keys and values are not of the same tokens or heads",
            weights.where("q_proj.weight"));
    const Index d_v = in.values.weight.rows() / groups;
    Projections found{d, heads * d_v, {}, Vector::Zero(heads * d_v), false};
    Biased out{Matrix::Identity(heads * d_v, heads * d_v + 1), false};
    if (output == ImportedOutput::projected) {
        const std::string name = separate ? "o_proj" : "out_proj";
        out = projection(weights, name);
        require(out.weight.cols() == heads * d_v + 1,
                "{}: has {} columns, expected {} heads of {}",
                weights.where(name + ".weight"),
                out.weight.cols() - 1,
                heads,
                d_v);
        found.o = out.weight.rows();
        found.output_bias = out.weight.col(0);
    } else {
        out.weight << Vector::Zero(heads * d_v), Matrix::Identity(heads * d_v, heads * d_v);
    }
    found.biased = in.queries.biased || in.keys.biased || in.values.biased || out.biased;
    for (Index h = 0; h < heads; ++h) {
        const Index group = h / (heads / groups);
        found.heads.push_back({rows_of(in.queries.weight, h, heads),
                               rows_of(in.keys.weight, group, groups),
                               rows_of(in.values.weight, group, groups),
                               out.weight.middleCols(1 + h * d_v, d_v)});
    }
    return found;
}

}  // namespace attest
