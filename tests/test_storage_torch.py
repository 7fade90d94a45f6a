"""Storages beside PyTorch's: what they hold, who looks at them, and what they refuse."""

import importlib

import pytest

import minigrad
from tests.autograd.both_libraries import answer

#: Each is a program on ``lib``; ``answer`` is what PyTorch says, too.
PROGRAMS = {
    "one storage for all views": """
        a = lib.arange(4.)
        s = a.untyped_storage()
        answer = s is a.view(2, 2).untyped_storage(), s._cdata == a[1:].storage()._cdata, s.data_ptr() == a.data_ptr()""",
    "attributes": """
        a = lib.arange(4.)
        s = a.untyped_storage()
        s.note = 3
        answer = a[1:].untyped_storage().note""",
    "a storage grows": """
        a = lib.arange(4.)
        b = a[2:]
        s = a.untyped_storage()
        s.resize_(32)
        b.fill_(7)
        answer = a.tolist(), s.nbytes(), b.storage_offset(), a.data_ptr() == s.data_ptr(), b.data_ptr() - a.data_ptr()""",
    "a storage without memory": """
        p = lib.nn.Parameter(lib.ones(3))
        s = p.untyped_storage()
        s.resize_(0)
        before = s.nbytes(), s.data_ptr(), p.data_ptr(), p.shape == (3,)
        s.resize_(12)
        with lib.no_grad():
            p.fill_(2)
        (p * p).sum().backward()
        answer = before, p.tolist(), p.grad.tolist(), p.stride()""",
    "typed storages resize": """
        s = lib.FloatStorage([1, 2, 3])
        s.resize_(5)
        answer = [s.size()]
        s.resize_(1)
        answer.append(s.tolist())
        s.resize_(0)
        answer += [s.nbytes(), s.data_ptr(), s.resizable()]
        s.resize_("a")""",
    "tensors grow together": """
        a = lib.arange(3.)
        b = a[1:]
        b.resize_(5)
        b[1] = 9
        answer = a.tolist(), b.storage_offset(), a.untyped_storage().nbytes(), b.tolist()[:2]""",
    "a tensor over a NumPy array does not grow": """
        numbers = np.zeros(3)
        a = lib.from_numpy(numbers)
        answer = a.resize_(2).tolist()
        a.resize_(4)""",
    "a tensor whose NumPy array is looked at does not grow": """
        a = lib.ones(3)
        numbers = a.numpy()
        a.resize_(4)""",
    "a buffer does not grow": "lib.frombuffer(bytearray(8), dtype=lib.float32).resize_(4)",
    "set_ lets a storage grow": """
        a, b = lib.arange(2.), lib.zeros(1)
        b.set_(a.untyped_storage(), 1, (3,))
        answer = b[0].item(), a.untyped_storage().nbytes(), b.storage_offset(), b._version, a._version""",
    "set_ over a NumPy array": """
        numbers = np.zeros(3, np.float32)
        lib.zeros(1).set_(lib.from_numpy(numbers).untyped_storage(), 0, (9,))""",
    "set_ to another device": "lib.zeros(1).set_(lib.zeros(1, device='meta'))",
    "set_ of a size that is none": "lib.zeros(1).set_(lib.zeros(4), 1, 2)",
    "copies of bytes": """
        s = lib.FloatStorage(1)
        s.copy_(lib.IntStorage([1065353216]))
        answer = s.tolist()
        s.copy_(lib.DoubleStorage(1))""",
    "copies of what is no storage": "lib.FloatStorage(1).copy_(lib.ones(1))",
    "bytes are taken modulo 256": """
        s = lib.UntypedStorage([1, 2, 3])
        s[0], s[1] = 300, -1
        answer = s.tolist(), s.fill_(257).tolist()""",
    "bytes are whole numbers": "lib.UntypedStorage(3)[0] = 1.5",
    "fill_ of bytes": "lib.UntypedStorage(3).fill_(1.5)",
    "steps": "lib.UntypedStorage(3)[::2] = 1",
    "an index that is none": "lib.UntypedStorage(3)['a']",
    "an index of elements that is none": "lib.FloatStorage(3)[1.0]",
    "text": "lib.FloatStorage(3)[0] = 'a'",
    "a complex number": "lib.FloatStorage(3)[0] = 1j",
    "made of an array": "lib.FloatStorage(np.ones(3))",
    "made of a tensor": "lib.FloatStorage(lib.ones(3))",
    "made of text": "lib.FloatStorage('a')",
    "made with a dtype": "lib.FloatStorage(3, dtype=lib.int32)",
    "wrapped without a dtype": "lib.TypedStorage(wrap_storage=lib.UntypedStorage(8))",
    "a dtype that is none": "lib.TypedStorage(3, dtype='a')",
    "casts": """
        s = lib.FloatStorage([1.7, -2.2, 0])
        names = "int long bool half double char short bfloat16 complex_float complex_double float8_e5m2 float8_e4m3fn".split()
        answer = [getattr(s, name)().tolist() for name in names]""",
    "texts": """
        storages = lib.FloatStorage([1, 2]), lib.LongStorage(0), lib.UntypedStorage([1]), lib.BoolStorage([1]), lib.ones(2, device="meta").storage()
        answer = [str(s) for s in storages]""",
    "types": """
        answer = [t.storage().type() for t in (lib.ones(1), lib.ones(1, dtype=lib.int64), lib.ones(1, dtype=lib.uint16))]""",
    "deep copies share what was shared": """
        a = lib.arange(4.)
        b, s, t, c = copy.deepcopy((a, a.untyped_storage(), a.storage(), a.view(lib.int32)[2:]))
        b[2] = 1
        answer = b.untyped_storage()._cdata == s._cdata == t._cdata == c.untyped_storage()._cdata, c.tolist(), a.tolist()""",
    "files of old": """
        f, g = io.BytesIO(), io.BytesIO()
        lib.arange(3, dtype=lib.int16).untyped_storage()._write_file(f, False, True, 2)
        lib.arange(3, dtype=lib.int16).storage()._write_file(g, False, False, 2)
        answer = f.getvalue(), g.getvalue()""",
    "buffers of another size": "lib.FloatStorage.from_buffer(bytes(5), 'native')",
    "empty buffers": "answer = lib.FloatStorage.from_buffer(b'', 'native').tolist()",
    "bytes in reverse": """
        s = lib.UntypedStorage([1, 2, 3, 4])
        s.byteswap(lib.int16)
        answer = s.tolist()
        lib.UntypedStorage([1, 2, 3]).byteswap(lib.int16)""",
    "where empty views begin": """
        a = lib.arange(10.)
        answer = [b.storage_offset() for b in (a[3:3], a[10:], a.narrow(0, 10, 0), a[2:][4:4], a.view(2, 5)[1, 5:])]""",
    "numbers of tensors": """
        a = lib.ones(1)
        answer = a._cdata == a._cdata, a._cdata == a.view(1)._cdata""",
}


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_as_in_torch(program):
    assert answer(minigrad, program) == answer(importlib.import_module("torch"), program)
