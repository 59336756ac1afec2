"""Builtin functions and the methods of builtin objects."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, read, safe, unstable

ROWS = (
    read("opens a file for writing", """
        open io.open codecs.open builtins.open
        """, condition="mode",
        reason="a mode that is not constant is taken for reading; a mode that writes is an effect, as the official pages say"),
    safe("writes to the open file", """
        open().** io.open().** codecs.open().**
        """, reason="reported once, where the file is opened for writing"),
    read("waits for a line on the console", "input"),
    unstable("takes a hash", "hash", reason="str hashes are salted with another seed in every process"),
    safe("prints", "print"),
    safe("computes", """
        abs all any ascii bin callable chr delattr dir divmod enumerate filter format getattr hasattr hex isinstance issubclass iter anext
        aiter len map max min next oct ord pow range repr reversed round setattr sorted sum super type vars zip bool bytearray bytes
        complex dict float frozenset int list memoryview object property set slice staticmethod str tuple classmethod locals globals
        breakpoint help compile
        {str,bytes,int,float,bool,tuple,frozenset,range,complex,bytearray,sorted,repr,zip,map,filter,enumerate,reversed,slice,super,type,
          vars,list,dict,set}().** {str,bytes,int,float,dict,list,set,tuple,object,type}.*
        """),
    construct("makes an exception", """
        {ArithmeticError,AssertionError,AttributeError,BaseException,BaseExceptionGroup,BlockingIOError,BrokenPipeError,BufferError,
          ChildProcessError,ConnectionAbortedError,ConnectionError,ConnectionRefusedError,ConnectionResetError,DeprecationWarning,
          EOFError,EnvironmentError,Exception,ExceptionGroup,FileExistsError,FileNotFoundError,FloatingPointError,FutureWarning,
          GeneratorExit,IOError,ImportError,ImportWarning,IndexError,InterruptedError,IsADirectoryError,KeyError,KeyboardInterrupt,
          LookupError,MemoryError,ModuleNotFoundError,NameError,NotADirectoryError,NotImplementedError,OSError,OverflowError,
          PendingDeprecationWarning,PermissionError,ProcessLookupError,RecursionError,ReferenceError,ResourceWarning,RuntimeError,
          RuntimeWarning,StopAsyncIteration,StopIteration,SyntaxError,SyntaxWarning,SystemError,SystemExit,TimeoutError,TypeError,
          UnboundLocalError,UnicodeDecodeError,UnicodeEncodeError,UnicodeError,UserWarning,ValueError,Warning,ZeroDivisionError}
        """),
)
