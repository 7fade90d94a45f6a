"""What pipes have in common, and decoders of files."""
