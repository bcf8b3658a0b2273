#!/usr/bin/env bash
# Removes the referee box; games and settings stay unless --purge is given.
#   sudo ./systemd/uninstall.sh [--purge] [--dry-run]
# --purge        deletes games, settings, backups and the user, too
# --dry-run      says what it would do
# --root FOLDER  (for tests) takes FOLDER for /
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=systemd/common.sh
source "$here/common.sh"

purge=no
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=yes ;;
    --purge) purge=yes ;;
    --root) root=${2:?--root FOLDER}; shift ;;
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) refuse "unknown option $1, see --help" "unbekannte Option $1, siehe --help" ;;
  esac
  shift
done
place_paths

need_root
open_log
trap tell_failure EXIT
step "Stopping the service" "Dienst anhalten"
if [ -f "$unit" ]; then manage disable --now "$PRODUCT.service"; fi
step "Removing the program" "Programm entfernen"
change rm -f "$unit" "$root/etc/udev/rules.d/60-referee.rules" \
  "$root/etc/modules-load.d/$PRODUCT.conf" "$command_link"
change rm -rf "$prefix"
manage daemon-reload
config=$(config_file)
if [ -f "$config" ]; then config_without_block "$config" | write "$config" 755; fi
if [ "$purge" = yes ]; then
  step "Deleting games, settings and the user" "Spiele, Einstellungen und Benutzer löschen"
  change rm -rf "$state_folder" "$settings_folder" "$backups"
  if getent passwd "$PRODUCT" >/dev/null; then change userdel "$PRODUCT"; fi
else
  say "Kept: $state_folder and $settings_folder (delete them with --purge)" \
    "Behalten: $state_folder und $settings_folder (löschen mit --purge)"
fi
say "Removed. Packages of the system stay: others may need them." \
  "Entfernt. Pakete des Systems bleiben: andere könnten sie brauchen."
