"""Files, directories and archives. File writes in any mode are effects (the official pages flag `open(…, "w")`)."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, read, safe

MOVES = "moves a file"

ROWS = (
    effect("writes a file", """
        pathlib.Path().**.{write_text,write_bytes} anyio.Path().**.{write_text,write_bytes} aiofiles.os.replace PIL.Image.**.save
        PIL.**.save matplotlib.**.savefig matplotlib.pyplot.savefig plotly.**.{write_image,write_html,write_json}
        plotly.io.{write_image,write_html} seaborn.**.savefig altair.**.save imageio.{imwrite,imsave,mimsave} imageio.v*.{imwrite,imsave}
        cv2.{imwrite,VideoWriter} soundfile.write scipy.io.wavfile.write numpy.{save,savez,savez_compressed,savetxt} torch.save
        joblib.dump pandas.**.{to_excel,to_pickle,to_feather,to_hdf,to_stata}
        polars.**.{write_parquet,write_excel,sink_parquet,sink_csv} docx.Document().save docx.**.save
        openpyxl.**.save pptx.**.save xlsxwriter.Workbook().close reportlab.pdfgen.canvas.Canvas().save
        reportlab.platypus.**.build markdown_pdf.MarkdownPdf().save PyPDF2.**.write pypdf.**.write fitz.**.save ezdxf.**.saveas graphviz.**.{render,save,view}
        pyvis.network.Network().{save_graph,show,write_html} networkx.{write_gml,write_graphml,write_gpickle,write_edgelist}
        h5py.File().create_dataset nbformat.write dotenv.set_key onnx.save keras.**.save sklearn.externals.joblib.dump gtts.gTTS().save
        moviepy.**.write_videofile pydub.**.export music21.**.write
        """),
    effect("writes a file", """
        pandas.**.{to_csv,to_json,to_html,to_latex,to_parquet,to_xml,to_markdown} polars.**.{write_csv,write_json,write_ndjson}
        fpdf.FPDF().output weasyprint.HTML().write_pdf
        """, condition="no-target:0", reason="without a file it gives the text back"),
    effect("writes a file", """
        pdfkit.{from_string,from_file,from_url}
        """, condition="no-target:1", reason="with False for the file it gives the bytes back"),
    effect("writes a file", """
        pypandoc.{convert_text,convert_file}
        """, condition="no-target:5", reason="without a file it gives the text back"),
    safe("writes a table as text", """
        pandas.**.{to_string,to_dict,to_records,to_numpy,to_list} pandas.**.to_datetime pandas.to_*
        """, reason="only makes a value"),
    read("opens a file for writing", """
        pathlib.Path().**.open anyio.Path().**.open
        """, condition="mode:0", reason="a mode that is not constant is taken for reading"),
    read("opens a file for writing", """
        aiofiles.open aiofiles.threadpool.open anyio.open_file gzip.open bz2.open lzma.open os.fdopen tarfile.open tarfile.TarFile
        wave.open smart_open.open fsspec.open fsspec.**.open s3fs.**.open gcsfs.**.open
        """, condition="mode:1", reason="a mode that is not constant is taken for reading"),
    read("opens an archive for writing", "zipfile.ZipFile h5py.File", condition="mode:1", reason="the default mode reads"),
    safe("writes to the open file", """
        pathlib.Path().**.open().** anyio.Path().**.open().** aiofiles.open().** anyio.open_file().** gzip.open().** bz2.open().**
        lzma.open().** os.fdopen().** tarfile.open().** tarfile.TarFile().** zipfile.ZipFile().** smart_open.open().** fsspec.open().**
        wave.open().** h5py.File().** aiofiles.tempfile.**
        """, reason="reported once, where the file is opened for writing"),
    effect("extracts an archive", """
        zipfile.ZipFile().{extract,extractall} tarfile.**.{extract,extractall} shutil.unpack_archive patoolib.extract_archive
        py7zr.**.extractall
        """),
    effect("makes an archive", "shutil.make_archive py7zr.**.{write,writeall}"),
    effect("makes a directory", "os.mkdir", reason="the second run raises FileExistsError"),
    effect("makes a directory", """
        pathlib.Path().**.mkdir anyio.Path().**.mkdir
        """, condition="flag:2:exist_ok", reason="with exist_ok=True it is safe; without, the second run raises"),
    effect("makes a directory", """
        os.makedirs aiofiles.os.makedirs
        """, condition="flag:2:exist_ok", reason="with exist_ok=True it is safe; without, the second run raises"),
    effect("makes a directory", """
        aiofiles.os.mkdir os.mkfifo os.symlink os.link pathlib.Path().**.{symlink_to,hardlink_to}
        """, reason="the second run raises FileExistsError"),
    effect("deletes a file", """
        os.remove os.unlink os.rmdir os.removedirs aiofiles.os.{remove,unlink,rmdir} pathlib.Path().**.rmdir anyio.Path().**.rmdir
        send2trash.send2trash
        """, condition="temporary:0:path", reason="the second run raises FileNotFoundError; a temporary file is not missed"),
    effect("deletes a file", """
        pathlib.Path().**.unlink anyio.Path().**.unlink
        """, condition="flag:0:missing_ok", reason="with missing_ok=True it is safe; without, the second run raises"),
    effect("deletes a directory tree", """
        shutil.rmtree
        """, condition="flag:1:ignore_errors|temporary:0:path",
        reason="with ignore_errors=True it is safe; without, the second run raises"),
    effect(MOVES, """
        os.rename os.renames os.replace shutil.move aiofiles.os.{rename,renames} pathlib.Path().**.{rename,replace,move,move_into}
        """, reason="the second run no longer finds the source"),
    effect("copies a file", "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree pathlib.Path().**.{copy,copy_into}"),
    safe("copies between open files", "shutil.copyfileobj", reason="reported where the file is opened"),
    safe("sets file attributes", """
        os.chmod os.chown os.utime shutil.copymode shutil.copystat shutil.chown pathlib.Path().**.{chmod,touch} os.umask os.truncate
        """, reason="sets a fixed value"),
    safe("writes to a file descriptor", "os.write os.pwrite os.sendfile",
         reason="a descriptor comes from what opened it: a temporary file, a pipe, a socket; nobody keeps a letter in one"),
    effect("sets a file's content through a temporary file", "tempfile.NamedTemporaryFile().replace"),
    construct("opens a temporary file", """
        tempfile.{NamedTemporaryFile,TemporaryFile,TemporaryDirectory,SpooledTemporaryFile,mkstemp,mkdtemp,gettempdir,mktemp}
        """, reason="another one in every run, and nobody misses it"),
    safe("writes a temporary file", "tempfile.**", reason="temporary files are not missed"),
    read("reads a file", """
        pathlib.Path().**.{read_text,read_bytes,exists,is_file,is_dir,stat,iterdir,glob,rglob,lstat,owner,readlink,samefile,walk}
        anyio.Path().** os.{listdir,scandir,walk,stat,lstat,access,getcwd,readlink,fstat}
        os.path.{exists,isfile,isdir,getmtime,getsize,getctime,getatime,lexists,islink,samefile,realpath} glob.{glob,iglob}
        linecache.getline fileinput.input shutil.{disk_usage,which} filecmp.** aiofiles.os.**
        pandas.{read_csv,read_excel,read_json,read_parquet,read_sql,read_sql_query,read_sql_table,read_html,read_pickle,read_feather,
          read_table,read_xml,ExcelFile} polars.{read_csv,read_parquet,read_json,read_excel,scan_csv,scan_parquet}
        numpy.{load,loadtxt,genfromtxt} torch.load joblib.load PIL.Image.open cv2.imread openpyxl.load_workbook docx.Document
        pypdf.PdfReader PyPDF2.PdfReader fitz.open pdfplumber.open pymupdf.open importlib.resources.** pkgutil.get_data dotenv.load_dotenv
        dotenv.dotenv_values dotenv.find_dotenv dotenv.get_key
        """),
    effect("writes a table to a database", """
        pandas.**.to_sql polars.**.write_database pandas.**.to_gbq
        """, reason="appending twice doubles the rows; replacing is not the default of the callers seen"),
    safe("works with paths", "pathlib.Path().** pathlib.PurePath().** pathlib.** os.path.** shutil.get_terminal_size fnmatch.**"),
    construct("makes a path", "pathlib.{Path,PurePath,PosixPath,WindowsPath,PurePosixPath} anyio.Path"),
    safe("works with data in memory", """
        pandas.** numpy.** polars.** PIL.** matplotlib.** plotly.** seaborn.** altair.** openpyxl.** docx.** pptx.** pypdf.** PyPDF2.**
        fitz.** pymupdf.** pdfplumber.** networkx.** torch.** joblib.** cv2.** scipy.** sklearn.** reportlab.** fpdf.** graphviz.**
        zipfile.** tarfile.** gzip.** bz2.** lzma.** io.** aiofiles.** h5py.** nbformat.** imageio.** music21.** pyarrow.**
        """),
    effect("writes a file", "pyarrow.parquet.{write_table,write_to_dataset} pyarrow.csv.write_csv pyarrow.feather.write_feather"),
    # cloud file systems
    effect("writes a remote file", """
        fsspec.**.{put,pipe,touch,put_file,pipe_file} s3fs.**.{put,pipe} gcsfs.**.{put,pipe} smart_open.**.write
        """),
)

ALIASES = {
    "pathlib.Path.cwd()": "pathlib.Path()",
    "pathlib.Path.home()": "pathlib.Path()",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib.WindowsPath": "pathlib.Path",
    # What is text is text: its `replace` moves no file.
    "pathlib.Path().**.{name,stem,suffix,parts,drive,root,anchor}": "str()",
    "pathlib.Path().**.{read_text,as_posix,as_uri}()": "str()",
    "pathlib.Path().**.read_bytes()": "bytes()",
}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()

# Effects that are none where the file is one that only this activation has: in memory, on the console, in a temporary directory.
FILE_EFFECTS = frozenset({
    "writes a file", "opens a file for writing", "opens an archive for writing", "extracts an archive", "makes an archive", "makes a directory",
    "deletes a file", "deletes a directory tree", "moves a file", "copies a file", "downloads to a file"})
OWN_PLACES = frozenset({
    "io.BytesIO()", "io.StringIO()", "sys.stdout", "sys.stderr", "tempfile.NamedTemporaryFile()", "tempfile.TemporaryFile()",
    "tempfile.SpooledTemporaryFile()", "tempfile.TemporaryDirectory()", "tempfile.mkdtemp()", "tempfile.mkstemp()", "tempfile.mktemp()",
    "aiofiles.tempfile.NamedTemporaryFile()", "aiofiles.tempfile.TemporaryDirectory()", "aiofiles.tempfile.TemporaryFile()"})
# What makes a path (or a wrapper) of its first argument.
PATH_MAKERS = frozenset({
    "pathlib.Path", "pathlib.PurePath", "anyio.Path", "os.path.join", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath",
    "os.path.dirname", "str", "io.TextIOWrapper", "io.BufferedWriter", "pandas.ExcelWriter"})
# Methods of a path that write to (or take away) that path itself.
PATH_METHODS = frozenset({"write_text", "write_bytes", "mkdir", "unlink", "rmdir", "touch", "open", "symlink_to", "hardlink_to"})
# The position of the argument that names the file, where it is not the first.
TARGETS = {
    **dict.fromkeys("""
        torch.save joblib.dump nbformat.write onnx.save plotly.io.write_image plotly.io.write_html shutil.copy shutil.copy2 shutil.copyfile
        shutil.copytree shutil.move shutil.unpack_archive os.rename os.renames os.replace pyarrow.parquet.write_table pyarrow.csv.write_csv
        pyarrow.feather.write_feather pdfkit.from_string pdfkit.from_file pdfkit.from_url urllib.request.urlretrieve wget.download
        gdown.download networkx.write_gml networkx.write_graphml networkx.write_gpickle networkx.write_edgelist music21.stream.write
        """.split(), 1),
    "pypandoc.convert_text": 5, "pypandoc.convert_file": 5}
TARGET_NAMES = ("path", "path_or_buf", "fname", "filename", "file", "fileobj", "fp", "buf", "buffer", "excel_writer", "dst", "where", "extract_dir",
                "outputfile", "output_path", "target", "stream", "base_name")
# What puts a content into a file, and what of it cannot be done a second time (or adds to what is there).
WRITTEN = frozenset({"writes a file", "opens a file for writing", "opens an archive for writing", "copies a file"})
RAISING = ("aiofiles.os.replace", "h5py.", "shutil.copytree", "dotenv.", "pathlib.Path().copy", "graphviz.")
