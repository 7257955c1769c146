#pragma once

#include "cli/command.hpp"

namespace attest::cli {

// One per subcommand: adds it to the program and returns how to run it. The shared options outlive
// the parse.
Command add_learn(CLI::App& program, CommonOptions& common);
Command add_predict(CLI::App& program, CommonOptions& common);
Command add_certify(CLI::App& program, CommonOptions& common);
Command add_audit(CLI::App& program, CommonOptions& common);
Command add_audit_model(CLI::App& program, CommonOptions& common);
Command add_plan(CLI::App& program, CommonOptions& common);
Command add_bench(CLI::App& program, CommonOptions& common);
Command add_check(CLI::App& program, CommonOptions& common);
Command add_probe(CLI::App& program, CommonOptions& common);
Command add_express(CLI::App& program, CommonOptions& common);
Command add_dimension(CLI::App& program, CommonOptions& common);
Command add_layers(CLI::App& program, CommonOptions& common);
Command add_import(CLI::App& program, CommonOptions& common);
Command add_distil(CLI::App& program, CommonOptions& common);
Command add_kernel(CLI::App& program, CommonOptions& common);
Command add_heads(CLI::App& program, CommonOptions& common);
Command add_generate(CLI::App& program, CommonOptions& common);
Command add_softmax(CLI::App& program, CommonOptions& common);
Command add_reproduce(CLI::App& program, CommonOptions& common);
Command add_sweep(CLI::App& program, CommonOptions& common);
Command add_compare(CLI::App& program, CommonOptions& common);
Command add_html_report(CLI::App& program, CommonOptions& common);
Command add_verify(CLI::App& program, CommonOptions& common);
Command add_demo(CLI::App& program, CommonOptions& common);
Command add_doctor(CLI::App& program, CommonOptions& common);
Command add_turing(CLI::App& program, CommonOptions& common);
Command add_dfa(CLI::App& program, CommonOptions& common);
Command add_program(CLI::App& program, CommonOptions& common);

}  // namespace attest::cli
