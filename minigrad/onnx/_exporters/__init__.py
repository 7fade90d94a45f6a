"""How operators are written as nodes of ONNX, a file for each family of them."""
