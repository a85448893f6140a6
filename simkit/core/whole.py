"""Compiling a game as one program: what numba does for every function by itself, once for the whole.

By default numba optimises every function with all those it calls, turns it into machine code and wraps it for Python,
though almost all of a game's functions are only ever called by other compiled ones. A `Part` is such a function: typed
and lowered once, and nothing more. The program that Python calls (an `entry`) links all parts below it, optimises them
together and becomes machine code once. A part that Python does call all the same becomes a program of its own, on that
first call.
"""

import threading
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

Options = dict[str, Any]
"""Options of numba's ``jit``."""

_making = threading.Lock()


class PartCode(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of one function, to be linked into a program; never machine code."""

    def finalize(self) -> None:
        """Close the library as it is."""
        self._finalized = True


class ProgramCode(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a function that Python calls, with all parts that it needs."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link all parts, optimise them together, and make machine code."""
        self._linking_libraries = list(_below(self._linking_libraries))
        self._own = {one.name for one in _named(self._final_module) if not one.is_declaration}
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Keep what was linked to this program: where two programs share a name, the loader would take the first."""
        for one in _named(self._final_module):
            if not one.is_declaration and one.name not in self._own:
                one.linkage = "internal"
        super()._optimize_final_module()


def _named(module: Any) -> Iterator[Any]:
    """List the functions and variables of a module."""
    yield from module.functions
    yield from module.global_variables


def _below(libraries: list[Any]) -> Iterator[Any]:
    """List libraries with everything that they need."""
    seen: set[Any] = set()
    waiting = list(reversed(libraries))
    while waiting:
        library = waiting.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, PartCode):
                waiting += reversed(library._linking_libraries)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Lower a function to LLVM code and stop there."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower; numba knows the function by a stand-in where it would have its machine code."""
        state.library = PartCode(state.targetctx.codegen(), state.func_id.func_qualname)
        flags = state.flags
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        super().run_pass(state)

        def stand_in(*args: Any) -> Any:
            raise TypeError(f"{state.func_id.func_qualname} is a part of a program")

        state.targetctx.insert_user_function(stand_in, state["cr"].fndesc, [state.library])
        state["cr"] = state["cr"]._replace(cfunc=stand_in)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class ProgramLowering(NativeLowering):  # type: ignore[misc]
    """Lower a function into a program."""

    _name = "program_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, link, optimise and make machine code."""
        state.library = ProgramCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's own passes but for the last."""

    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[Any]:
        """List the passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (self.lowering, what) if made is NativeLowering else (made, what) for made, what in passes.passes
        ]
        passes.finalize()
        return [passes]


class PartCompiler(_Compiler):
    """Compiles parts."""

    lowering = PartLowering


class ProgramCompiler(_Compiler):
    """Compiles programs."""

    lowering = ProgramLowering


class Program(CPUDispatcher):  # type: ignore[misc]
    """A function that Python calls.

    Parameters
    ----------
    py_func
        The function.
    options
        Options of numba's ``jit``.
    """

    def __init__(self, py_func: Callable[..., Any], options: Options) -> None:
        super().__init__(py_func, locals={}, targetoptions=options, pipeline_class=ProgramCompiler)


class Part(CPUDispatcher):  # type: ignore[misc]
    """A function that compiled functions call.

    Parameters
    ----------
    py_func, options
        As for a program.
    declared
        Returns the types of its parameters. It is compiled for these alone, whatever it is called with: numba by itself
        would compile it for every literal that some caller hands over.
    program
        Makes the program that stands for it where Python calls.
    """

    def __init__(
        self,
        py_func: Callable[..., Any],
        options: Options,
        declared: Callable[[], tuple[Any, ...]],
        program: Callable[[], Program],
    ) -> None:
        super().__init__(py_func, locals={}, targetoptions=options, pipeline_class=PartCompiler)
        self._declared = declared
        self._program = program

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Tell a caller how to call it."""
        if not self.overloads:
            self.compile(self._declared())
        self.disable_compile()
        return super().get_call_template(args, kws)

    def add_overload(self, compiled: Any) -> None:
        """Note what was compiled, for the callers; the table of what Python can call stays empty."""
        self.overloads[tuple(compiled.signature.args)] = compiled

    @cached_property
    def program(self) -> Program:
        """The same function for Python."""
        with _making:
            return self._program()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it from Python."""
        return self.program(*args, **kwargs)
