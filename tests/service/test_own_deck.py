"""A deck that was taught: in the settings, and before the camera."""

from pathlib import Path

import pytest

from models.enrol.profile import BadProfile
from referee.service.config import parse_settings, with_camera
from referee.service.settings.fields import Settings


def test_letters_and_own_deck_take_each_other_s_place(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.service import config

    monkeypatch.setattr(config, "deck_language", lambda deck: "de" if deck == "oma" else deck)
    taught = with_camera(Settings(), deck="oma").camera
    assert (taught.deck, taught.own_deck) == ("de", "oma")
    again = with_camera(with_camera(Settings(), deck="oma"), deck="fr").camera
    assert (again.deck, again.own_deck) == ("fr", None)
    assert with_camera(Settings(), deck=None) == Settings()


def test_deck_that_was_never_taught_is_refused() -> None:
    with pytest.raises(BadProfile, match="oma"):
        with_camera(Settings(), deck="oma")


def test_settings_name_an_own_deck(tmp_path: Path) -> None:
    assert parse_settings('[camera]\nown_deck = "oma"\n').camera.own_deck == "oma"
    with pytest.raises(ValueError, match="own_deck"):
        parse_settings('[camera]\nown_deck = "../../etc/passwd"\n')
