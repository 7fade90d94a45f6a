"""Tests of the optional engine: they ask it for everything, however small."""

import pytest

from minigrad._arrays import engine, engine_settings


@pytest.fixture
def onednn(monkeypatch):
    """The bound library, which serves all sizes, and also where NumPy is quicker, during the test; its calls that succeed are counted in ``served``."""
    if not engine.find():
        pytest.skip("oneDNN is not installed: pip install 'minigrad-numpy[fast]'")
    from minigrad._arrays import onednn, onednn_kernels

    monkeypatch.setattr(engine_settings, "FROM", dict.fromkeys(engine_settings.FROM, 0))
    monkeypatch.setattr(engine_settings, "WORTH", 0)
    monkeypatch.setattr(onednn_kernels, "quicker_without", lambda *shape: False)
    monkeypatch.setattr(onednn, "served", 0, raising=False)
    run = onednn.run

    def counting(*args):
        done = run(*args)
        onednn.served += done
        return done

    monkeypatch.setattr(onednn, "run", counting)
    return onednn


@pytest.fixture
def both(onednn):
    """Call a function with the engine and without: ``both(function) -> (served by it, of NumPy)``; fails if the engine had no part in it."""

    def call(function):
        before = onednn.served
        fast = function()
        assert onednn.served > before, "the engine did not serve"
        engine_settings.enabled = False
        try:
            return fast, function()
        finally:
            engine_settings.enabled = True

    return call
