"""Writes the parameters of PyTorch's operators, in short: ``minigrad/_base/signatures.txt``, by which failed calls are explained.

python -m tests.generate.signatures

An operator that has several forms lists them all when it refuses a call; the only form of the others is that of its schema. Where neither tells all forms
of an operator, or one takes what has no word here, it has no line: nothing is said of its arguments then.
Run this with a PyTorch of the version that minigrad follows.
"""

import re
import warnings
from collections import defaultdict
from pathlib import Path

FILE = Path(__file__).parents[2] / "minigrad/_base/signatures.txt"
KINDS = {
    "Tensor": "T", "number": "N", "int": "i", "float": "f", "bool": "b", "str": "s", "ScalarType": "D", "Layout": "L", "MemoryFormat": "M",
    "Device": "d", "Generator": "G", "complex": "c",
}  # fmt: skip
#: How PyTorch's messages name the kinds.
WORDS = {
    "Tensor": "T", "Number": "N", "int": "i", "float": "f", "bool": "b", "str": "s", "torch.dtype": "D", "torch.layout": "L",
    "torch.memory_format": "M", "torch.device": "d", "torch.Generator": "G", "complex": "c",
    "tuple of ints": "i[]", "tuple of floats": "f[]", "tuple of Tensors": "T[]", "tuple of Scalars": "N[]",
}  # fmt: skip
#: Operators that functions of ``nn.functional`` call, and that are public under no name.
INNER = (
    "binary_cross_entropy col2im cross_entropy_loss glu grid_sampler huber_loss im2col multi_margin_loss multilabel_margin_loss nll_loss_nd pad smooth_l1_loss "
    "soft_margin_loss pad_sequence _pack_padded_sequence _sparse_sum"
).split()
HEAD = "# PyTorch {version}: its operators and their overloads; written by `python -m tests.generate.signatures`.\n"


def short(parameter):
    """A schema's parameter in short, such as ``dim:i[1]?=``; None if it is of a kind that Python's callers do not meet."""
    kind = parameter.kind
    optional = kind.startswith("Optional[")
    kind = kind[9:-1] if optional else kind
    is_list = kind.startswith("List[")
    kind = kind[5:-1] if is_list else kind
    if kind.startswith("Optional["):
        optional, kind = True, kind[9:-1]
    if kind not in KINDS:
        return None
    length = f"[{parameter.length or ''}]" if is_list else ""
    name = "input" if parameter.name == "self" else parameter.name
    return f"{name}:{KINDS[kind]}{length}{'?' * optional}{'=' * parameter.optional}"


def in_short(overload):
    """A schema's overload in short, as a pair: parameters that may be passed by position, and the others."""
    words = [(short(p), p.by_name) for p in overload if not p.is_out]
    if any(word is None for word, _ in words):
        return None
    return [word for word, by_name in words if not by_name], [word for word, by_name in words if by_name]


def of_schemas(overloads):
    """The forms of an operator by its schemas, each a pair as ``in_short`` gives it: a schema that says less of the same parameters than another is no form."""
    found = {}  # names of the parameters that may be passed by position -> the form, the number of tensors to write into
    for overload in overloads:
        words = in_short(overload)
        if words is not None:
            names = tuple(word.partition(":")[0] for word in words[0])
            outs = sum(p.is_out for p in overload)
            known = found.get(names)
            last = words[1] if known is None else max(known[0][1], words[1], key=len)
            found[names] = (
                (words[0] if known is None else known[0][0], last),
                max(outs, known[1] if known else 0),
            )
    return [
        (first, [*last, *[["out:T?="], ["out:T[]?="]][outs > 1][: min(outs, 1)]])
        for (first, last), outs in found.values()
    ]


def written(first, last):
    """A form in the file's words."""
    return " ".join([*first, *["*"] * bool(last), *last])


def refusals(function, tensors):
    """What an operator says to calls with no further argument, one by a name that nobody has, and one that is nothing at all; "" where it takes that, whatever comes of it."""
    for args, kwargs in ((), {}), ((), {"no such name": 1}), ((object(),), {}):
        try:
            function(*tensors, *args, **kwargs)
        except TypeError as error:
            yield str(error)
        except Exception:
            yield ""
        else:
            yield ""


def forms_told(told, known, method):
    """The forms that a refusal lists: None if it lists none, or one with a parameter of no kind that has a word.

    ``known``: name -> what the schemas say of the parameter, which has what messages leave out: the length of a list, and whether None will do.
    """
    found = re.findall(r"^ \* \((.*)\)$", told, re.M) or re.findall(r"but expected \((.*)\)$", told, re.M)
    forms = []
    for form in found:
        first, last = ["input:T"] * method, []
        place = first
        for text in filter(None, form.split(", ")):
            if text == "*":
                place = last
                continue
            text, _, default = text.partition(" = ")
            words, _, name = text.rpartition(" ")
            if words not in WORDS:
                return None
            name = "input" if name == "self" else name
            schema = known.get((name, WORDS[words].rstrip("[]")), "")
            kind = re.sub(r"\[\]", re.search(r"\[\d*\]|$", schema).group() or "[]", WORDS[words])
            optional = default == "None" or "?" in schema or name == "requires_grad"
            place.append(f"{name}:{kind}{'?' * optional}{'=' * bool(default)}")
        forms.append(written(first, last))
    return forms or None


def forms(function, overloads, method):
    """All forms of an operator; None where they are not all known."""
    import torch

    known = {}
    for overload in overloads:
        for p in overload:
            text = short(p)
            if text is not None:
                name, _, kind = text.partition(":")
                key = name, kind[0]
                known[key] = max(known.get(key, ""), kind, key=len)
    told = list(refusals(function, [torch.ones(2, 2)] * method))
    for text in told:
        if "but expected" in text:
            return forms_told(text, known, method)
    if not any(told) or (not told[0] and "missing" in told[1]):
        return None
    return only_form(of_schemas(overloads), told, method)


def only_form(found, told, method):
    """In a list, that of an operator's schemas which is its only form, by what it has ``told``; None if several may be."""
    asked = re.search(r"argument '(\w+)' \(position 1\) must be ([\w.]+(?: of \w+)?)", told[2])
    if asked is not None:  # schemas that begin with other parameters are for scripts
        wanted = f"{asked.group(1)}:{WORDS.get(asked.group(2), '?').rstrip(']')}"
        found = [form for form in found if (form[0][method:] or [""])[0].startswith(wanted)]
    if not found:
        return None
    first, last = max(found, key=lambda form: len(form[0]) + len(form[1]))
    if not told[0]:  # it needs no argument
        first, last = (
            first[:method] + [optional(word) for word in first[method:]],
            [optional(word) for word in last],
        )
    needed = {word.partition(":")[0] for word in first if word[-1] != "="}
    for form in found:  # may it say less of the same parameters?
        names = {word.partition(":")[0] for word in (*form[0], *form[1])}
        if not needed <= names <= {word.partition(":")[0] for word in (*first, *last)}:
            return None
    if "takes 0 positional" in told[2]:
        first, last = first[:method], [*first[method:], *last]
    if method:
        last = [word for word in last if not word.startswith("out:")]
    if {"dtype", "layout", "device"} <= {word.partition(":")[0] for word in last}:
        last.append("requires_grad:b?=")
    return [written(first, last)]


def optional(word):
    """A parameter that may be left out."""
    return word.rstrip("=") + "="


def lines():
    """The lines of the file."""
    import torch

    from tests.parity.signatures import PLACES, within
    from tests.parity.signatures import of_schemas as callable_overloads

    schemas = defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"):
            schemas[schema.name[6:]].append(schema)
    found = {}  # name in the table -> its forms
    for place, prefix in PLACES.items():
        method = place == "torch.Tensor"
        for name in dir(within(torch, place)):
            function = getattr(within(torch, place), name)
            if name.startswith("_") or hasattr(function, "__code__") or not schemas[prefix + name]:
                continue
            overloads = callable_overloads(schemas[prefix + name])
            key = "F." * place.endswith("functional") + prefix + name
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                here = forms(function, overloads, method)
            if here is None:
                continue
            if not method:
                found[key] = here
            elif not hasattr(torch, name) or key not in found:
                found["Tensor." + key] = here
            elif set(here) != {without_out(form) for form in found[key] if form.startswith("input:T")}:
                found["Tensor." + key] = here
    for name in INNER:
        function = getattr(torch._C._nn, name, None) or getattr(torch, name)
        here = None if name in found else forms(function, callable_overloads(schemas[name]), False)
        if here is not None:
            found[name] = here
    yield HEAD.format(version=re.match(r"[\d.]+", torch.__version__).group())
    for name, here in sorted(found.items()):
        if any(here):
            yield f"{name} {' | '.join(here)}\n"


def without_out(form):
    """A function's form as the method's."""
    return re.sub(r"( \*)? out:\S+$", "", form)


if __name__ == "__main__":
    FILE.write_text("".join(lines()), encoding="ascii")
