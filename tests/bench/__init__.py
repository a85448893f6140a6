"""Benchmarks: ratios taken in one interleaved run, on processor time, so that a busy machine cannot bend them.

``make bench`` prints a table and writes ``results/bench.json``. Nothing here is a timed test.
"""
