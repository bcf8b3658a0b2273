# For the other scripts: where everything is kept, and how Debian's packages are had by their names.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
cache=${REFEREE_HIL:-${XDG_CACHE_HOME:-$HOME/.cache}/referee-hil}
mkdir -p "$cache"

say() { echo "hil: $*" >&2; }
refuse() { say "$*"; exit 2; }

needs() { # PROGRAM PACKAGE …: all programs, each with the Debian package that brings it
  local missing=()
  while [ $# -gt 1 ]; do
    command -v "$1" >/dev/null || missing+=("$2")
    shift 2
  done
  [ ${#missing[@]} = 0 ] || refuse "missing: sudo apt install ${missing[*]}"
}

mirror() { # the Debian archive that this machine uses itself
  local found
  found=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null ||
    awk '$1 == "deb" {print $2; exit}' /etc/apt/sources.list)
  [ -n "$found" ] || refuse "no Debian archive in /etc/apt"
  echo "$found"
}

apt_of() { # SUITE ARCHITECTURE TOOL WORD …: apt for another suite, without touching this machine's
  local suite=$1 arch=$2 tool=$3 state=$cache/apt-$1-$2
  shift 3
  if [ ! -e "$state/sources.list" ]; then
    mkdir -p "$state"/lists/partial "$state"/archives/partial
    : > "$state/status"
    echo "deb [arch=$arch signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main" \
      > "$state/sources.list"
    apt_of "$suite" "$arch" apt-get update
  fi
  "$tool" -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root \
    -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$state/lists" -o Dir::State::status="$state/status" \
    -o Dir::Cache="$state" -o Debug::NoLocking=1 "$@"
}

unpack() { # FOLDER PACKAGE_FILE …
  local into=$1 file
  shift
  mkdir -p "$into"
  for file in "$@"; do dpkg-deb -x "$file" "$into"; done
}
