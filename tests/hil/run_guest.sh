#!/bin/bash
# Starts the guest, runs one command in it as root, prints what it printed, ends as it ended.
#   run_guest.sh SECONDS COMMAND [WORD …]
source "$(dirname "$0")/common.sh"
limit=$1
shift
guest=$cache/guest
[ -s "$guest/version" ] || refuse "no guest: run tests/hil/setup.sh guest"
answer=$(mktemp -d)
trap 'rm -rf "$answer"' EXIT
{
  echo '#!/bin/bash'
  echo 'mkdir -p /dev/shm /dev/pts; mount -t tmpfs shm /dev/shm; mount -t devpts devpts /dev/pts'
  echo 'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8'
  echo 'modprobe -a gpio-sim i2c-dev; mount -t configfs none /sys/kernel/config'
  printf 'export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%q\n' "$repository:$cache/site:$here/guest"
  printf 'cd /run\n%q ' "$1"
  shift
  printf '%q ' "$@"
  printf '</dev/null >/hil/printed 2>&1\necho $? >/hil/ended; sync; echo o >/proc/sysrq-trigger; sleep 60\n'
} > "$answer/job"
chmod +x "$answer/job"
# A starved guest would fail the check of its timer and hang in its start: no_timer_check.
# /dev/kvm alone is no proof: some hosts offer one in which a stock kernel does not run.
fast=tcg
for module in kvm_intel kvm_amd; do
  [ -w /dev/kvm ] && [ -d "/sys/module/$module" ] && fast=kvm
done
share() { echo "local,path=$1,mount_tag=$2,security_model=none$3"; }
boot() {
  rm -f "$answer/console"
  nice -n "${REFEREE_HIL_NICE:-10}" timeout -k 5 "$limit" qemu-system-x86_64 -M q35 -accel "$fast" -cpu max -smp 2 \
    -m 2048 -nodefaults -no-user-config -no-reboot -display none -serial "file:$answer/console" \
    -kernel "$guest/vmlinuz" -initrd "$guest/initrd" -append "console=ttyS0 quiet panic=-1 no_timer_check" \
    -virtfs "$(share / files ,readonly=on,multidevs=remap)" \
    -virtfs "$(share "$guest/lib/modules/$(cat "$guest/version")" modules ,readonly=on)" \
    -virtfs "$(share "$answer" answer '')" -device virtio-rng-pci </dev/null >&2 ||
    say "the guest was stopped (limit $limit s)"
}
# An emulator may execute an instruction that its other processor is just patching, and the kernel
# gives up, mostly in its start. That is no answer of ours: once more, then.
for _ in 1 2 3; do
  boot
  if [ -e "$answer/ended" ] || ! grep -q "Kernel panic" "$answer/console"; then break; fi
  say "the guest's kernel gave up: once more"
  rm -f "$answer/printed"
done
cat "$answer/printed" 2>/dev/null || true
[ -s "$answer/ended" ] || { say "the guest did not finish:"; tail -20 "$answer/console" >&2; exit 125; }
exit "$(cat "$answer/ended")"
