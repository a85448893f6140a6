"""The page in a real browser: hostile text is only looked at, and it fits a phone, a desk and a sheet of paper."""

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simkit.report import page
from tests.report_documents import made, shapes
from tests.test_report import HOSTILE, poisoned

pytestmark = pytest.mark.browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CANARIES = (
    "<script>document.title='canary'</script>",
    "</script><script>document.title='canary'</script>",
    "<img src=x onerror=\"document.title='canary'\">",
    "<svg onload=\"document.title='canary'\">",
    "\"><iframe srcdoc='<script>parent.document.title=1</script>'>",
    "<meta http-equiv=refresh content='0;url=about:blank'>",
    "<a href='javascript:alert(1)' autofocus onfocus=alert(1)>",
)


@pytest.fixture(scope="module")
def browser() -> str:
    """Return the Chromium of this machine; without one these tests cannot say anything, and fail."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"no browser found; looked for {', '.join(NAMES)}"
    return found


def look(browser: str, file: Path, *options: str) -> tuple[str, str]:
    """Open a file and return what the browser prints and what it complains about."""
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        f"--user-data-dir={file.parent / 'profile'}",
        *options,
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


@pytest.mark.parametrize("hostile", [*CANARIES, *HOSTILE])
def test_hostile_text_is_only_looked_at(browser: str, tmp_path: Path, hostile: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(page.html(poisoned(shapes()["house rules"], hostile)), encoding="utf-8")
    dom, complaints = look(browser, file, "--dump-dom")
    assert complaints == ""
    title = re.search(r"<title>(.*?)</title>", dom, re.S)
    assert title is not None
    assert html.unescape(title.group(1)) == hostile
    heading = re.search(r"<h1>(.*?)</h1>", dom, re.S)
    assert heading is not None
    assert html.unescape(heading.group(1)) == hostile
    assert len(re.findall(r"<script\b", dom)) == 1
    assert not re.search(r"<(img|iframe|object|embed|link|form|a)\b", dom)


def test_the_policy_stops_what_would_slip_through(browser: str, tmp_path: Path) -> None:
    text = page.html(made()).replace("</main>", f"{''.join(CANARIES[:2])}{CANARIES[2]}</main>")
    file = tmp_path / "report.html"
    file.write_text(text, encoding="utf-8")
    dom, complaints = look(browser, file, "--dump-dom")
    assert "<title>What happens?</title>" in dom
    assert "Content Security Policy" in complaints


@pytest.mark.parametrize("width", [360, 768, 1200])
@pytest.mark.parametrize("name", ["baseline", "house rules", "many", "two axes of words", "precision"])
def test_page_is_no_wider_than_its_window(browser: str, tmp_path: Path, name: str, width: int) -> None:
    document = shapes()[name]
    (tmp_path / "report.html").write_text(page.html(document), encoding="utf-8")
    frame = tmp_path / "frame.html"
    # the page itself runs no script, so a page around it measures
    frame.write_text(
        f"""<!doctype html><iframe id=f src=report.html style="border:0;width:{width}px;height:900px"></iframe>
        <script>f.onload = () => {{
          const d = f.contentDocument;
          const shown = s => [...d.querySelectorAll(s)].filter(e => e.getClientRects().length).length;
          document.body.dataset.width = d.documentElement.scrollWidth;
          document.body.dataset.plots = shown('.wide svg') + ',' + shown('.narrow svg');
        }}</script>"""
    )
    dom, _ = look(browser, frame, "--dump-dom", "--allow-file-access-from-files", "--virtual-time-budget=5000")
    measured = re.search(r'data-width="(\d+)" data-plots="(\d+),(\d+)"', dom)
    assert measured is not None
    wide, seen_wide, seen_narrow = map(int, measured.groups())
    assert wide == width
    assert (seen_wide, seen_narrow) == ((0, 2) if width == 360 else (2, 0))


def test_page_prints(browser: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page.html(shapes()["baseline"]), encoding="utf-8")
    paper = tmp_path / "report.pdf"
    look(browser, file, f"--print-to-pdf={paper}", "--no-pdf-header-footer")
    content = paper.read_bytes()
    assert content.startswith(b"%PDF-")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 12


@pytest.mark.parametrize("dark", [False, True])
def test_page_follows_light_and_dark(browser: str, tmp_path: Path, dark: bool) -> None:
    from matplotlib.image import imread

    file = tmp_path / "report.html"
    file.write_text(page.html(shapes()["target"]), encoding="utf-8")
    picture = tmp_path / "page.png"
    options = ["--force-dark-mode"] if dark else []
    look(browser, file, f"--screenshot={picture}", "--window-size=1200,900", *options)
    pixels = imread(picture)[..., :3]
    assert (pixels[:20].mean() < 0.2) == dark
    assert pixels.std() > 0.02
