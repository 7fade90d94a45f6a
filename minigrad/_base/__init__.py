"""What everything stands on: dtypes, devices, sizes, errors, nested containers, settings.  Nothing here knows arrays' kernels or Tensors."""
