"""The document of ``simkit house``: that of a comparison of one house rule with the rules of record."""

from simkit.balance.documents.compare import CompareDocument


class HouseDocument(CompareDocument):
    """What ``simkit house --json`` prints and ``report.json`` holds."""
