"""What the numbers mean for balance: verdicts and the reasons for them."""
