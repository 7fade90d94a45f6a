"""Weak references to tensors, and dictionaries that do not keep their keys alive."""

import copy
import gc
import weakref

import pytest

import minigrad
from minigrad.utils.weak import TensorWeakRef, WeakIdKeyDictionary, WeakIdRef, WeakTensorKeyDictionary


def test_keys_are_compared_by_identity():
    a, b = minigrad.ones(2), minigrad.ones(2)
    notes = WeakTensorKeyDictionary()
    notes[a], notes[b] = "a", "b"
    assert (notes[a], notes[b], len(notes)) == ("a", "b", 2)
    assert [key is twin for key, twin in zip(notes, (a, b))] == [True, True]
    assert notes.pop(a) == "a" and a not in notes and notes.get(a, 5) == 5
    with pytest.raises(KeyError):
        notes[a]


def test_entries_go_with_their_keys():
    kept, lost = minigrad.ones(2), minigrad.ones(2)
    notes = WeakIdKeyDictionary({kept: 1, lost: 2})
    del lost
    assert list(notes.values()) == [1]
    (ref,) = notes.keyrefs()
    assert ref() is kept


def test_keys_may_die_while_they_are_walked_through():
    tensors = [minigrad.ones(1) for _ in range(4)]
    notes = WeakIdKeyDictionary({x: i for i, x in enumerate(tensors)})
    seen = []
    for key, value in notes.items():
        seen.append(value)
        del key
        tensors.clear()
    assert seen == [0] and not notes


def test_a_reference_to_what_is_gone_equals_only_itself():
    x = minigrad.ones(1)
    ref, other = WeakIdRef(x), WeakIdRef(x)
    assert ref == other and hash(ref) == id(x)
    del x
    assert ref() is None and ref != other and ref == ref


def test_a_dictionary_is_not_kept_alive_by_its_keys():
    x = minigrad.ones(1)
    notes = WeakIdKeyDictionary({x: 1})
    ref = weakref.ref(notes)
    gc.collect()
    del notes
    assert ref() is None


def test_copies_and_unions():
    a, b = minigrad.ones(1), minigrad.ones(1)
    notes = WeakIdKeyDictionary({a: [1]})
    shallow, deep = copy.copy(notes), copy.deepcopy(notes)
    assert shallow == notes == deep and shallow[a] is notes[a] and deep[a] is not notes[a]
    assert (notes | {b: 2})[b] == 2 and ({a: 3} | notes)[a] == [1] and b not in notes
    notes |= {b: 4}
    assert notes.setdefault(b, 5) == 4 and notes.popitem() == (b, 4) and notes == {a: [1]}


def test_what_has_no_weak_references_is_no_key():
    assert 5 not in WeakIdKeyDictionary()


def test_keys_that_are_the_same_by_another_measure():
    class ByName(weakref.ref):
        def __init__(self, key, callback=None):
            super().__init__(key, callback)
            self.name = key.name

        def __hash__(self):
            return hash(self.name)

        def __eq__(self, other):
            return self.name == other.name

    class Named:
        def __init__(self, name):
            self.name = name

    first = Named("x")
    notes = WeakIdKeyDictionary({first: 1}, ref_type=ByName)
    assert notes[Named("x")] == 1 and Named("y") not in notes


def test_a_weak_reference_to_a_tensor():
    x = minigrad.ones(2)
    ref = TensorWeakRef(x)
    assert ref() is x
    del x
    assert ref() is None
    with pytest.raises(AssertionError, match="expected torch.Tensor"):
        TensorWeakRef(5)
