# shellcheck shell=bash disable=SC2016,SC2034
# Shared by the clients that are shell scripts. To be sourced; needs bash.

set -uo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# check NAME WANTED GOT
check() {
  if [[ "$3" == "$2" ]]; then
    printf 'ok %s\n' "$1"
  else
    printf 'not ok %s: wanted %q, got %q\n' "$1" "$2" "$3"
  fi
}

# A request message with its prefix: {name: "grpc-client"}, 18 bytes.
printf '\0\0\0\0\x0d\x0a\x0bgrpc-client' >"$work/hello"
# The replies with their prefixes, in hexadecimal.
hello_reply="$(printf '\0\0\0\0\x1a\x0a\x18Hello `grpc-client` 👋' | od -An -tx1 | tr -d ' \n')"
say_hello_reply="$(printf '\0\0\0\0\x14\x0a\x12Hello grpc-client!' | od -An -tx1 | tr -d ' \n')"
# FailRequest {code: 9, text: "100% größer\nline2 🚀"}, and its grpc-message.
printf '\0\0\0\0\x1c\x08\x09\x12\x18100%% größer\nline2 🚀' >"$work/fail"
fail_message='100%25 gr%C3%B6%C3%9Fer%0Aline2 %F0%9F%9A%80'

hex() { od -An -v -tx1 "$1" | tr -d ' \n'; }
