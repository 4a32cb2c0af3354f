"""What an evening came to, payments, costs."""
