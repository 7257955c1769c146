"""Rows that this tree keeps. A user's own run writes over files below results/; that changes neither a page nor what a test holds it to."""
import contextlib
import pathlib
import shutil
import subprocess
import tempfile


@contextlib.contextmanager
def kept_rows(root):
    """A folder with results/ as git's index has it, so that a changed row counts once it is staged; root itself where git keeps none, as in a source archive."""
    git = shutil.which("git")
    listed = git and subprocess.run([git, "-C", root, "ls-files", "-z", "results"], capture_output=True, check=False).stdout
    if not listed:
        yield pathlib.Path(root)
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([git, "-C", root, "checkout-index", "-z", "--stdin", f"--prefix={folder}/"], input=listed, check=True)
        yield pathlib.Path(folder)
