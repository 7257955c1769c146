"""The lines and fields of a proof file. Part of check_certificate.py; written from proofs_check/checker/FORMAT.md,
section 2."""
import hashlib
import sys

MAX_EXPONENT = 20000
MAX_DIGITS = 100000  # more would make this checker slow, not wrong
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(MAX_DIGITS)


class Rejected(Exception):
    """The proof is wrong: line number and reason."""


class Proof:
    """The lines of a proof, taken one after the other."""

    def __init__(self, text):
        lines = text.split("\n")
        if lines[-1] != "" or len(lines) < 3:
            raise Rejected(len(lines), "expected a last line that ends")
        self.lines = lines[:-2]
        body = "".join(line + "\n" for line in self.lines)
        if lines[-2] != "end " + hashlib.sha256(body.encode("latin-1")).hexdigest():
            raise Rejected(len(lines) - 1, "expected end and the SHA-256 of the lines before")
        self.number = 0  # of lines taken

    def skip_comments(self):
        while 0 < self.number < len(self.lines) and self.lines[self.number].startswith("#"):
            self.number += 1

    def next_word(self):
        self.skip_comments()
        return self.lines[self.number].split(" ")[0] if self.number < len(self.lines) else "end"

    def take(self, word):
        """The fields of the next line, whose first one must be this word."""
        found = self.next_word()
        self.number += 1
        self.require(found == word, "expected " + word)
        return self.lines[self.number - 1].split(" ")[1:]

    def require(self, condition, reason, number=None):
        if not condition:
            raise Rejected(number or self.number, reason)

    def integer(self, field):
        digits = field[1:] if field[:1] == "-" else field
        self.require(digits.isascii() and digits.isdigit() and (digits[0] != "0" or field == "0"), "expected an integer")
        self.require(len(digits) <= MAX_DIGITS, "an integer is too long for this checker")
        return int(field)

    def index(self, field, limit):
        value = self.integer(field)
        self.require(0 <= value < limit, "a number is out of range")
        return value

    def only(self, fields, count):
        self.require(len(fields) == count, "expected %d fields" % count)
        return fields

    def indices(self, fields, limit):
        values = [self.index(field, limit) for field in fields]
        self.require(all(a < b for a, b in zip(values, values[1:])), "indices must increase")
        return values

    def vector(self, fields, limit):
        """Index -> entry; in increasing order."""
        parts = [field.split(":") for field in fields]
        self.require(all(len(part) == 2 for part in parts), "expected index:entry")
        entries = [self.integer(part[1]) for part in parts]
        self.require(all(entries), "a listed entry is 0")
        return dict(zip(self.indices([part[0] for part in parts], limit), entries))

    def exponent(self, field):
        value = self.integer(field)
        self.require(abs(value) <= MAX_EXPONENT, "an exponent is out of range")
        return value

    def dyadic(self, field):
        parts = field.split("*2^")
        self.require(len(parts) == 2, "expected m*2^e")
        return self.integer(parts[0]), self.exponent(parts[1])
