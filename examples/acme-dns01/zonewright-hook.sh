#!/bin/sh
# Proves by DNS (dns-01, RFC 8555 §8.4) that a name is ours, with curl only. It puts a TXT record at _acme-challenge below
# the name, waits until the name servers have it, and takes it away afterwards.
#
#   certbot   zonewright-hook.sh auth | cleanup              with CERTBOT_DOMAIN and CERTBOT_VALIDATION
#   lego      zonewright-hook.sh present | cleanup NAME VALUE   as its provider "exec" calls it
#
#   ZONEWRIGHT_URL          where the service listens (default http://127.0.0.1:9001)
#   ZONEWRIGHT_TOKEN_FILE   a file with a token: zonewright token create --tenant ID --acme NAME
#   ZONEWRIGHT_TOKEN        the token itself, instead of a file
#   ZONEWRIGHT_WAIT         seconds to wait for the name servers, 0 to 60 (default 60)
set -eu

url=${ZONEWRIGHT_URL:-http://127.0.0.1:9001}
token=${ZONEWRIGHT_TOKEN:-$(cat "${ZONEWRIGHT_TOKEN_FILE:?names the file with the token}")}
action=${1:-}
name=${2:-_acme-challenge.${CERTBOT_DOMAIN:-}}
name=${name%.}.
value=${3:-${CERTBOT_VALIDATION:-}}

fail() {
  echo "zonewright-hook: $*" >&2
  exit 1
}

# Names and challenges have only these characters, which are safe in URLs and JSON.
case $name in
  _acme-challenge.[A-Za-z0-9]*) ;;
  *) fail "no name to prove: $name" ;;
esac
case $name in *[!A-Za-z0-9._-]*) fail "no name to prove: $name" ;; esac
case $value in '' | *[!A-Za-z0-9_-]*) fail "no value of a challenge: $value" ;; esac

# call METHOD PATH [BODY]: keeps the body of the answer in $answer and its status in $status. The token is read from standard
# input, so that it is not in the list of processes.
call() {
  answer=$(
    printf 'X-Auth-Token: %s\n' "$token" |
      curl --silent --show-error --max-time 90 --request "$1" --header @- --header 'Content-Type: application/json' \
        ${3:+--data "$3"} --write-out '\n%{http_code}' "$url$2"
  ) || fail "$url does not answer"
  status=$(printf '%s\n' "$answer" | tail -n 1)
  answer=$(printf '%s\n' "$answer" | sed '$d')
}

# Prints the ids of the response, one on each line; $1 is the value required next to them.
ids() {
  printf '%s\n' "$answer" | tr '{' '\n' | grep -i -F "${1:-}" | sed -n 's/.*"id":"\([0-9a-f-]*\)".*/\1/p'
}

# Prints the nearest domain above the name, among the domains of the token.
find_domain() {
  call GET /v1/domains
  [ "$status" = 200 ] || fail "the domains cannot be listed: $answer"
  zone=$name
  while [ -n "$zone" ]; do
    domain=$(ids "\"name\":\"$zone\"" | head -n 1)
    [ -z "$domain" ] || return 0
    zone=${zone#*.}
  done
  fail "the token is for no domain that has $name"
}

present() {
  call POST "/v1/domains/$domain/records" "{\"name\":\"$name\",\"type\":\"TXT\",\"data\":\"$value\",\"ttl\":60}"
  case $status in
    200) ;;
    # It is there already: an earlier run did not take it away.
    409) ;;
    *) fail "$name TXT is refused: $answer" ;;
  esac
  call GET "/v1/domains/$domain/publication?wait=${ZONEWRIGHT_WAIT:-60}"
}

cleanup() {
  call GET "/v1/domains/$domain/records?name=$name&type=TXT&data=$value"
  [ "$status" = 200 ] || fail "the records cannot be listed: $answer"
  for id in $(ids); do
    call DELETE "/v1/domains/$domain/records/$id"
    case $status in 200 | 404) ;; *) fail "$name TXT stays: $answer" ;; esac
  done
}

case $action in
  auth | present)
    find_domain
    present
    ;;
  cleanup)
    find_domain
    cleanup
    ;;
  *) fail "say auth, present or cleanup" ;;
esac
