"""The API of 2017: ``volatile``, Functions whose instances are nodes, random draws that are rewarded.

``autograd/variable.py`` makes ``Variable`` of it; nothing here is imported before a program uses one of these forms.
"""
