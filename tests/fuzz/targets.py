"""Every callable of readers: public functions and classes, with their public methods."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from dataclasses import dataclass, is_dataclass

import course
import panels
import straightline
import tutlib
import verification
from tutlib import Field
from tutlib.methods.steps import Method

#: The packages that a reader calls.
OURS = ("straightline", "tutlib", "panels", "verification", "course")
#: Names of the engine that trust their callers: the other packages call them.
ENGINE = {"Formula", "Machine", "Program", "Unknown", "solve"}
#: Names that are not public, but that readers may import from their modules.
BESIDE = {
    "panels.drawing.inline": ("inline_figure",),
    "straightline.compiled_function": ("Compiled",),
    "tutlib.fields": ("ImplicitEquations",),
    "tutlib.mechanics.equation_source": ("readable_source",),
    "tutlib.mechanics.linearization": ("Linearization",),
    "tutlib.methods.commutator_free": ("CommutatorFreeTableau",),
    "tutlib.methods.convergence": ("Convergence",),
    "tutlib.methods.ensembles.parts": ("Ensemble",),
    "tutlib.methods.partitioned": ("semi_implicit_euler", "velocity_verlet"),
    "tutlib.methods.tableaus": ("DenseOutput",),
    "tutlib.methods.trees": ("tree_order",),
    "tutlib.models.spatial": ("SpatialModel",),
    "tutlib.reading.names": ("identifiers", "label_of", "plain_name", "state_name"),
    "tutlib.spaces.lie": ("LieGroup",),
    "verification.museum": ("Exhibit",),
    "verification.results": ("Curves", "Rung"),
    "verification.spread": ("Spread",),
}
#: How a parameter can be given.
_VARIADIC = inspect.Parameter.VAR_POSITIONAL
_OPTIONS = inspect.Parameter.VAR_KEYWORD


@dataclass(frozen=True)
class Parameter:
    """One argument: its name, whether it can be left out, and whether it is any number of them.

    ``type`` is its annotation as it is written, ``default`` its default, if text can say that.
    """

    name: str
    optional: bool
    variadic: bool
    type: str
    default: str


@dataclass(frozen=True)
class Target:
    """A callable: the text that finds it, with ``{}`` for what it belongs to.

    ``owner`` is a class whose sample it is called on; empty for functions and classes themselves.
    """

    name: str
    text: str
    owner: str
    parameters: tuple[Parameter, ...]


def targets() -> list[Target]:
    """Return all of them, each once, by name."""
    found: dict[str, Target] = {}
    for module, name in _names():
        for target in _of(f"{module.__name__}.{name}", name, getattr(module, name)):
            found.setdefault(target.name, target)
    return sorted(found.values(), key=lambda target: target.name)


def _names():
    """Yield each module with the name of something in it that a reader calls."""
    folders = [
        f"{package.__name__}.{info.name}"
        for package in (tutlib, course)
        for info in pkgutil.iter_modules(package.__path__)
        if info.ispkg
    ]
    modules = [importlib.import_module(folder) for folder in sorted(folders)]
    for module in (*modules, straightline, tutlib, panels, verification, course):
        for name in getattr(module, "__all__", ()):
            if module is not straightline or name not in ENGINE:
                yield module, name
    for name, names in BESIDE.items():
        yield from ((importlib.import_module(name), inner) for inner in names)


def _of(text, name, thing):
    """Yield what can be called of one public name."""
    if inspect.isclass(thing):
        if thing.__init__ is not object.__init__ and _is_ours(thing.__init__, thing):
            yield Target(name, text, "", _parameters(thing))
        for method, function in _methods(thing):
            owner = "" if _is_made_by_class(thing, method) else name
            place = f"{text if not owner else '{}'}.{method}".removesuffix(".__call__")
            yield Target(f"{name}.{method}", place, owner, _parameters(function))
    elif inspect.isfunction(thing):
        yield Target(name, text, "", _parameters(thing))
    elif isinstance(thing, Method):
        for _, function in _methods(type(thing)):
            yield Target(name, text, "", _parameters(function))
    elif is_dataclass(thing):
        held = {field: value for field, value in vars(thing).items() if _holds_functions(value)}
        methods = dict(_methods(type(thing))) if held else {}
        for field, function in (methods or held).items():
            yield Target(f"{name}.{field}", f"{text}.{field}", "", _parameters(function))


def _holds_functions(value):
    return any(map(callable, value if isinstance(value, tuple) else (value,)))


def _is_made_by_class(thing, method):
    return isinstance(inspect.getattr_static(thing, method), classmethod | staticmethod)


def _is_ours(function, thing):
    module = getattr(function, "__module__", None) or ""
    return module.startswith(OURS) or is_dataclass(thing)


def _methods(thing):
    called_by_integrate = issubclass(thing, Field | Method)
    for name in dir(thing):
        inner = name.startswith("_") or called_by_integrate or name == "refuse_slope"
        if inner and name != "__call__":
            continue
        attribute = inspect.getattr_static(thing, name)
        function = getattr(attribute, "__func__", attribute)
        field = name in getattr(thing, "__dataclass_fields__", ())  # called with what was read
        if inspect.isfunction(function) and function.__module__.startswith(OURS) and not field:
            yield name, function if function is attribute else getattr(thing, name)


def _parameters(function):
    signature = inspect.signature(function)
    given = list(signature.parameters.values())
    if given and given[0].name == "self":
        given = given[1:]
    return tuple(
        Parameter(
            p.name, p.default is not p.empty, p.kind == _VARIADIC, str(p.annotation), _said(p)
        )
        for p in given
        if p.kind != _OPTIONS
    )


def _said(parameter):
    """Return a default as text; nothing if there is none, or text cannot say it."""
    text = repr(parameter.default)
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ""
    return text
