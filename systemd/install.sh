#!/usr/bin/env bash
# Installs the referee box on Raspberry Pi OS 64 bit: Trixie, or Bookworm. Run it again at any time.
#   sudo ./systemd/install.sh [--dry-run] [--no-hardware]
# --dry-run      says what it would do, changes nothing, needs no root
# --no-hardware  for any Debian 12 or 13 computer: demo, webcam and keys, no pins and no LED
# --root FOLDER  (for tests) takes FOLDER for /
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=systemd/common.sh
source "$here/common.sh"

hardware=yes
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=yes ;;
    --no-hardware) hardware=no ;;
    --root) root=${2:?--root FOLDER}; shift ;;
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) refuse "unknown option $1, see --help" "unbekannte Option $1, siehe --help" ;;
  esac
  shift
done
place_paths

check_system() {
  local codename
  codename=$(release_field VERSION_CODENAME)
  case "$(release_field ID):$codename" in
    debian:trixie | debian:bookworm) ;;
    raspbian:*) refuse_32_bit ;;
    *) refuse "this is '$(release_field PRETTY_NAME)', expected Raspberry Pi OS 64 bit (Trixie)" \
      "das ist '$(release_field PRETTY_NAME)', erwartet wird Raspberry Pi OS 64 Bit (Trixie)" ;;
  esac
  [ "$hardware" = yes ] || return 0
  [ -f "$root/proc/device-tree/model" ] ||
    refuse "this is no Raspberry Pi. For demo and webcam: add --no-hardware" \
      "das ist kein Raspberry Pi. Für Demo und Webcam: mit --no-hardware"
  [ "$(architecture)" = arm64 ] || refuse_32_bit
}

architecture() { dpkg --print-architecture; }

refuse_32_bit() {
  refuse "this system is 32 bit, the card reader needs 64. Write the 64-bit image to a card" \
    "dieses System hat 32 Bit, der Kartenleser braucht 64. Bitte das 64-Bit-Abbild aufspielen"
}

check_network() {
  [ "$dry_run" = no ] || return 0
  change apt-get -qq -o APT::Update::Error-Mode=any update ||
    refuse "no package server can be reached. Is the network up? (log: $log)" \
      "kein Paketserver ist erreichbar. Steht die Netzverbindung? (Protokoll: $log)"
}

install_packages() {
  local packages=(python3-venv avahi-daemon espeak-ng alsa-utils)
  [ "$hardware" = no ] || packages+=(python3-picamera2 python3-lgpio python3-spidev)
  change env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
    "${packages[@]}"
}

make_user() {
  local group
  for group in gpio spi i2c video audio; do
    getent group "$group" >/dev/null || change groupadd --system "$group"
  done
  getent passwd "$PRODUCT" >/dev/null || change useradd --system --user-group \
    --home-dir "/var/lib/$PRODUCT" --no-create-home --shell /usr/sbin/nologin "$PRODUCT"
  for group in gpio spi i2c video audio; do
    change usermod --append --groups "$group" "$PRODUCT"
  done
}

install_files() {
  write "$unit" 644 <"$here/referee.service"
  write "$root/etc/udev/rules.d/60-referee.rules" 644 <"$here/60-referee.rules"
  [ -f "$settings_folder/referee.toml" ] ||
    write "$settings_folder/referee.toml" 644 <"$here/referee.toml"
  change mkdir -p "$(dirname "$command_link")"
  change ln -sfn "/opt/$PRODUCT/current/venv/bin/$PRODUCT" "$command_link"
}

# SPI for the LED matrix (one chip select: GPIO 7 stays free), I2C for touch chips, the off button.
# The multiplexer of more than four touch chips may be named where none is: the kernel lets it go.
hardware_settings() {
  local button hold
  button=$(pin_of off)
  hold=$(number_of off hold_s 2)
  printf '%s\n[all]\ndtparam=spi=on\ndtoverlay=spi0-1cs\n' "$CONFIG_BEGIN"
  printf 'dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n'
  printf 'dtoverlay=i2c-mux,pca9548,addr=0x70\n'
  [ -z "$button" ] ||
    printf 'dtoverlay=gpio-shutdown,gpio_pin=%s,active_low=1,gpio_pull=up,debounce=%s\n' \
      "$button" "$((hold * 1000))"
  printf '%s\n' "$CONFIG_END"
}

enable_hardware() {
  local config
  config=$(config_file)
  [ -f "$config" ] || {
    say "no $config: SPI, I2C and the off button stay as they are" \
      "kein $config: SPI, I2C und Ausschalter bleiben, wie sie sind"
    return 0
  }
  { config_without_block "$config"; hardware_settings; } | write "$config" 755 # FAT knows no other mode
  printf 'i2c-dev\n' | write "$root/etc/modules-load.d/$PRODUCT.conf" 644
  change udevadm control --reload
  change udevadm trigger
}

needs_restart() {
  [ "$hardware" = yes ] && [ ! -e "$root/dev/spidev0.0" ]
}

start_service() {
  manage daemon-reload
  if [ "$hardware" = no ]; then
    say "    the service is not started: start a demo with: $PRODUCT demo" \
      "    der Dienst wird nicht gestartet: Demo mit: $PRODUCT demo"
    return
  fi
  manage enable "$PRODUCT.service"
  needs_restart || manage restart "$PRODUCT.service"
}

# The doctor speaks as the service's user, because permissions are half of what it looks at.
ask_the_doctor() {
  if [ "$dry_run" = yes ]; then
    change runuser -u "$PRODUCT" -- "$command_link" doctor
    return
  fi
  (cd "$root/tmp" && runuser -u "$PRODUCT" -- "$current/venv/bin/$PRODUCT" --language "$language" doctor) || true
}

tell_address() {
  local name address port
  name=$(hostname)
  address=$(hostname -I 2>/dev/null | awk '{print $1}')
  port=$(number_of page port "$PAGE_PORT")
  if [ "$(entry_of "$settings_folder/referee.toml" page on)" = false ]; then
    say "The page is switched off in the settings ([page] on)." \
      "Die Seite ist in den Einstellungen ausgeschaltet ([page] on)."
  else
    say "The box's page: http://$name.local:$port/ or http://${address:-?}:$port/" \
      "Die Seite der Box: http://$name.local:$port/ oder http://${address:-?}:$port/"
    if command -v qrencode >/dev/null; then
      qrencode -t ANSIUTF8 "http://$name.local:$port/"
    fi
  fi
  if needs_restart; then
    say "Now restart the Raspberry Pi, so that SPI and I2C are there: sudo reboot" \
      "Jetzt den Raspberry Pi neu starten, damit SPI und I2C da sind: sudo reboot"
  fi
}

need_root
need_checkout
check_system
need_space
open_log
trap tell_failure EXIT
step "Looking for the package servers" "Paketserver suchen"
check_network
step "Packages of the system" "Pakete des Systems"
install_packages
step "A user of its own" "Ein eigener Benutzer"
make_user
step "The program (a few minutes)" "Das Programm (einige Minuten)"
release=$(date -u +%Y%m%d-%H%M%S)
build_release "$release"
switch_to "$releases/$release"
forget_old_releases
step "Service, rules and settings" "Dienst, Regeln und Einstellungen"
install_files
if [ "$hardware" = yes ]; then
  step "SPI, I2C and the off button" "SPI, I2C und Ausschalter"
  enable_hardware
fi
step "Start" "Start"
start_service
step "What the doctor says" "Was der Doktor sagt"
ask_the_doctor
tell_address
