"""WebAssembly's binary format: instructions are encoded as bytes for wasmtime and browsers.

An instruction is a tuple of its standard name and its operands.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

Instruction = tuple[str | int | float, ...]

F64, I32, V128 = "f64", "i32", "v128"
_TYPES = {I32: 0x7F, F64: 0x7C, V128: 0x7B}
_PLAIN = {
    "else": 0x05,
    "end": 0x0B,
    "return": 0x0F,
    "select": 0x1B,
    "i32.eqz": 0x45,
    "i32.eq": 0x46,
    "i32.ne": 0x47,
    "i32.lt_s": 0x48,
    "i32.gt_s": 0x4A,
    "i32.le_s": 0x4C,
    "i32.ge_s": 0x4E,
    "f64.eq": 0x61,
    "f64.lt": 0x63,
    "f64.gt": 0x64,
    "f64.le": 0x65,
    "f64.ge": 0x66,
    "i32.add": 0x6A,
    "i32.sub": 0x6B,
    "i32.mul": 0x6C,
    "i32.and": 0x71,
    "i32.or": 0x72,
    "i32.shl": 0x74,
    "i64.add": 0x7C,
    "i64.sub": 0x7D,
    "i64.and": 0x83,
    "i64.or": 0x84,
    "i64.shl": 0x86,
    "i64.shr_u": 0x88,
    "f64.abs": 0x99,
    "f64.neg": 0x9A,
    "f64.floor": 0x9C,
    "f64.sqrt": 0x9F,
    "f64.add": 0xA0,
    "f64.sub": 0xA1,
    "f64.mul": 0xA2,
    "f64.div": 0xA3,
    "f64.convert_i32_s": 0xB7,
    "f64.convert_i64_s": 0xB9,
    "i64.reinterpret_f64": 0xBD,
    "f64.reinterpret_i64": 0xBF,
}
_VECTOR = {
    "f64x2.splat": 0x14,
    "f64x2.eq": 0x47,
    "f64x2.lt": 0x49,
    "f64x2.gt": 0x4A,
    "f64x2.le": 0x4B,
    "f64x2.ge": 0x4C,
    "v128.not": 0x4D,
    "v128.and": 0x4E,
    "v128.or": 0x50,
    "v128.bitselect": 0x52,
    "v128.any_true": 0x53,
    "f64x2.floor": 0x75,
    "i64x2.add": 0xCE,
    "i64x2.sub": 0xD1,
    "i64x2.shl": 0xCB,
    "i64x2.shr_u": 0xCD,
    "i64x2.bitmask": 0xC4,
    "f64x2.abs": 0xEC,
    "f64x2.neg": 0xED,
    "f64x2.sqrt": 0xEF,
    "f64x2.add": 0xF0,
    "f64x2.sub": 0xF1,
    "f64x2.mul": 0xF2,
    "f64x2.div": 0xF3,
}
# Instructions with an alignment, as a power of two, and an address.
_MEMORY = {
    "i32.load": (b"\x28", 2),
    "f64.load": (b"\x2b", 3),
    "f64.store": (b"\x39", 3),
    "v128.load": (b"\xfd\x00", 3),
    "v128.load64_splat": (b"\xfd\x0a", 3),
    "v128.store": (b"\xfd\x0b", 3),
}
_WITH_INDEX = {"local.get": 0x20, "local.set": 0x21, "local.tee": 0x22, "br": 0x0C, "br_if": 0x0D}
_BLOCKS = {"block": 0x02, "loop": 0x03, "if": 0x04}
_LANES = {"f64x2.extract_lane": b"\xfd\x21", "f64x2.replace_lane": b"\xfd\x22"}
_double = struct.Struct("<d").pack
#: The name of the module from which external routines are imported.
IMPORT_MODULE = "outside"


def unsigned(number: int) -> bytes:
    """Return a number in groups of seven bits, lowest first (LEB128)."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def signed(number: int) -> bytes:
    """Return a number that may be negative in groups of seven bits (LEB128)."""
    out = bytearray()
    while not -0x40 <= number < 0x40:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number & 0x7F])


_SIMPLE = {name: bytes([code]) for name, code in _PLAIN.items()}
_SIMPLE |= {name: b"\xfd" + unsigned(code) for name, code in _VECTOR.items()}
_SIMPLE |= {"i32.trunc_sat_f64_s": b"\xfc\x02", "i64.trunc_sat_f64_s": b"\xfc\x06"}


def encode(instruction: Instruction, routines: dict[str, int]) -> bytes:
    """Return the bytes of one instruction.

    Parameters
    ----------
    instruction : tuple
        Its name and operands: an index, a number, a type, an address, or a routine's name.
    routines : dict
        Indices of routines.

    Raises
    ------
    KeyError
        If the instruction is unknown.
    """
    name, *rest = instruction
    simple = _SIMPLE.get(str(name))
    if simple is not None:
        return simple + bytes(int(r) for r in rest)
    if name in _WITH_INDEX:
        return bytes([_WITH_INDEX[str(name)]]) + unsigned(int(rest[0]))
    if name == "f64.const":
        return b"\x44" + _double(rest[0])
    if name in _MEMORY:
        code, alignment = _MEMORY[str(name)]
        return code + bytes([alignment]) + unsigned(int(rest[0]))
    if name in ("i32.const", "i64.const"):
        return (b"\x41" if name == "i32.const" else b"\x42") + signed(int(rest[0]))
    if name in _BLOCKS:
        return bytes([_BLOCKS[str(name)], _TYPES[str(rest[0])] if rest else 0x40])
    if name == "call":
        return b"\x10" + unsigned(routines[str(rest[0])])
    if name == "v128.const":
        return b"\xfd\x0c" + 2 * _double(rest[0])
    return _LANES[str(name)] + bytes([int(rest[0])])


@dataclass
class WasmFunction:
    """The instructions of one routine.

    Parameters
    ----------
    name : str
    parameters : int
        The number of whole arguments.
    result : bool
        Whether it returns a whole number.
    """

    name: str
    parameters: int
    result: bool
    locals: list[str] = field(default_factory=list)
    code: list[Instruction] = field(default_factory=list)

    def local(self, kind: str = F64) -> int:
        """Return the index of a new local variable."""
        self.locals.append(kind)
        return self.parameters + len(self.locals) - 1

    def body(self, routines: dict[str, int]) -> bytes:
        """Return its local variables and instructions as bytes."""
        groups: list[list[int]] = []
        for kind in self.locals:
            if groups and groups[-1][1] == _TYPES[kind]:
                groups[-1][0] += 1
            else:
                groups.append([1, _TYPES[kind]])
        seen: dict[Instruction, bytes] = {}
        out = [unsigned(len(groups)), *(unsigned(n) + bytes([kind]) for n, kind in groups)]
        for instruction in self.code:
            constant = instruction[0] in ("f64.const", "v128.const")
            encoded = None if constant else seen.get(instruction)
            if encoded is None:  # -0.0 and 0.0 are equal, but their bytes are not
                encoded = seen[instruction] = encode(instruction, routines)
            out.append(encoded)
        whole = b"".join([*out, _SIMPLE["end"]])
        return unsigned(len(whole)) + whole


def module(functions: Sequence[WasmFunction], size: int, imported: Sequence[str] = ()) -> bytes:
    """Return a module that exports its functions and its memory.

    Parameters
    ----------
    functions : sequence of WasmFunction
    size : int
        Of the memory, in bytes.
    imported : sequence of str
        Names of imported routines, each with a whole argument and without a result.

    Returns
    -------
    bytes

    References
    ----------
    :cite:p:`Haas2017`.
    """
    indices = {function.name: i for i, function in enumerate(functions, len(imported))}
    numbers = indices | {name: i for i, name in enumerate(imported)}
    kinds = [(function.parameters, function.result) for function in functions]
    types = list(dict.fromkeys([*kinds, *[(1, False)] * bool(imported)]))

    def section(number: int, items: Sequence[bytes]) -> bytes:
        content = unsigned(len(items)) + b"".join(items)
        return bytes([number]) + unsigned(len(content)) + content

    def vector(kind: str, count: int) -> bytes:
        return unsigned(count) + bytes([_TYPES[kind]] * count)

    def named(name: str, kind: int, number: int) -> bytes:
        return unsigned(len(name)) + name.encode() + bytes([kind]) + unsigned(number)

    import_module = unsigned(len(IMPORT_MODULE)) + IMPORT_MODULE.encode()
    imports = [import_module + named(name, 0, types.index((1, False))) for name in imported]
    exports = [named("memory", 2, 0), *(named(name, 0, i) for name, i in indices.items())]
    return b"".join(
        [
            b"\0asm\1\0\0\0",
            section(1, [b"\x60" + vector(I32, n) + vector(I32, int(r)) for n, r in types]),
            *([section(2, imports)] if imports else []),
            section(3, [unsigned(types.index(kind)) for kind in kinds]),
            section(5, [b"\x00" + unsigned(-(-size // 65536))]),
            section(7, exports),
            section(10, [function.body(numbers) for function in functions]),
        ]
    )
