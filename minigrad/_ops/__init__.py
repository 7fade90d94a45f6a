"""The operators, one class each, by subject.  ``names.py`` says where each is; ``vocabulary.py`` lends them to formulas."""
