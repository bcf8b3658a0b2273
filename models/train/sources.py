"""What the nets learn from and what they are tested on: packages of open art and fonts.

Nothing of it is in this repository. `fetch` installs it with the ordinary clients; the licences
stand in models/README.md.
"""

from __future__ import annotations

CARDS_NPM = "@heruka_urgyen/react-playing-cards"
"""Four drawings of one deck, CC0: two and four colours, small and big index. For training."""

CARDS_HELD_OUT = ("gnome-cards-data", "kdegames-card-data-kf5")
"""Debian packages with whole deck families. For testing only, never for training."""

FONTS_DEBIAN = (
    "fonts-cabin",
    "fonts-cantarell",
    "fonts-dejavu-core",
    "fonts-dejavu-extra",
    "fonts-freefont-ttf",
    "fonts-gfs-didot",
    "fonts-liberation2",
    "fonts-linuxlibertine",
    "fonts-oldstandard",
    "fonts-urw-base35",
)
"""Fonts for training."""

FONTS_NPM = tuple(
    """
    abel abril-fatface alegreya alfa-slab-one antic-slab anton antonio archivo archivo-black
    archivo-narrow arimo arvo asap-condensed barlow-condensed barlow-semi-condensed bebas-neue
    big-shoulders-display bitter bodoni-moda bree-serif cabin caladea cardo carlito carter-one
    cinzel cormorant-garamond courgette cousine crimson-text dm-serif-display domine dosis
    eb-garamond encode-sans-condensed fira-sans fira-sans-condensed fira-sans-extra-condensed
    fjalla-one fredoka gelasio gfs-didot graduate ibm-plex-sans-condensed instrument-serif
    josefin-sans jost kalam khand lato league-gothic league-spartan libre-baskerville
    libre-caslon-text lobster lora marcellus merriweather montserrat noto-serif noto-serif-display
    nunito old-standard-tt open-sans oswald passion-one patua-one playfair-display poppins prata
    pt-sans-narrow pt-serif quicksand raleway righteous roboto roboto-condensed roboto-slab
    rokkitt rubik rufina saira-condensed sanchez signika slabo-27px sorts-mill-goudy source-sans-3
    source-serif-4 special-elite spectral teko tinos titillium-web ubuntu ubuntu-condensed unna
    varela-round work-sans yanone-kaffeesatz yeseva-one zilla-slab
    """.split()  # noqa: SIM905
)
"""Packages @fontsource/NAME (SIL Open Font License or Apache 2.0). For training."""

FONTS_HELD_OUT = (
    "exo-2",
    "ibm-plex-serif",
    "inknut-antiqua",
    "libre-franklin",
    "mukta",
    "overpass",
    "staatliches",
    "volkhov",
    "vollkorn",
    "yrsa",
)
"""Packages @fontsource/NAME for the indices of the held-out French and Dutch decks."""

WRONG_FONTS = [
    "math",
    "symbol",
    "dingbat",
    "d050000",
    "s050000",
    "icon",
    "emoji",
    "italic",
    "oblique",
    "z003",
    "chorus",
    "initials",
    "keyboard",
    "ornament",
    "outline",
    "inline",
    "_k.",
    "_ri.",
    "_rz",
    "_rbi.",
    "bdita",
]
"""Parts of font file names that have no plain letters or would teach slanted ones."""
