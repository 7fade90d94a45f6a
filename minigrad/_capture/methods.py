"""Captured methods: each instance has a captured step of its own, which it keeps itself, so that the two end together."""

from types import MethodType

__all__ = ["KEPT_AS", "Steps", "step_of"]

#: The key in the ``__dict__`` of an instance under which its captured steps are.
KEPT_AS = "_captured_steps"


class Steps(dict):
    """The captured steps of one instance, by those that stand in its class; copies and pickles of the instance have none to begin with."""

    def __deepcopy__(self, memo):
        return Steps()

    def __reduce__(self):
        return dict, ()


def step_of(instance, of_class, make):
    """What the captured method ``of_class`` is for an instance: ``make(method)``, made once.

    Raises TypeError for an instance without ``__dict__``.
    """
    try:
        space = instance.__dict__
    except AttributeError:
        raise TypeError(
            f"a captured method stores its recording in its instance, and a {type(instance).__name__} has no __dict__: add '__dict__' to its __slots__"
        ) from None
    steps = space.get(KEPT_AS)
    if steps.__class__ is not Steps or any(step.owner is not instance for step in steps.values()):
        steps = space[KEPT_AS] = Steps()  # of a shallow copy they would be those of the original
    if of_class not in steps:
        steps[of_class] = make(MethodType(of_class.__wrapped__, instance))
    return steps[of_class]
