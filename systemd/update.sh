#!/usr/bin/env bash
# Brings the box to the version of this checkout, and back by itself if that one does not start.
#   git pull && sudo ./systemd/update.sh        sudo ./systemd/update.sh --back
# --back         goes back to the release before
# --dry-run      says what it would do
# --root FOLDER  (for tests) takes FOLDER for /
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=systemd/common.sh
source "$here/common.sh"

back=no
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=yes ;;
    --back) back=yes ;;
    --root) root=${2:?--root FOLDER}; shift ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) refuse "unknown option $1, see --help" "unbekannte Option $1, siehe --help" ;;
  esac
  shift
done
place_paths

# Games and settings as they were: a newer program may change the journal's format.
back_up() {
  change mkdir -p "$backups"
  change tar -C "$root/" -czf "$backups/$1.tar.gz" "etc/$PRODUCT" "var/lib/$PRODUCT"
}

# `systemctl restart` of a Type=notify unit returns when the box said it is ready, or failed.
starts() {
  manage daemon-reload
  manage restart "$PRODUCT.service"
}

# release_before: the newest one that is older than the one in use.
release_before() {
  all_releases | awk -v used="$1" '$0 == used {exit} {found = $0} END {print found}'
}

go_back() {
  local to=$1 saved=$2
  switch_to "$to"
  change cp "$to/systemd/referee.service" "$unit"
  if [ -n "$saved" ]; then
    manage stop "$PRODUCT.service"
    change rm -rf "$state_folder"
    change tar -C "$root/" -xzf "$saved"
  fi
  starts
}

update() {
  local before release
  need_checkout
  need_space
  before=$(release_in_use)
  [ -n "$before" ] || refuse "nothing is installed yet: run install.sh first" \
    "noch ist nichts installiert: zuerst install.sh starten"
  release=$(date -u +%Y%m%d-%H%M%S)
  step "The new program (a few minutes)" "Das neue Programm (einige Minuten)"
  build_release "$release"
  step "Saving games and settings" "Spiele und Einstellungen sichern"
  manage stop "$PRODUCT.service"
  back_up "$release"
  step "Switching over" "Umschalten"
  write "$unit" 644 <"$here/referee.service"
  switch_to "$releases/$release"
  if ! starts; then
    step "The new version does not start: going back" "Die neue Version startet nicht: zurück"
    go_back "$before" "$backups/$release.tar.gz"
    change rm -rf "$releases/${release:?}"
    return 1
  fi
  forget_old_releases
  say "Updated. Back again: sudo $here/update.sh --back" \
    "Aktualisiert. Wieder zurück: sudo $here/update.sh --back"
}

need_root
open_log
trap tell_failure EXIT
if [ "$back" = yes ]; then
  before=$(release_before "$(release_in_use)")
  [ -n "$before" ] || refuse "there is no release before this one" "es gibt keine Version davor"
  step "Back to $(basename "$before")" "Zurück zu $(basename "$before")"
  saved="$backups/$(basename "$(release_in_use)").tar.gz"
  go_back "$before" ""
  say "Games and settings stay. As they were before that update: $saved" \
    "Spiele und Einstellungen bleiben. Ihr Stand vor jener Aktualisierung: $saved"
else
  update
fi
