"""How things look: tensors as text and as HTML, amounts with their units."""
