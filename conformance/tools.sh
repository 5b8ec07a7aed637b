# shellcheck shell=bash disable=SC2034
# Shared by the scripts in this folder: finding tools, starting the server,
# counting checks. To be sourced; needs bash.

set -uo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
tools="$root/conformance/.tools"
proto_dirs=("$root/conformance/server/src/main/proto" "$root/examples/src/main/proto")
protos="${proto_dirs[0]},${proto_dirs[1]}"
mkdir -p "$tools/bin" "$tools/log"

passed=0
failed=0
skipped=0
server_pids=()

say() { printf '%s\n' "$*"; }
fail() {
  failed=$((failed + 1))
  say "not ok $*"
}
pass() {
  passed=$((passed + 1))
  say "ok $*"
}

# A check that cannot run here: in CI that is a failure, since CI must run all.
skip() {
  if [[ "${CI:-}" == true ]]; then
    fail "$* (CI runs everything)"
  else
    skipped=$((skipped + 1))
    say "skipped $*"
  fi
}

# The closing line, and the exit code.
finish() {
  local line="$passed passed, $failed failed"
  ((skipped == 0)) || line="$line, $skipped skipped"
  say "$line"
  ((failed == 0 && passed > 0))
}

have() { command -v "$1" >/dev/null 2>&1; }

# need COMMAND PACKAGE: installs a Debian package for a missing command when
# that is possible.
need() {
  have "$1" && return
  if ((EUID == 0)) && have apt-get; then
    say "installing $2 for $1"
    (apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$2") \
      >"$tools/log/apt-$2" 2>&1
  fi
  have "$1" || {
    say "$1 is missing: apt-get install $2"
    return 1
  }
}

# go_tool NAME MODULE@VERSION: builds a Go program once.
go_tool() {
  [[ -x "$tools/bin/$1" ]] || GOBIN="$tools/bin" go install "$2" || return
}

# Where the built conformance server is.
server_home="$root/conformance/server/target"

# Builds the conformance server if a source file is newer than the last build.
build_server() {
  local newer
  if [[ -f "$server_home/built" ]]; then
    newer="$(find "$root"/{pom.xml,wire,rpc,json,server,protoc,services,explorer,micrometer,examples,conformance/server} \
      \( -name '*.java' -o -name '*.proto' -o -name pom.xml -o -path '*/src/main/resources/*' \) -type f ! -path '*/target/*' \
      -newer "$server_home/built" -print -quit)"
    [[ -n "$newer" ]] || return 0
  fi
  say "building the server"
  (cd "$root" && mvn -B -ntp -q package -DskipTests -pl conformance/server -am) \
    >"$tools/log/build" 2>&1 || {
    say "the build failed:"
    tail -30 "$tools/log/build"
    return 1
  }
  touch "$server_home/built"
}

# make_certificate NAME: a new key and a certificate for localhost that signs
# itself. Sets $certificate and $key to the PEM files.
make_certificate() {
  certificate="$tools/$1.crt"
  key="$tools/$1.key"
  need openssl openssl || return
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$key" -out "$certificate" 2>"$tools/log/openssl"
}

# start_server NAME [JVM flags --] flags…: starts the conformance server and
# waits until it listens. Sets $server_pid, $server_port and, with flags for TLS,
# $server_tls_port.
start_server() {
  local name="$1" jvm=() log
  shift
  if [[ " $* " == *" -- "* ]]; then
    while [[ "$1" != -- ]]; do
      jvm+=("$1")
      shift
    done
    shift
  fi
  build_server || return
  log="$tools/log/server-$name"
  : >"$log"
  java "${jvm[@]}" -cp "$server_home/classes:$server_home/lib/*" \
    dev.peregrine.conformance.ConformanceServer "$@" >"$log" 2>&1 &
  server_pid=$!
  server_pids+=("$server_pid")
  for _ in {1..200}; do
    server_port="$(sed -n 's/^listening on port \([0-9]*\)$/\1/p' "$log")"
    [[ -z "$server_port" ]] || {
      server_tls_port="$(sed -n 's/^listening with TLS on port \([0-9]*\)$/\1/p' "$log")"
      return 0
    }
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  say "the server did not start:"
  cat "$log"
  return 1
}

# Waits at most $2 milliseconds for process $1 to end, and prints how many it took.
await_exit() {
  local begin now
  begin="$(date +%s%3N)"
  while kill -0 "$1" 2>/dev/null; do
    now="$(date +%s%3N)"
    ((now - begin < $2)) || return 1
    sleep 0.02
  done
  say "$(($(date +%s%3N) - begin))"
}

stop_servers() {
  local pid
  for pid in "${server_pids[@]}"; do
    kill -KILL "$pid" 2>/dev/null
  done
  wait 2>/dev/null
}
trap stop_servers EXIT
