"""The operators, one class each, by subject.  ``methods.py`` binds them to Tensor; ``vocabulary.py`` lends them to formulas."""
