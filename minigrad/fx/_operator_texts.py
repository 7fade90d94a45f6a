"""How generated code writes Python's operators, by the names of the ``operator`` module."""

#: Operators that an operand on the right can supply as well.
reflectable_magic_methods = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "floordiv": "{} // {}",
    "truediv": "{} / {}",
    "div": "{} / {}",
    "mod": "{} % {}",
    "pow": "{} ** {}",
    "lshift": "{} << {}",
    "rshift": "{} >> {}",
    "and_": "{} & {}",
    "or_": "{} | {}",
    "xor": "{} ^ {}",
    "getitem": "{}[{}]",
    "matmul": "{} @ {}",
}
#: All operators that are expressions.
magic_methods = {
    "eq": "{} == {}",
    "ne": "{} != {}",
    "lt": "{} < {}",
    "gt": "{} > {}",
    "le": "{} <= {}",
    "ge": "{} >= {}",
    "pos": "+{}",
    "neg": "-{}",
    "invert": "~{}",
    **reflectable_magic_methods,
}
#: Those that are statements.
inplace_methods = {
    **{
        f"i{name.rstrip('_')}": text.replace(" {}", "= {}")
        for name, text in reflectable_magic_methods.items()
        if name not in ("div", "getitem")
    },
    "setitem": "{}[{}] = {}",
}
