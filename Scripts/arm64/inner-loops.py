#!/usr/bin/env python3
"""Counts the instructions of a kernel's inner loop in an assembler's listing of arm64.

    inner-loops.py LISTING FUNCTION PRODUCT PRODUCTS_PER_INSTRUCTION [LEAST_PRODUCTS_PER_LOAD]

It counts the innermost loop of FUNCTION that has the most PRODUCT instructions. An instruction that loads a pair of registers counts
as two loads. With the last argument the program fails where a loop has fewer products per load, or uses the stack.
"""
import re
import sys

LOAD = re.compile(r"ld(r|p|ur|1|1r|2|3|4)\b")


def instructions(path, function):
    """The function's instructions, as (labels before it, mnemonic, operands)."""
    found, labels, inside = [], [], False
    for line in open(path, encoding="utf-8"):
        line = line.split("//")[0].rstrip()
        if line == f"{function}:":
            inside = True
        elif inside and line.startswith(".Lfunc_end"):
            break
        elif inside and line.endswith(":"):
            labels.append(line[:-1])
        elif inside and line.startswith("\t") and not line.startswith("\t."):
            mnemonic, _, operands = line.strip().partition("\t")
            found.append((labels, mnemonic, operands))
            labels = []
    return found


def loops(code):
    """First and last instruction of each loop: a branch back."""
    places = {label: i for i, (labels, _, _) in enumerate(code) for label in labels}
    for last, (_, mnemonic, operands) in enumerate(code):
        target = operands.split(",")[-1].strip()
        if re.match(r"b(\.|$)|cb|tb", mnemonic) and places.get(target, len(code)) <= last:
            yield places[target], last


def main():
    path, function, product, per_instruction = sys.argv[1:5]
    least = float(sys.argv[5]) if len(sys.argv) > 5 else None
    code = instructions(path, function)

    def products(loop):
        return sum(mnemonic == product for _, mnemonic, _ in code[loop[0] : loop[1] + 1])

    every = [loop for loop in loops(code) if products(loop)]
    inner = [
        a for a in every if not any(b != a and a[0] <= b[0] and b[1] <= a[1] and products(b) < products(a) for b in every)
    ]
    if not inner:
        sys.exit(f"{path}: {function} has no loop with {product}")
    first, last = max(inner, key=lambda loop: (products(loop), loop[0] - loop[1]))
    body = [(mnemonic, operands) for _, mnemonic, operands in code[first : last + 1]]
    loads = [(m, o) for m, o in body if LOAD.match(m) and re.match(r"\{? ?[vqdsb]\d", o)]
    registers = sum(2 if m == "ldp" else 1 for m, _ in loads)
    stack = sum(bool(re.search(r"\[(sp|x29)", o)) for _, o in body)
    count = products((first, last))
    print(
        f"{function}: {len(body)} instructions, {count} {product} ({count * int(per_instruction)} multiply-adds), {len(loads)} vector"
        f" loads of {registers} registers, {stack} of the stack: {count / registers:.2f} {product} per load,"
        f" {len(body) / count:.2f} instructions per {product}"
    )
    if least is not None and (count / registers < least or stack):
        sys.exit(f"{function}: expected at least {least:g} {product} per load, and none of the stack")


main()
