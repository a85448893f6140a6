"""Documents of studies: what ``--json`` prints and ``report.json`` holds, as models with a schema, a file a command."""
