"""What every verb shares: options, output, exit codes, progress, the standard streams."""
