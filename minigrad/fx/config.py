"""Settings of ``fx``: plain globals that programs set."""

#: Whether ``Interpreter.run`` shows no bar of its progress (which needs tqdm).
disable_progress = True
#: Whether that bar names the nodes.
verbose_progress = False
#: Whether tracers that record stack traces leave them out all the same.
do_not_emit_stack_traces = False
