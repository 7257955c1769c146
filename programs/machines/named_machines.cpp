#include "programs/machines/named_machines.hpp"

#include "programs/machines/turing_notation.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr std::string_view kIncrement = R"(blank _
halt done
right 0 0 R right
right 1 1 R right
right _ _ L carry
carry 1 0 L carry
carry 0 1 L done
carry _ 1 L done
)";

constexpr std::string_view kUnaryAddition = R"(blank _
halt done
first 1 1 R first
first + 1 R second
second 1 1 R second
second _ _ L erase
erase 1 _ L done
)";

constexpr std::string_view kPalindromes = R"(blank _
halt accept reject
begin 0 _ R keep0
begin 1 _ R keep1
begin _ _ R accept
keep0 0 0 R keep0
keep0 1 1 R keep0
keep0 _ _ L match0
keep1 0 0 R keep1
keep1 1 1 R keep1
keep1 _ _ L match1
match0 0 _ L back
match0 1 1 L reject
match0 _ _ L accept
match1 1 _ L back
match1 0 0 L reject
match1 _ _ L accept
back 0 0 L back
back 1 1 L back
back _ _ R begin
)";

constexpr std::string_view kCopy = R"(blank 0
halt done
take 0 0 R done
take 1 0 R pass
pass 1 1 R pass
pass 0 0 R put
put 1 1 R put
put 0 1 L return
return 1 1 L return
return 0 0 L restore
restore 1 1 L restore
restore 0 1 R take
)";

constexpr std::string_view kBinaryCounter = R"(blank _
halt overflow
count $ $ R count
count 1 0 R count
count 0 1 L back
count _ _ L overflow
back 0 0 L back
back $ $ R count
)";

constexpr std::array kMachines{
    NamedMachine{"bb2", "busy beaver of two states: 6 steps, 4 ones", "1RB1LB_1LA1RZ", "0"},
    NamedMachine{
        "bb3_ones", "three states, most ones: 14 steps, 6 ones", "1RB1RZ_0RC1RB_1LC1LA", "0"},
    NamedMachine{
        "bb3_steps", "three states, most steps: 21 steps, 5 ones", "1RB1RZ_1LB0RC_1LC1LA", "0"},
    NamedMachine{"bb4",
                 "busy beaver of four states: 107 steps, 13 ones",
                 "1RB1LB_1LA0LC_1RZ1LD_1RD0RA",
                 "0"},
    NamedMachine{"increment", "binary increment, lowest digit last", kIncrement, "1011"},
    NamedMachine{"unary_addition", "111+11 becomes 11111", kUnaryAddition, "111+11"},
    NamedMachine{"palindromes", "accepts binary palindromes", kPalindromes, "01010"},
    NamedMachine{"copy", "writes a second copy of a block of ones", kCopy, "111"},
    NamedMachine{
        "binary_counter", "counts to overflow, lowest digit first", kBinaryCounter, "$0000"},
};

}  // namespace

std::span<const NamedMachine> named_machines() {
    return kMachines;
}

const NamedMachine* find_named_machine(std::string_view name) {
    const auto* const found =
        std::find_if(kMachines.begin(), kMachines.end(), [&](const NamedMachine& machine) {
            return machine.name == name;
        });
    return found == kMachines.end() ? nullptr : found;
}

TuringMachine machine_from_text(std::string_view text) {
    if (const NamedMachine* const named = find_named_machine(text)) {
        return machine_from_text(named->text);
    }
    return text.find_first_of(" \n\t") == std::string_view::npos ? parse_machine_notation(text)
                                                                 : parse_machine_table(text);
}

}  // namespace attest
