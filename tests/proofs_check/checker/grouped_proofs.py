"""Proofs of the rank by groups of examples with one query, and the same proofs with one change that must be found out. Standard library
only."""
from exact_data import echelon
from paper_cases import number
from make_examples import PRIME, listed, minor, nulls, proof, rank


def pack(S):
    d = len(S)
    return [S[a][b] for a in range(d) for b in range(a + 1, d)] + [S[a][a] for a in range(d)]


def groups_of(data):
    """Query -> numbers of its examples, and the states of all examples."""
    groups, states = {}, []
    for i, (S, z) in enumerate(data.examples()):
        groups.setdefault(tuple(z), []).append(i)
        states.append(pack(S))
    return groups, states


def group_lines(members, states, few, modulus):
    mine = [states[i] for i in members]
    r, q = rank(mine), len(states[0])
    _, rows, columns = minor(mine)
    rows = "rows" + listed([members[int(k)] for k in rows.split(" ")[1:]])
    bound = ["few-examples"] if few and len(members) <= r < q else nulls(mine)
    return ["group" + listed(members), "rank %d" % r, "prime %d" % modulus, rows, columns] + bound


def grouped_proof(data, name, chosen=None, few=True, modulus=PRIME):
    """All lines of the proof about these data in the file of this name, by the groups of the queries chosen (all)."""
    groups, states = groups_of(data)
    queries = [list(z) for z in groups] if chosen is None else chosen
    assert rank(queries) == len(queries)
    lines, total = [], 0
    for z in queries:
        members = groups[tuple(z)]
        lines += group_lines(members, states, few, modulus)
        total += rank([states[i] for i in members])
    columns = echelon([list(row) for row in queries])[1]
    evidence = ["claim grouped %d" % total, "groups %d" % len(queries)] + lines + ["prime %d" % modulus, "columns" + listed(columns)]
    return proof({name: data}, name, evidence).rstrip("\n").split("\n")


def changed_nulls(lines, states):
    """(line number, line): null vectors with one entry another number, which are no null vectors any more."""
    members = []
    for at, line in enumerate(lines, 1):
        fields = line.split(" ")
        members = [states[int(i)] for i in fields[1:]] if fields[0] == "group" else members
        for k, field in enumerate(fields[1:], 1):
            if fields[0] == "null":
                place, value = map(int, field.split(":"))
                if any(state[place] for state in members):
                    yield at, " ".join(fields[:k] + ["%d:%d" % (place, value + 1 or 1)] + fields[k + 1:])


def grouped_faults(lines, data):
    """(name, lines, line that fails): one change to a proof of `grouped` about these data."""
    def changed(at, new):
        return lines[:at - 1] + ([new] if new is not None else []) + lines[at:]

    def fields(at):
        return lines[at - 1].split(" ")

    d, M = data.d, len(data.sequences)
    q, last = d * (d + 1) // 2, len(lines)
    claim, count, first = (number(lines, word) for word in ("claim", "groups", "group "))
    r, prime, rows, columns = (number(lines, word) for word in ("rank", "prime", "rows", "columns"))
    at = number(lines, "data")
    yield "another_data_set", changed(at, lines[at - 1][:-1] + ("0" if lines[at - 1][-1] != "0" else "1")), at
    yield "unknown_claim", changed(claim, lines[claim - 1].replace("grouped", "GROUPED")), claim
    yield "left_over", lines + ["few-examples"], last + 1
    total = int(fields(claim)[2])
    yield "rank_smaller", changed(claim, "claim grouped %d" % (total - 1)), last
    yield "rank_beyond", changed(claim, "claim grouped %d" % (q * d + 1)), claim
    yield "rank_of_two", changed(claim, lines[claim - 1] + " 1"), claim
    yield "groups_none", changed(count, "groups 0"), count
    yield "groups_many", changed(count, "groups %d" % (d + 1)), count
    yield "group_empty", changed(first, "group"), first
    yield "group_outside", changed(first, lines[first - 1] + " %d" % M), first
    yield "group_out_of_order", changed(first, "group " + " ".join(reversed(fields(first)[1:]))), first
    others = [i for i in range(M) if str(i) not in fields(first)[1:]]
    if others:
        mixed = sorted(others[:1] + [int(i) for i in fields(first)[1:]])
        yield "group_of_two_queries", changed(first, "group" + listed(mixed)), first
        used = fields(rows)[1:]
        if used and not set(map(str, others)) & set(used):
            foreign = sorted([int(i) for i in used[1:]] + others[:1])
            yield "row_of_another_group", changed(rows, "rows" + listed(foreign)), rows
    yield "group_rank_larger", changed(r, "rank %d" % (int(fields(r)[1]) + 1)), r if int(fields(r)[1]) == q else rows
    yield "composite", changed(prime, "prime 2305843009213693953"), prime
    yield "row_missing", changed(rows, " ".join(fields(rows)[:-1])), rows
    yield "column_missing", changed(columns, " ".join(fields(columns)[:-1])), columns
    yield "column_outside", changed(columns, "columns" + listed([int(c) for c in fields(columns)[1:-1]] + [q])), columns
    null = number(lines, "null")
    if null:
        for at, new in changed_nulls(lines, groups_of(data)[1]):
            yield "null_changed", changed(at, new), at
            break
        yield "null_empty", changed(null, "null"), null
        yield "null_outside", changed(null, lines[null - 1] + " %d:1" % q), null
        members = [fields(i) for i in range(1, null) if lines[i - 1].startswith("group ")][-1]
        ranks = [fields(i) for i in range(1, null) if lines[i - 1].startswith("rank ")][-1]
        if len(members) - 1 > int(ranks[1]):
            yield "few_instead", changed(null, "few-examples"), null
    few = number(lines, "few-examples")
    if few:
        yield "few_twice", changed(few, "few-examples 1"), few
    yield "queries_composite", changed(last - 1, "prime 2305843009213693953"), last - 1
    yield "queries_column_missing", changed(last, " ".join(fields(last)[:-1])), last
    yield "queries_column_outside", changed(last, "columns" + listed([int(c) for c in fields(last)[1:-1]] + [d])), last
    if total < q * d:
        end = next(i for i in range(first, last) if lines[i].startswith(("group ", "prime")) and i >= columns)
        if int(fields(count)[1]) > 1:
            left = "claim grouped %d" % (total - int(fields(r)[1]))
            fewer = lines[:first - 1] + lines[end:]
            fewer[claim - 1], fewer[count - 1] = left, "groups %d" % (int(fields(count)[1]) - 1)
            shown = fewer[-1].split(" ")
            rest = echelon([list(z) for z in list(groups_of(data)[0])[1:]])[1]
            fewer[-1] = "columns" + listed(rest)
            yield "group_left_out", fewer, len(fewer)
            assert len(shown) == len(rest) + 2
        twice = lines[:end] + lines[first - 1:end] + lines[end:]
        twice[count - 1] = "groups %d" % (int(fields(count)[1]) + 1)
        if int(fields(count)[1]) < d:
            every = [c for c in range(d)][:int(fields(count)[1]) + 1]
            twice[-1] = "columns" + listed(every)
            twice[claim - 1] = "claim grouped %d" % (total + int(fields(r)[1]))  # so that independence alone is missing
            yield "group_twice", twice, len(twice)
