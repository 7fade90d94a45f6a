"""Guards: how functions that are no operators notice an operand whose class has a ``__torch_function__``, before any such class is known.

Such an operand is no tensor, so a function fails over it.  A guarded function runs its own code inside a ``try``, which costs a call of a Python
function, some 25 ns, and no test of any operand; only when the code has failed are the operands looked at.  Afterwards all public functions look at
theirs first (``_core/overriding.py``), so this happens once in a program.

Operators need no guard, nor do functions that lead straight to one (``leading.py``, which a test keeps true): the slow path of operators looks itself.
"""

import itertools
import sys
from types import FunctionType, ModuleType

from .errors import refuse_kind, too_large
from .leading import LEADING
from .redirecting import code_before, code_of, recode

__all__ = [
    "Met", "accesses", "asks_itself", "asks_operands", "explain", "explain_failure", "guard", "guard_all", "is_guarded", "let_meet", "may_be_overridden", "overridable", "own_code_of",
    "own_codes", "tell_published",
]  # fmt: skip

_PACKAGE = __name__.partition(".")[0]
#: The modules whose functions may be overridden, beside the methods and properties of Tensor.
_SPACES = ("", ".nn.functional", ".linalg", ".fft", ".special", ".nn.init")
_INIT = _SPACES[-1]
#: Beside them there is one function of this module.
_AUTOGRAD, _DIFFERENTIATING = ".autograd", ("backward", "grad")
#: Functions of these modules that concern no tensor, or ask what an object is: nobody is asked.
_words = (
    "are_deterministic_algorithms_enabled assert_int_or_pair autocast_decrement_nesting autocast_increment_nesting boolean_dispatch broadcast_shapes "
    "calculate_gain can_cast capture handle_torch_function has_torch_function has_torch_function_unary has_torch_function_variadic "
    "compile enable_grad from_dlpack get_autocast_dtype get_default_device get_default_dtype get_deterministic_debug_mode get_device_module "
    "get_float32_matmul_precision get_num_interop_threads get_num_threads get_rng_state inference_mode initial_seed install_as_torch "
    "is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled is_autocast_enabled "
    "is_deterministic_algorithms_warn_only_enabled is_grad_enabled is_inference_mode_enabled is_storage is_tensor is_warn_always_enabled "
    "load manual_seed no_grad promote_types save seed set_anomaly_enabled set_default_device set_default_dtype set_default_tensor_type "
    "set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal set_grad_enabled set_num_interop_threads set_num_threads "
    "set_printoptions set_rng_state set_warn_always thread_safe_generator to_dlpack typename uninstall_as_torch use_deterministic_algorithms "
    "vmap"
)  # fmt: skip
_UNASKED = frozenset(_words.split())
#: Methods that make, name or look up a tensor's parts: nobody is asked.
_words = (
    "__class__ __delattr__ __dir__ __getattribute__ __hash__ __init__ __init_subclass__ __iter__ __new__ __setattr__ __subclasshook__ "
    "__torch_function__ __array_function__ __array_ufunc__ __dlpack_device__ __array_wrap__ __getstate__ __reduce__ __sizeof__ __str__ "
    "as_subclass is_shared reinforce"
)  # fmt: skip
_OWN = frozenset(_words.split())
#: Functions that do not fail over what is no tensor: they look at their operands first.
_words = (
    "is_conj is_neg is_nonzero isin logspace resolve_conj resolve_neg sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum"
)  # fmt: skip
_QUIET = frozenset(_words.split())
#: Functions that make tensors of what is none: modes are asked, but no operands.
_words = (
    "arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided eye frombuffer from_file from_numpy "
    "hamming_window hann_window kaiser_window linspace new_tensor ones rand randint randn randperm range scalar_tensor tensor tril_indices "
    "triu_indices zeros"
)  # fmt: skip
_MAKING = frozenset(_words.split())
#: Functions that take no tensor beside the method's own, and so long for what they do that a guard is not noticed: it explains why they have failed.
_words = (
    "as_strided_ bartlett_window bernoulli_ blackman_window cauchy_ cumprod_ cumsum_ empty_permuted empty_strided exponential_ eye fill_diagonal_ "
    "geometric_ hamming_window hann_window kaiser_window linspace log_normal_ logspace multinomial mvlgamma_ new_empty new_empty_strided new_full new_ones new_zeros normal normal_ polygamma polygamma_ randint randperm range renorm_ scalar_tensor "
    "tril_ triu_ tril_indices triu_indices uniform_"
)  # fmt: skip
_LONG = frozenset(_words.split())
#: What the parameters of methods are called, beside the first, that may be tensors or hold some.
_words = (
    "batch1 batch2 bias condition end exponent gradient index indices input2 key mask mat1 mat2 max min other others source src tensor "
    "tensor1 tensor2 tensors test_elements value values vec vec1 vec2 weight weights x"
)  # fmt: skip
_OPERANDS = frozenset(_words.split())
#: What the parameters of PyTorch's operators are called that are bool and nothing else: 1, None and NumPy's truth values are refused.
_words = (
    "accumulate adjoint align_corners assume_unique batch_first bidirectional ceil_mode center check_errors compute_uv copy count_include_pad cudnn_enable cudnn_enabled "
    "density descending enable_gqa equal_nan full full_matrices has_biases hermitian include_last_offset include_self increasing invert is_causal keepdim "
    "largest left log_input log_target non_blocking normalized onesided out_int32 periodic pivot replacement return_counts return_inverse right scale_grad_by_freq some "
    "sorted sparse sparse_grad stable swap train training transpose unbiased unitriangular unpack_data unpack_pivots upper use_input_stats with_replacement "
    "wrap zero_infinity"
)  # fmt: skip
_FLAGS = frozenset(_words.split())
#: Those that are an int, which functions here would take other numbers and arrays for, too.
_words = (
    "diagonal dim1 dim2 downscale_factor ignore_index interpolation_mode ind k minlength n num_classes num_groups num_samples offset padding_idx padding_mode pow "
    "reduction storage_offset upscale_factor"
)  # fmt: skip
_COUNTS = frozenset(_words.split())
#: Those that are a number, for which an array would do here, or what is never looked at.
_NUMBERS = frozenset(
    ["alpha", "atol", "beta", "delta", "eps", "input_scale", "margin", "momentum", "rcond", "rtol"]
)
#: Those that are an int or several, of which True is none.
_words = "dilation dim kernel_size output_padding output_size padding shifts split_size split_size_or_sections stride"
_SIZES = frozenset(_words.split())
#: NumPy's names for parameters, which PyTorch's operators take too.
_NUMPY_NAMES = {"dim": "axis", "keepdim": "keepdims"}
#: Functions that stand beside the operators, but are written in Python in PyTorch.
_words = "_ops.image.affine_grid _ops.moments.norm _ops.normalize.normalize _ops.sorting.unique _ops.sorting.unique_consecutive _ops.split.split"
_IN_PYTHON = frozenset(_words.split())
#: Where functions are that PyTorch's operators stand behind: those of other modules are Python functions there too, to which any value is true or false.
_OPERATORS = ("_ops.", "nn._functional.", "nn.functional.")
#: How NumPy's words begin for an array that cannot be.
_TOO_LARGE = ("array is too big", "Maximum allowed")
_meet = None
_published = None
#: The names that a module has now; its ``vars()`` may import what it has not yet (``_base/lazy.py``).
own_names = vars(ModuleType)["__dict__"].__get__


def let_meet(meet):
    """From now on guards call ``meet(function, values)``: a function that asks the operands among ``values``, which are those of a call's parameters by
    name; None if there is nobody to be asked.
    """
    global _meet
    _meet = meet


def tell_published(told):
    """From now on ``told`` is called with functions that become public, and without any when properties have; None: nothing is."""
    global _published
    _published = told


def properties_found():
    """Tell of properties that Tensor has from now on."""
    if _published is not None:
        _published([])


class _Missing:
    """What a parameter is that a call has left out, though it is needed."""

    def __repr__(self):
        return "<missing>"


MISSING = _Missing()


class Met(Exception):
    """Raised by an operator that meets such an operand within a guarded function, whose guard catches it."""


def is_guarded(function):
    """Whether a function has a guard."""
    return function in _codes


def guard(function, name, method=False):
    """Guard a public function, or method, that is to be known as ``name``, if it needs to be."""
    if name in (_OWN if method else _UNASKED) or function in _codes:
        return
    if name[0] == "_" and (not method or name[:2] != "__"):
        return
    needless = asks_itself(function) or name in _MAKING or (method and not _takes_operands(function))
    if (not needless and place_of(function) not in LEADING) or (needless and name in _LONG):
        recode(function, _guarded_code)
    if _published is not None:
        _published([function])


def may_be_overridden(module, name=None):
    """Whether the function ``name`` of a module is among those that may be overridden."""
    space = module.removeprefix(_PACKAGE)
    return space in _SPACES or (space == _AUTOGRAD and name in _DIFFERENTIATING)


def _takes_operands(method):
    """Whether a method may be given tensors beside its own; in the place of that PyTorch takes only tensors."""
    code = method.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    if code.co_flags & 4 and code.co_varnames[count] in ("args", "tensors", "operands"):
        return True
    return not _OPERANDS.isdisjoint(code.co_varnames[1:count]) or code.co_name in ("to", "where", "type_as")


def asks_operands(function):
    """Whether the operands of a function are asked, not modes alone."""
    return function.__name__ not in _MAKING


def unguard(function):
    """Undo ``guard``: for who finds out whether a function needs it."""
    code = _codes.pop(function)
    if function in _defaults:
        function.__defaults__, function.__kwdefaults__ = _defaults.pop(function)
        del function.__wrapped__
    count = len(function.__kwdefaults__ or ())
    if count and not code.co_flags & 4:
        code = code.replace(co_argcount=code.co_argcount - count, co_kwonlyargcount=count)
    function.__code__ = code


def place_of(function):
    """Where a function is written: ``_ops.reduce.sum``."""
    return f"{function.__globals__['__spec__'].name.removeprefix(_PACKAGE + '.')}.{function.__code__.co_name}"


def guard_all(module_globals):
    """Guard all public functions of a module, when it has been executed."""
    is_init = module_globals["__spec__"].name == _PACKAGE + _INIT
    for name, value in module_globals.items():
        if (
            value.__class__ is FunctionType and name[0] != "_" and (not is_init or name[-1] == "_")
        ):  # not old names
            guard(value, name)


def unasked(package):
    """The functions of the package that are never asked about their operands."""
    return [vars(package)[name] for name in sorted(_UNASKED | _MAKING) if name in vars(package)]


def overridable_by_space():
    """The namespaces, modules and the class of tensors -> the functions of each that may be overridden, of those that have been imported."""
    functions = set(overridable())
    spaces = [sys.modules[_PACKAGE + space] for space in _SPACES if _PACKAGE + space in sys.modules]
    return {
        space: [f for f in vars(space).values() if f.__class__ is FunctionType and f in functions]
        for space in [*spaces, tensor_class()]
    }


def overridable():
    """All functions that may be overridden, of those that have been imported: functions, and methods of Tensor."""
    found = {}
    for space in (
        *_SPACES,
        "._api",
    ):  # where functions of the root are that only modules of the package have asked for
        module = sys.modules.get(_PACKAGE + space)
        for name, value in list(own_names(module).items()) if module is not None else ():
            is_old = space == _INIT and name[-1] != "_"
            if value.__class__ is FunctionType and name[0] != "_" and name not in _UNASKED and not is_old:
                found[value] = None
    autograd = own_names(sys.modules.get(_PACKAGE + _AUTOGRAD, sys))
    for name in _DIFFERENTIATING:
        if autograd.get(name).__class__ is FunctionType:
            found[autograd[name]] = None
    for name, value in list(vars(tensor_class()).items()):
        if value.__class__ is FunctionType and name not in _OWN and (name[0] != "_" or name[:2] == "__"):
            found[value] = None
    return list(found)


def accesses():
    """Function -> the access that it is, such as ``Tensor.shape.__get__``: all that read, write or delete a property of tensors."""
    properties = [
        p for name, p in list(vars(tensor_class()).items()) if isinstance(p, property) and name[0] != "_"
    ]
    pairs = [
        pair
        for p in properties
        for pair in ((p.fget, p.__get__), (p.fset, p.__set__), (p.fdel, p.__delete__))
    ]
    functions = set(overridable())  # what is both overrides as a function
    return {f: access for f, access in pairs if f.__class__ is FunctionType and f not in functions}


def asks_itself(function):
    """Whether a function is that of an operator, whose slow path asks the operands."""
    return hasattr(function, "op") or "dispatch_operator" in own_code_of(function).co_names


def tensor_class():
    """The class of tensors, which is made on a higher floor."""
    return sys.modules[_PACKAGE].Tensor


def own_code_of(function):
    """The code object that frames of a function have while it runs its own code: a guarded one takes by position what others take by name only."""
    return _codes.get(function) or code_before(function)


def own_codes():
    """The id of a code object -> function, of the functions that may be overridden."""
    return {id(own_code_of(function)): function for function in overridable()}


_codes: dict = {}  # guarded function -> its own code
_defaults: dict = {}  # guarded function that takes NumPy's names -> its own __defaults__ and __kwdefaults__
_shapes: dict = {}  # the form of a signature -> the code of a function that has it
_SOURCE = """
def guarded({signature}):{first}
    run = "own"
    try:
        return run({passed})
    except Exception:
        run = "failed"
        found = run("function", {values})
        if found is None:
            raise
    return found()
"""
_CAREFUL = """
def guarded({signature}):{first}
    run = "meets"
    found = run("function", {values})
    if found is not None:
        return found()
    run = "own"
    return run({passed})
"""


def _guarded_code(function):
    own = function.__code__
    plain, named = own.co_argcount, own.co_kwonlyargcount
    more, names = bool(own.co_flags & 4), bool(own.co_flags & 8)
    others, needed = _other_names(function)
    form = (
        plain,
        own.co_posonlyargcount,
        named,
        more,
        names,
        len(own.co_freevars),
        function.__name__ in _QUIET,
        _places_of_kinds(function),
        len(others),
        needed,
    )
    template = _shapes.get(form)
    if template is None:
        template = _shapes[form] = _template(*form)
    if more:
        inner_code = own.replace()  # not that of another closure
    else:  # a call by position is the quickest
        inner_code = own.replace(co_argcount=plain + named, co_kwonlyargcount=0)
    _codes[function] = inner_code
    inner = FunctionType(
        inner_code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    inner.__kwdefaults__ = function.__kwdefaults__
    inner.__qualname__ = function.__qualname__
    names_of_named = own.co_varnames[plain : plain + named]
    constants = {"own": inner, "meets": _meets, "failed": _failed, "function": function, "flags": _refuse}
    constants |= {"renamed": _renamed, "missing": MISSING}
    constants |= {f"k{i}": name for i, name in enumerate(names_of_named)}
    constants[tuple(f"k{i}" for i in range(named))] = names_of_named
    count = plain + named
    names_of_rest = own.co_varnames[count : count + more + names]
    code = template.replace(
        co_consts=tuple([constants.get(c, c) for c in template.co_consts]),
        co_varnames=own.co_varnames[:count]
        + others
        + names_of_rest
        + template.co_varnames[count + len(others) + more + names :],
        co_name=own.co_name,
        co_filename=own.co_filename,
        co_firstlineno=own.co_firstlineno,
        co_freevars=own.co_freevars,  # a function's cells stay its own
    )
    if hasattr(code, "co_qualname"):  # from Python 3.11 on
        code = code.replace(co_qualname=own.co_qualname)
    if others:
        _take_other_names(function, others, len(needed))
    return code


def _other_names(function):
    """The names of NumPy's that a function is to take for parameters of its own, and the places of those that may be missing then."""
    code = function.__code__
    plain = code.co_argcount
    parameters = code.co_varnames[: plain + code.co_kwonlyargcount]
    place = place_of(function)
    if (
        code.co_flags & 12
        or not place.startswith("_ops.")
        or place in _IN_PYTHON
        or not _NUMPY_NAMES.keys() & set(parameters)
    ):
        return (), ()
    others = tuple([new for own, new in _NUMPY_NAMES.items() if own in parameters and new not in parameters])
    needed = plain - len(function.__defaults__ or ())
    first = parameters.index("dim") if "dim" in parameters else needed
    return others, tuple(range(first, needed)) if others else ()


def _take_other_names(function, others, needed):
    """Let a function take further names, and go without its last ``needed`` parameters of those that it needs; ``inspect`` shows it as it was."""
    defaults, named = function.__defaults__, function.__kwdefaults__
    as_it_was = FunctionType(
        function.__code__, function.__globals__, function.__name__, defaults, function.__closure__
    )
    as_it_was.__kwdefaults__, as_it_was.__doc__ = named, function.__doc__
    as_it_was.__module__, as_it_was.__qualname__ = function.__module__, function.__qualname__
    as_it_was.__annotations__ = function.__annotations__
    function.__wrapped__ = as_it_was
    _defaults[function] = defaults, named
    function.__defaults__ = (MISSING,) * needed + (defaults or ()) or None
    function.__kwdefaults__ = {**(named or {}), **dict.fromkeys(others, MISSING)}


def _places_of_kinds(function):
    """The places, among its parameters, of those whose class a call asks first, and what it asks: of those that must be bool, of numbers, and of sizes.

    None if PyTorch's function is no operator.
    """
    place = place_of(function)
    if not place.startswith(_OPERATORS) or place in _IN_PYTHON:
        return ()
    code = function.__code__
    defaults = function.__defaults__ or ()
    left_out = dict(zip(reversed(code.co_varnames[: code.co_argcount]), reversed(defaults))) | (
        function.__kwdefaults__ or {}
    )
    found = []
    for i, name in enumerate(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
        if name in _FLAGS:
            found.append((i, "bool" if left_out.get(name, True) is not None else "truth"))
        elif name in _COUNTS and not isinstance(left_out.get(name), str):
            found.append((i, "int" if left_out.get(name, 0) is None else "count"))
        elif name in _NUMBERS or (name == "value" and left_out.get(name, "") in (0, 1, None)):
            found.append((i, "number" if left_out.get(name, 0) is None else "real"))
        elif name in _SIZES:
            found.append((i, "sizes"))
    return tuple(found)


def _template(plain, positional_only, named, more, names, cells, careful, kinds, others, needed):
    """The code of a function with so many parameters, for any function to guard."""
    first = [f"a{i}" for i in range(plain)]
    last = [f"k{i}" for i in range(named)]
    renamed = [f"n{i}" for i in range(others)]
    signature = [*first]
    if positional_only:
        signature.insert(positional_only, "/")
    if more:
        signature.append("*args")
    elif last or renamed:
        signature.append("*")
    signature += last + renamed
    passed = [*first, *(["*args"] if more else []), *([f"{k}={k}" for k in last] if more else last)]
    if names:
        signature.append("**kwargs")
        passed.append("**kwargs")
    values = [*first, *last, *(["args"] if more else []), *(["kwargs"] if names else [])]
    asks = {
        "bool": "({0} is not False and {0} is not True)",
        "truth": "({0} is not None and {0} is not False and {0} is not True)",
        "count": "({0}.__class__ is not int)",
        "int": "({0}.__class__ is not int and {0} is not None)",
        "real": "({0}.__class__ is not float and {0}.__class__ is not int)",
        "number": "({0}.__class__ is not float and {0} is not None and {0}.__class__ is not int)",
        "sizes": "({0}.__class__ is bool)",
    }
    wrong = [asks[kind].format((first + last)[i]) for i, kind in kinds]
    passed_on = "(" + "".join(f"{v}, " for v in values) + ")"
    lines = ""
    if renamed:
        asked = [f"{n} is not missing" for n in renamed] + [f"a{i} is missing" for i in needed]
        given = "".join(f"{n}, " for n in renamed)
        lines += "\n    missing = 'missing'"
        lines += f"\n    if {' or '.join(asked)}:\n        run = 'renamed'\n        {passed_on} = run('function', {passed_on}, ({given}))"
    if wrong:
        lines += (
            f"\n    if {' or '.join(wrong)}:\n        run = 'flags'\n        run('function', {passed_on})"
        )
    source = (_CAREFUL if careful else _SOURCE).format(
        first=lines,
        signature=", ".join(signature),
        passed=", ".join(passed),
        values=passed_on,
    )
    return code_of(source, cells)


def _failed(function, values):
    """Like ``_meets``, for a function that has raised an exception: another one if PyTorch would not have taken the arguments, or memory did not hold the result."""
    found = None if function.__name__ in _MAKING else _meets(function, values)
    if found is None:
        explain(function, _parameters(function, values), sys.exc_info()[1])
    return found


def _renamed(function, values, given):
    """The values of a function's parameters, of which ``given`` are by NumPy's names; raises TypeError for one given by both names, or by none."""
    parameters = _codes[function].co_varnames
    arguments = dict(zip(parameters, values))
    by_own_name = _parameters(function, values)
    others = code_before(function).co_varnames[len(values) : len(values) + len(given)]
    for name, other in _NUMPY_NAMES.items():
        value = given[others.index(other)] if other in others else MISSING
        if value is not MISSING:
            if name in by_own_name:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{other}'")
            arguments[name] = by_own_name[name] = value
    if None in given:  # which most functions here take for nothing given, and not all of PyTorch's
        explain(function, by_own_name)
    lacking = [f'"{name}"' for name, value in arguments.items() if value is MISSING]
    if lacking:
        explain(function, by_own_name)
        count = len(lacking)
        raise TypeError(
            f"{function.__name__}() missing {count} required positional argument{'s' * (count == 1)}: {', '.join(lacking)}"
        )
    return tuple(arguments.values())


def _refuse(function, values):
    """Raise TypeError for a call with a flag that is no bool or a count that is no int, unless PyTorch's operator takes it."""
    if _meets(function, values) is None:
        explain(function, _parameters(function, values), None)


def explain(function, arguments, error=None):
    """Raise what PyTorch raises before it computes anything, if the ``error`` that a function has raised stands for that.

    ``arguments`` are those that were given, name -> value, in the order of the function's parameters.
    """
    from .argument_kinds import operator_of, refuse_arguments  # only now: most programs never need them
    from .functional_kinds import functional_operator, refuse_functional

    found = None if _knows_forms(error) else operator_of(function)
    line = functional_operator(function) if found is None and not _tells_itself(error) else None
    if line is not None:
        try:
            refuse_functional(line, arguments)
        except Exception as refusal:
            raise refusal from None
    if found is not None:
        name, is_method = found
        code = own_code_of(function)
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        try:
            refuse_arguments(name, arguments, is_method, parameters, _none_by_default(function))
        except Exception as refusal:
            refusal.explained = True  # a function around this one may know better
            if not _tells_the_same(error, refusal):
                raise refusal from None
    if error.__class__ is AttributeError:
        refuse_kind(function.__name__, arguments, error)
    if isinstance(error, MemoryError) or (
        error.__class__ is ValueError and str(error).startswith(_TOO_LARGE)
    ):
        raise too_large(error) from None


def _knows_forms(error):
    """Whether a function has said itself that its arguments go together in no form of the operator."""
    return (
        error.__class__ is TypeError
        and "received an invalid combination" in str(error)
        and not hasattr(error, "explained")
    )


def _tells_the_same(error, refusal):
    """Whether an error is already about the argument that is refused: who raised it knew whether that was given by position."""
    words, _, rest = str(error).partition("): argument '")
    return bool(rest) and words + "): argument '" + rest.partition("'")[0] + "'" in str(refusal)


def _none_by_default(function):
    """The parameters of a function that are None unless they are given: None stands for what is missing where PyTorch's operator does not take it."""
    defaults, named = _defaults.get(function, (function.__defaults__, function.__kwdefaults__))
    names = own_code_of(function).co_varnames[: code_before(function).co_argcount]
    left_out = dict(zip(names[len(names) - len(defaults or ()) :], defaults or ())) | (named or {})
    return list(
        itertools.takewhile(lambda name: left_out[name] is None, left_out)
    )  # one after a number may stand for it


def _tells_itself(error):
    """Whether an error is one that PyTorch's functions in Python raise before they call an operator."""
    return error.__class__ in (ValueError, ZeroDivisionError) or (
        error.__class__ is NotImplementedError and "not implemented for" not in str(error)
    )


def explain_failure(function, *values):
    """Like ``explain``, from the ``except`` of a function without a guard, which costs nothing while it succeeds: ``values`` are those of its parameters."""
    error = sys.exc_info()[1]
    if not isinstance(error, Met):
        explain(function, _parameters(function, values), error)


def _parameters(function, values):
    """Name -> value of a call's parameters, in their order, without those that have their defaults: ``*size`` -> a tuple."""
    code = code_before(function)
    plain, named, more = code.co_argcount, code.co_kwonlyargcount, bool(code.co_flags & 4)
    names = own_code_of(function).co_varnames
    defaults = dict(zip(reversed(names[:plain]), reversed(function.__defaults__ or ())))
    defaults |= function.__kwdefaults__ or {}
    if function in _defaults:
        named -= len(function.__kwdefaults__) - len(_defaults[function][1] or ())
    given = dict(zip(names[:plain], values))
    if more:
        given["*" + names[plain + named]] = values[plain + named]
    given |= zip(names[plain : plain + named], values[plain:])
    if code.co_flags & 8:
        given |= values[-1]
    return {
        name: value for name, value in given.items() if name not in defaults or value is not defaults[name]
    }


def _meets(function, values):
    return None if _meet is None else _meet(function, dict(zip(_codes[function].co_varnames, values)))
