"""The arrows between the packages: who may import whom, and where each library is met."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

MAY_IMPORT = {
    "referee.rules": {"referee.rules"},
    "referee.locale": {"referee.locale"},
    "models": {"models", "referee.rules", "referee.locale"},
    "hardware": {"hardware", "referee.rules", "referee.locale"},
    "models.train": {"models", "referee.rules", "referee.locale", "hardware.simulated"},
    "referee.service": {"referee", "models", "hardware"},
    "referee.commands": {"referee", "models", "hardware"},
}
"""Package -> what of our own it may import. A longer name wins over a shorter one."""

ONE_FILE_ONLY = {"gpiozero", "picamera2", "msgspec", "lgpio", "onnxruntime"}
"""Libraries that one file of the product meets, so that they can be exchanged."""


def _sources() -> list[Path]:
    return sorted(
        path for top in ("referee", "hardware", "models") for path in ROOT.glob(f"{top}/**/*.py")
    )


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def _rule_for(module: str) -> set[str] | None:
    packages = [package for package in MAY_IMPORT if _within(module, package)]
    return MAY_IMPORT[max(packages, key=len)] if packages else None


@pytest.mark.parametrize("path", _sources(), ids=_module)
def test_module_imports_only_along_the_arrows(path: Path) -> None:
    allowed = _rule_for(_module(path))
    if allowed is None:
        return  # referee/cli.py and __main__.py tie everything together
    ours = {
        name for name in _imports(path) if name.split(".")[0] in ("referee", "hardware", "models")
    }
    wrong = {
        name for name in ours if name != "referee" and not any(_within(name, ok) for ok in allowed)
    }
    assert not wrong, f"{_module(path)} must not import {sorted(wrong)}"


@pytest.mark.parametrize("path", sorted((ROOT / "referee/rules").glob("**/*.py")), ids=_module)
def test_rules_need_only_the_standard_library(path: Path) -> None:
    import sys

    foreign = {
        name
        for name in _imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith("referee.rules")
    }
    clocks = _imports(path) & {"time", "datetime", "threading"}
    dice = _imports(path) & {"random"} if path.stem != "measure" else set()
    assert not foreign
    assert not clocks | dice, "rules never ask the clock, never roll dice"


@pytest.mark.parametrize("library", sorted(ONE_FILE_ONLY))
def test_library_is_met_in_one_file(library: str) -> None:
    users = [
        _module(path)
        for path in _sources()
        if any(_within(name, library) for name in _imports(path))
    ]
    assert len(users) <= 1, users
