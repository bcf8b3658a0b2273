# shellcheck shell=bash disable=SC2034  # half of these names are read by the scripts that source it
# What install.sh, update.sh and uninstall.sh share. Sourced, never run.
#
# Every path starts with $root (empty on a real box), so that a test can give a folder of its own.
# Nothing is changed but through `change` and `write`, which --dry-run turns into words.

PRODUCT=referee
PAGE_PORT=8080
KEEP_RELEASES=3
NEEDED_MB=1500
CONFIG_BEGIN="# --- referee box: begin written by install.sh"
CONFIG_END="# --- referee box: end"

checkout=$(dirname "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)")
root=""
dry_run=no
language=en
step_name="start"

case "${LC_ALL:-${LC_MESSAGES:-${LANG:-en}}}" in de*) language=de ;; esac

place_paths() {
  prefix="$root/opt/$PRODUCT"
  releases="$prefix/releases"
  current="$prefix/current"
  settings_folder="$root/etc/$PRODUCT"
  state_folder="$root/var/lib/$PRODUCT"
  backups="$root/var/backups/$PRODUCT"
  unit="$root/etc/systemd/system/$PRODUCT.service"
  log="$root/var/log/$PRODUCT-install.log"
  command_link="$root/usr/local/bin/$PRODUCT"
}

# say ENGLISH GERMAN: one line in the language of the system.
say() {
  if [ "$language" = de ]; then printf '%s\n' "$2"; else printf '%s\n' "$1"; fi
}

# step ENGLISH GERMAN: what is being done now; named again if it fails.
step() {
  step_name=$(say "$1" "$2")
  printf '==> %s\n' "$step_name"
}

# refuse ENGLISH GERMAN: stop before anything was changed.
refuse() {
  say "Nothing was done: $1" "Nichts wurde getan: $2" >&2
  trap - EXIT
  exit 2
}

# change COMMAND...: run it with its output in the log; only name it when --dry-run is given.
change() {
  if [ "$dry_run" = yes ]; then
    printf '    would run: %s\n' "$*"
  else
    printf '+ %s\n' "$*" >>"$log"
    "$@" >>"$log" 2>&1
  fi
}

# manage WORDS...: systemctl, where systemd runs (not in a container or while an image is built).
manage() {
  if [ -d "$root/run/systemd/system" ]; then
    change systemctl "$@"
  else
    say "    systemd is not running here: left out: systemctl $*" \
      "    systemd läuft hier nicht: ausgelassen: systemctl $*"
  fi
}

# write PATH MODE: standard input becomes that file; nothing happens if it is the same already.
write() {
  local content
  content=$(cat; printf x) # the x keeps line ends that the shell would strip
  if [ "$dry_run" = yes ]; then
    printf '    would write: %s\n' "$1"
    return
  fi
  if [ -f "$1" ] && [ "$content" = "$(cat "$1"; printf x)" ]; then return; fi
  mkdir -p "$(dirname "$1")"
  printf '%s' "${content%x}" >"$1.new"
  chmod "$2" "$1.new"
  mv -f "$1.new" "$1"
}

open_log() {
  [ "$dry_run" = yes ] && return
  mkdir -p "$(dirname "$log")"
  printf '\n===== %s %s\n' "$(date -u '+%F %T')" "$0" >>"$log"
}

# The last thing on the screen is the error, not the 200 lines before it.
tell_failure() {
  local code=$?
  [ "$code" -eq 0 ] && return
  {
    echo
    say "FAILED at: $step_name" "FEHLGESCHLAGEN bei: $step_name"
    if [ -f "$log" ]; then
      say "The last lines of $log:" "Die letzten Zeilen von $log:"
      tail -n 12 "$log" | sed 's/^/    /'
    fi
    say "Mend it and run this again: what is done already is not done twice." \
      "Beheben und noch einmal starten: Erledigtes wird nicht wiederholt."
  } >&2
}

need_root() {
  [ "$dry_run" = yes ] || [ -n "$root" ] || [ "$(id -u)" -eq 0 ] ||
    refuse "this needs root. Start it with: sudo $0" "das braucht root. Starten mit: sudo $0"
}

# release_field NAME: a field of /etc/os-release, without quotes.
release_field() {
  sed -n "s/^$1=//p" "$root/etc/os-release" 2>/dev/null | tr -d '"'"'"
}

# entry_of FILE SECTION KEY: a plain value of a TOML file, without quotes; empty if it is not there.
entry_of() {
  awk -F '[=#]' -v section="[$2]" -v key="$3" '
    /^[ \t]*\[/ { inside = index($0, section) > 0 }
    inside && $1 ~ "^[ \t]*" key "[ \t]*$" { gsub(/[ \t"\047]/, "", $2); print $2; exit }
  ' "$1" 2>/dev/null || true
}

# pin_of SECTION: its `pin` in wiring/pins.toml, the only place of a pin number; empty if none.
pin_of() { entry_of "$checkout/wiring/pins.toml" "$1" pin; }

# number_of SECTION KEY DEFAULT: a number of the family's settings.
number_of() {
  local found
  found=$(entry_of "$settings_folder/referee.toml" "$1" "$2")
  case $found in '' | *[!0-9]*) printf '%s' "$3" ;; *) printf '%s' "$found" ;; esac
}

need_checkout() {
  [ -f "$checkout/pyproject.toml" ] || refuse "$checkout is no checkout of the program" \
    "$checkout ist kein Arbeitsverzeichnis des Programms"
}

# The release in use, the new one and the download at the same time.
need_space() {
  local free
  free=$(df -Pm "${root:-/}" | awk 'NR == 2 {print $4}')
  [ "$free" -ge "$NEEDED_MB" ] || refuse "only $free MB are free, $NEEDED_MB are needed" \
    "nur $free MB sind frei, $NEEDED_MB werden gebraucht"
}

# build_release NAME: a release of its own, complete before anything points at it.
build_release() {
  local release="$releases/$1"
  local python="${PYTHON:-/usr/bin/python3}"
  change mkdir -p "$release"
  # The system's own Python with the system's packages: picamera2, lgpio and spidev come from apt.
  change "$python" -m venv --system-site-packages "$release/venv"
  change "$release/venv/bin/pip" install --no-input --disable-pip-version-check \
    --root-user-action=ignore \
    --constraint "$checkout/systemd/constraints-$(release_field VERSION_CODENAME).txt" "$checkout"
  change cp -R "$checkout/systemd" "$checkout/wiring" "$release/"
  change "$release/venv/bin/$PRODUCT" --help
}

# switch_to RELEASE_FOLDER: in one instant; a power cut leaves the old or the new one.
switch_to() {
  change ln -sfn "${1#"$root"}" "$current.new"
  change mv -fT "$current.new" "$current"
}

# release_in_use: the folder that `current` points at, empty if none.
release_in_use() {
  local target
  target=$(readlink "$current" 2>/dev/null) || return 0
  printf '%s' "$root$target"
}

all_releases() {
  [ ! -d "$releases" ] || find "$releases" -mindepth 1 -maxdepth 1 -type d | sort
}

forget_old_releases() {
  local in_use folder
  in_use=$(release_in_use)
  all_releases | sort -r | tail -n "+$((KEEP_RELEASES + 1))" | while read -r folder; do
    [ "$folder" = "$in_use" ] || change rm -rf "$folder"
  done
}

# config_file: where the firmware reads its settings, by release.
config_file() {
  if [ -f "$root/boot/firmware/config.txt" ]; then
    printf '%s' "$root/boot/firmware/config.txt"
  else
    printf '%s' "$root/boot/config.txt"
  fi
}

# config_without_block FILE: the file as it was before install.sh.
config_without_block() {
  sed "/^$CONFIG_BEGIN\$/,/^$CONFIG_END\$/d" "$1"
}
