#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace attest::test {

/// One task with parameters: what the contract test runs over, and the digest of its data.
struct ContractCase {
    std::string task;
    std::map<std::string, std::string> parameters;
    std::string digest;  ///< of 130 sequences from seed 20241014
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest's name
inline void PrintTo(const ContractCase& c, std::ostream* out) {
    *out << c.task;
    for (const auto& [name, value] : c.parameters) {
        *out << ' ' << name << '=' << value;
    }
}

// NOLINTNEXTLINE(readability-function-size): a table
inline const std::vector<ContractCase>& contract_cases() {
    static const std::vector<ContractCase> cases{
        {"random-linear-attention",
         {},
         "9a85c75c71d247870ea12d16db0496a33104f940fd3d7b535bbda4a2735cf46d"},
        {"random-linear-attention",
         {{"d", "2"}, {"o", "1"}, {"n", "1..9"}, {"heads", "1"}, {"labels", "per_prefix"}},
         "07d848d32f90c8dc9a1ecc890ac7cbbc4b442eb53af1cec7474b0cdf86c88c64"},
        {"random-linear-attention",
         {{"teacher", "small"}, {"n", "5"}, {"d", "3"}},
         "fbc86518974ada3af3500fc509b4e607867073c13f03e28d899efeba35d16bfe"},
        {"random-linear-attention",
         {{"teacher", "plain"}, {"teacher_scale", "0.7"}},
         "a0da94de11af3d524b5ea87655cde9f5f22429b0f100453013b10e95ac897041"},
        {"random-linear-attention",
         {{"input_scale", "0.1"}, {"n", "10"}, {"noise", "0.5"}},
         "ecf7160ccf5f9805f20b998856d33ad94821b7d10bb62a86245e3b3f01fcc3e2"},
        {"random-layer", {}, "985beac5a47ba397d63e6a62cfe45b1ef83102c285f0f5992867626f60eea771"},
        {"random-layer",
         {{"layer", "decay=2/3 affine"},
          {"labels", "per_prefix"},
          {"d", "2"},
          {"n", "1..4"},
          {"levels", "3"}},
         "e380828696d641955132da08bea6443e45129b599859752c7c946b09ffb9adec"},
        {"associative-memory",
         {},
         "74e1c8a236de15490126eb14d918e7285af880870bec60b831a27c21c24f6417"},
        {"associative-memory",
         {{"mixture", "0.5"}, {"orthogonal", "haar"}},
         "834b0214b007c4dfcb610d8471f6a8b6c57ac0ac736bd5f2376873b6f2292d8d"},
        {"associative-memory",
         {{"mixture", "1"}, {"orthogonal", "signed_permutation"}},
         "75224d153eb3db3ab2149c3984ed02cbc4b77e10873a63d4e33b0660989fd611"},
        {"associative-memory",
         {{"num_gaussian", "3"}, {"orthogonal", "rational"}, {"d", "2"}},
         "4356d31e50713639c6dbf5da31a7dec6c7167b0edb08eb66c46741080d448068"},
        {"associative-memory",
         {{"labels", "printed"}, {"mixture", "0.9"}, {"orthogonal", "haar"}},
         "13962a602f8017518fdeaace6aa38256ffaa7653ac52bf76f6ee9e6f4f85443d"},
        {"associative-memory",
         {{"teacher", "random"}, {"zeta", "zero"}, {"d", "3"}},
         "c2e1f13c219b791025df3e06c5130b430bf184a3a0739f84982f95bc46895c32"},
        {"iid-entries", {}, "cc4ad0cd32d68f6a5e202619854ccd78377d45d3b4ee411ed572724b13c36a70"},
        {"iid-entries",
         {{"law", "uniform"}, {"n", "1..4"}, {"d", "1"}},
         "e310f9c9058bec6f587800f6bb0f711fb776f47d5fe424c472cb3c6d172f6109"},
        {"iid-entries",
         {{"law", "laplace"}, {"heads", "2"}, {"o", "3"}, {"mean", "0.5"}},
         "96fd9a944abe32d51af48df6bfb0b0cae3e9d7f134e21610f37426095620de25"},
        {"iid-entries",
         {{"law", "three_point"}, {"p", "0.25"}, {"heads", "1"}},
         "131236e9b009c7cd9e6d1aef8287f0c744a04f6d93af5efc5a934733023ff1c8"},
        {"iid-entries",
         {{"law", "rademacher"}, {"relabel", "softmax"}},
         "55fe920eddbe72a6e44ab366c30190b48bbd14432cdf34438c4dece55e45f501"},
        {"iid-entries",
         {{"law", "bernoulli"}, {"p", "0.1"}, {"relabel", "coefficients"}},
         "859aea7eb34efaed63234eb28419f8fdf933b929e83d29ec20358f85a4cef2a3"},
        {"iid-entries",
         {{"relabel", "token_cubic"}, {"noise", "0.25"}, {"d", "2"}},
         "cd6e51b81208c78ea1339a21b4443805c8ea93afd7d91444fb1ee3d7a28bc153"},
        {"icl-regression", {}, "373e8a4ae4448f0b50500ca126b485f7543631e1d1ac4d4590e6938a56b695a4"},
        {"icl-regression",
         {{"d", "2"}, {"n", "2..5"}, {"tasks", "3"}, {"mean", "0.5"}, {"noise", "0.25"}},
         "b6b0c1ca916c96dd06a61d0c98505d0bd92fbd6fcf773e2bb3db91a5a0beb033"},
        {"icl-regression",
         {{"d", "3"}, {"prompt_noise", "0.5"}, {"halvings", "2"}},
         "de3578b095f8d6e35610106e7e79ead98d73e6d5e3153be89722a4d4437d5705"},
        {"softmax-attention",
         {},
         "fb81b86c662e0d3ef41efdaf786dd9f71c7d70e58a3992f5de62f336dcfa8dfd"},
        {"softmax-attention",
         {{"law", "boolean"}, {"d", "5"}, {"heads", "3"}, {"theta", "diagonal"}, {"norm", "6"}},
         "165d3131f5f38660914045872db572539a7f4ff678fc0825e1471dd5295c9fac"},
        {"softmax-attention",
         {{"law", "sphere"}, {"k", "4"}, {"theta", "low_rank"}, {"rank", "2"}, {"noise", "0.1"}},
         "bafbec382baec82319fd471b47d4a29adb23e8c8b41400972fa2997a7dbe1e41"},
        {"softmax-attention",
         {{"value", "singular"}, {"theta", "symmetric"}, {"d", "3"}, {"k", "3"}},
         "e12dfe4620e9fda3da346451bd47937d9c9ee77c0e490088f5629c9afd4bd293"},
        {"softmax-attention",
         {{"value", "transformer_init"}, {"theta", "transformer_init"}, {"d", "4"}},
         "4161277a5f3916ab3173f415f2586dc86dcc08143e78ebffc6c10f59eb0be66e"},
        {"softmax-attention",
         {{"value", "orthogonal"}, {"theta", "block"}},
         "d9c877d3f7319ba138f50041712774030c1d07cc8efd9322871a3e93ecdb8bf2"},
    };
    return cases;
}

}  // namespace attest::test
