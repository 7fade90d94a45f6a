"""Operators that programs define: their schemas, kernels and derivatives.  ``minigrad.library`` is the way in, ``minigrad.ops`` the way to call them."""
