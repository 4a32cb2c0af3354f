"""What must hold on a real server, in milliseconds and in deals: `make bench`."""
