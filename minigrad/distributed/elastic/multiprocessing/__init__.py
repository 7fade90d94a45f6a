"""Errors of the processes of a program."""
