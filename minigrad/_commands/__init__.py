"""The commands of ``python -m minigrad``, a module each: ``main(arguments)`` returns the exit code."""
