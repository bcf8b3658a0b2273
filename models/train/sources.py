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
    abel abhaya-libre abril-fatface actor adamina advent-pro alata alegreya aleo alfa-slab-one
    alice amaranth amiri andada-pro antic antic-didone antic-slab anton antonio arbutus-slab
    archivo archivo-black archivo-narrow arimo arsenal arvo arya asap-condensed asul average
    balthazar barlow-condensed barlow-semi-condensed basic be-vietnam-pro bebas-neue belgrano
    belleza bentham bevan big-shoulders-display bitter bodoni-moda bodoni-moda-sc boogaloo
    bowlby-one brawler bree-serif buenard cabin cairo caladea cambay cambo cantata-one capriola
    cardo carlito carter-one castoro catamaran caudex changa changa-one chango
    chau-philomene-one chelsea-market chivo chonburi cinzel coda comfortaa copse corben
    cormorant cormorant-garamond courgette courier-prime cousine coustard crete-round
    crimson-text cuprum cutive cutive-mono della-respira dm-sans dm-serif-display dm-serif-text
    domine dosis eb-garamond eczar el-messiri electrolize elsie elsie-swash-caps
    encode-sans-condensed enriqueta esteban fanwood-text faustina federo fenix figtree fira-sans
    fira-sans-condensed fira-sans-extra-condensed fjalla-one forum francois-one frank-ruhl-libre
    fraunces fredoka gabriela galindo gelasio gfs-didot gilda-display glegoo gothic-a1
    goudy-bookletter-1911 graduate gravitas-one grenze gudea habibi halant hammersmith-one
    headland-one heebo hind holtwood-one-sc homenaje ibarra-real-nova ibm-plex-mono
    ibm-plex-sans-condensed im-fell-dw-pica im-fell-english im-fell-great-primer imprima
    inconsolata inder inika instrument-serif inter istok-web italiana jacques-francois
    josefin-sans josefin-slab jost judson junge kalam kameron kanit karla karma khand kotta-one
    kreon krona-one kurale laila lato league-gothic league-spartan ledger lekton lemon lexend
    libre-baskerville libre-bodoni libre-caslon-display libre-caslon-text lilita-one limelight
    literata lobster lora luckiest-guy lusitana lustria magra maitree mako manrope marcellus
    marcellus-sc marmelad martel mate maven-pro merriweather merriweather-sans metamorphous
    michroma monda montaga montserrat mulish neuton news-cycle newsreader nobile noticia-text
    noto-serif noto-serif-display nunito old-standard-tt open-sans oranienbaum oswald outfit ovo
    oxygen palanquin passion-one pathway-gothic-one patua-one paytone-one petrona philosopher
    piazzolla play playfair playfair-display playfair-display-sc podkova poiret-one poly
    pontano-sans poppins port-lligat-slab pragati-narrow prata prociono prompt proza-libre
    pt-sans-narrow pt-serif puritan quando quantico quattrocento quattrocento-sans questrial
    quicksand radley raleway rammetto-one ranchers red-hat-display righteous roboto
    roboto-condensed roboto-flex roboto-mono roboto-slab rokkitt rosario rosarivo rozha-one
    rubik ruda rufina ruluko russo-one sahitya saira-condensed sanchez sansita sarala sarpanch
    scope-one secular-one share-tech sigmar-one signika sintony six-caps slabo-27px smooch-sans
    sofia-sans-condensed sofia-sans-extra-condensed sora sorts-mill-goudy source-sans-3
    source-serif-4 space-grotesk special-elite spectral squada-one stint-ultra-condensed
    stint-ultra-expanded stoke strait suez-one sumana tauri teko tenor-sans tienne tinos
    titan-one titillium-web trirong trocchi ubuntu ubuntu-condensed ultra unica-one unna
    urbanist varela-round vesper-libre vidaloka viga voltaire wellfleet work-sans xanh-mono
    yanone-kaffeesatz yantramanav yeseva-one young-serif zilla-slab
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
