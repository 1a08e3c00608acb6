"""Export of the animation as a GIF, as an MP4, or as a folder of frames."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.export.tables import Progress
from chaindrive.export.target import MARK, check_export, maker, writing
from chaindrive.model.arguments import path_of
from chaindrive.results.lowlevel import remove_left

if TYPE_CHECKING:
    from chaindrive.plots.animation import Film
    from chaindrive.results import Solution

__all__ = ["FILMS", "find_ffmpeg", "is_folder", "write_film"]

FILMS = ("gif", "mp4")
FPS, DURATION, WIDTH = 25.0, 5.0, 960
MOST_FRAMES, MOST_OF_GIF = 20_000, 1_000
"""Largest number of frames of a film, and of a GIF, which is built in memory."""
_FRAME = re.compile(r"frame-\d{4,}\.png")


def write_film(
    solution: Solution,
    path: str | os.PathLike[str],
    start: float | str | None = None,
    stop: float | str | None = None,
    fps: float = FPS,
    duration: float = DURATION,
    width: int = WIDTH,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Film:
    """Write the animation of a run as .gif or .mp4, or as images frame-0001.png ... in a folder; return the film.

    start, stop [s, or text with a unit]: part of the run that is shown, by default the last revolution of the driver;
    duration [s] of the film, with fps frames per second; width [pixels]. A path denotes a folder if it has no
    extension, ends in a slash, or is an existing folder. A folder with other content is refused (unless ``overwrite``);
    only frames from an earlier export are removed from it. MP4 needs the program ffmpeg or the library imageio-ffmpeg.
    Raises InputError for invalid values, ComputationError if the disk is full or ffmpeg fails.
    """
    place = path_of(path, "path", "an animation such as run.mp4, or of a folder")
    folder = is_folder(path)
    ending = place.suffix.lower().lstrip(".")
    frames = _frames(ending if not folder else "", fps, duration)
    target = _check_folder(place, overwrite) if folder else check_export(path, overwrite=overwrite)
    if not folder and ending not in FILMS:
        message = f"the path of an animation must end in .{' or .'.join(FILMS)}, or be a folder"
        raise InputError(Problem("output", message, repr(str(path))))
    ffmpeg = find_ffmpeg() if ending == "mp4" and not folder else ""
    from chaindrive.plots.animation import animate

    run: Any = solution
    film = animate(run, start, stop, frames, width)
    pictures = _with_progress(film, progress)
    if folder:
        _write_folder(pictures, target, len(film))
    elif ending == "gif":
        with writing(target) as part:
            _write_gif(film, pictures, part, fps)
    else:
        with writing(target) as part:
            _write_mp4(film, pictures, part, ffmpeg, fps, solution.name)
    return film


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a path denotes a folder of frames."""
    text = os.fspath(path)
    return text.endswith(("/", os.sep)) or not Path(text).suffix or Path(text).is_dir()


def _frames(ending: str, fps: float, duration: float) -> int:
    """Return the number of frames. Raises InputError with all invalid values."""
    problems = []
    most = 50.0 if ending == "gif" else 240.0
    if not 0.1 <= fps <= most:
        problems.append(Problem("fps", f"must be between 0.1 and {most:g} frames per second", f"{fps:g}"))
    if not 0.0 < duration < math.inf:
        problems.append(Problem("duration", "must be a time above 0 s", f"{duration:g} s"))
    if not problems:
        limit = MOST_OF_GIF if ending == "gif" else MOST_FRAMES
        if round(fps * duration) > limit:
            advice = "; an .mp4 may have more" if ending == "gif" else ""
            message = f"fps times duration must not exceed {limit} frames{advice}"
            problems.append(Problem("duration", message, f"{fps * duration:.0f}"))
    if problems:
        raise InputError(problems)
    return max(1, round(fps * duration))


def _with_progress(film: Film, progress: Progress | None) -> Iterator[Any]:
    """Yield the frames of a film as PIL images as they are drawn, and report progress."""
    from PIL import Image

    for done, pixels in enumerate(film, 1):
        yield Image.fromarray(pixels)
        if progress is not None:
            progress(done, len(film))


def _write_gif(film: Film, pictures: Iterator[Any], part: Path, fps: float) -> None:
    """Write a GIF that repeats forever.

    All frames share one palette, so that nothing flickers.
    """
    from PIL import Image

    samples = [film.pixels(k) for k in sorted({0, len(film) // 3, 2 * len(film) // 3})]
    width, height = film.size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for row, pixels in enumerate(samples):
        sheet.paste(Image.fromarray(pixels), (0, row * height))
    palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    indexed = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    # hundredths of a second, the unit of GIF; rounded so that the total duration is as requested
    ends = [round(100.0 * (k + 1) / fps) for k in range(len(film))]
    lasting = [10 * (end - begin) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    first = next(indexed)
    first.save(
        part, format="GIF", save_all=True, append_images=indexed, duration=lasting, loop=0, comment=maker().encode()
    )


def find_ffmpeg() -> str:
    """Return the path of the program ffmpeg, either that of the system or that of the library imageio-ffmpeg.

    Raises InputError if there is none.
    """
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        message = (
            "MP4 films need the program ffmpeg: install it, or run pip install chaindrive[export]; GIF needs neither"
        )
        raise InputError(Problem("ffmpeg", message)) from None


def _write_mp4(film: Film, pictures: Iterator[Any], part: Path, ffmpeg: str, fps: float, title: str) -> None:
    width, height = film.size
    command = [
        ffmpeg, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
        "-r", f"{fps:.9g}", "-i", "-", "-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18",
        "-movflags", "+faststart", "-metadata", f"title={title}", "-metadata", f"comment={maker()}", "-f", "mp4",
        os.path.abspath(part),
    ]  # fmt: skip
    with tempfile.TemporaryFile() as log:
        # a separate session, so that Ctrl-C is handled here
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, start_new_session=True)  # noqa: S603
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):
                for picture in pictures:
                    process.stdin.write(picture.tobytes())
                process.stdin.close()
            code = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            with contextlib.suppress(OSError):
                process.stdin.close()
        if code:
            log.seek(0)
            words = log.read().decode(errors="replace").strip().splitlines() or [f"exit code {code}"]
            raise ComputationError(f"ffmpeg could not write the film: {words[-1]}", "a GIF, which needs no ffmpeg.")


def _check_folder(folder: Path, overwrite: bool) -> Path:
    """Return the absolute path of the folder for frames.

    Raises InputError if it is a file, or if it contains other files (unless ``overwrite``).
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(Problem(str(folder), "is a file; the frames need a folder"))
    target = folder.absolute()
    if not target.exists():
        check_export(target)
        return target
    if not os.access(target, os.W_OK | os.X_OK):
        raise InputError(Problem(str(folder), "no permission to write into this folder"))
    other = [path.name for path in sorted(target.iterdir()) if not _is_frame(path)]
    if other and not overwrite:
        message = f"the folder contains other files ({other[0]} ...): choose another, or use --force"
        raise InputError(Problem(str(folder), message))
    return target


def _is_frame(path: Path) -> bool:
    """Return whether this is a frame written by an earlier export."""
    if not _FRAME.fullmatch(path.name) or not path.is_file():
        return False
    with path.open("rb") as file:
        return MARK.encode() in file.read(4096)


def _write_folder(pictures: Iterator[Any], target: Path, frames: int) -> None:
    """Write the frames into a folder, either all of them or none.

    They are first written into a folder beside the target.
    """
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Software", maker())
    digits = max(4, len(str(frames)))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    remove_left(target)
    try:
        part.mkdir()
        for number, picture in enumerate(pictures, 1):
            picture.save(part / f"frame-{number:0{digits}d}.png", pnginfo=info)
        target.mkdir(exist_ok=True)
        for old in [path for path in target.iterdir() if _is_frame(path)]:
            old.unlink()
        for new in sorted(part.iterdir()):
            new.replace(target / new.name)
    except OSError as error:
        raise ComputationError(
            f"{target} could not be written: {error.strerror or error}", "free some space, or write elsewhere."
        ) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
