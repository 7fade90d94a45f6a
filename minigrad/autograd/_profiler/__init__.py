"""What the profiler is made of: ``recorder`` notes what runs, ``events`` are what users see of it, ``table`` and ``trace`` show them."""
