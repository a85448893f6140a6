"""Seasons of a league: who meets whom, the table and its ties, and three ways to come by seasons."""
