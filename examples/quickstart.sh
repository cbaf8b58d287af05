#!/usr/bin/env bash
# A first walk through the API with curl only: a domain, one record of each type, update, list, page, delete.
#   ZONEWRIGHT_URL    where the service listens   (default http://127.0.0.1:9001)
#   ZONEWRIGHT_TOKEN  an admin's or member's token (default: the one in data/admin-token)
set -euo pipefail

url=${ZONEWRIGHT_URL:-http://127.0.0.1:9001}
token=${ZONEWRIGHT_TOKEN:-$(cat data/admin-token)}
domain=quickstart-$$.example.org.

# call METHOD PATH [BODY]: shows the request and the answer, and keeps the answer's body in $answer.
call() {
  local arguments=(--silent --show-error --fail-with-body -X "$1" -H "X-Auth-Token: $token")
  [ $# -lt 3 ] || arguments+=(-H 'Content-Type: application/json' -d "$3")
  printf '\n%s %s %s\n' "$1" "$2" "${3:-}"
  answer=$(curl "${arguments[@]}" -w '\n%{http_code}' "$url$2")
  printf '  %s %s\n' "${answer##*$'\n'}" "${answer%$'\n'*}"
  answer=${answer%$'\n'*}
}

# The first id in the answer.
id() { sed -E 's/.*"id":"([0-9a-f-]{36})".*/\1/;q' <<<"${answer%%\"name\"*}"; }

call POST /v1/domains "{\"name\":\"$domain\",\"email\":\"hostmaster@example.org\"}"
domain_id=$(id)
records=/v1/domains/$domain_id/records

call POST "$records" "{\"name\":\"www.$domain\",\"type\":\"A\",\"data\":\"192.0.2.3\"}"
a_id=$(id)
call POST "$records" "{\"name\":\"www.$domain\",\"type\":\"AAAA\",\"data\":\"2001:db8:0:1234:0:5678:9:12\"}"
call POST "$records" "{\"name\":\"$domain\",\"type\":\"MX\",\"priority\":10,\"data\":\"mail.$domain\"}"
call POST "$records" "{\"name\":\"ftp.$domain\",\"type\":\"CNAME\",\"data\":\"www.$domain\"}"
call POST "$records" "{\"name\":\"$domain\",\"type\":\"TXT\",\"data\":\"This is a TXT record\"}"
call POST "$records" "{\"name\":\"_sip._tcp.$domain\",\"type\":\"SRV\",\"priority\":30,\"data\":\"0 5060 sip.$domain\"}"
call POST "$records" "{\"name\":\"$domain\",\"type\":\"NS\",\"data\":\"ns1.$domain\"}"
call POST "$records" "{\"name\":\"2.$domain\",\"type\":\"PTR\",\"data\":\"www.$domain\"}"
call POST "$records" "{\"name\":\"$domain\",\"type\":\"SPF\",\"data\":\"v=spf1 +mx a:colo.$domain/28 -all\"}"
call POST "$records" "{\"name\":\"www.$domain\",\"type\":\"SSHFP\",\"data\":\"2 1 123456789abcdef67890123456789abcdef67890\"}"

call GET "$records/$a_id"
call PUT "$records/$a_id" '{"data":"192.0.2.4","ttl":300}'
call GET "$records?name=www.$domain&type=A"
call GET "$records?limit=4"
marker=$(sed -E 's/.*marker=([0-9a-f-]{36}).*/\1/' <<<"$answer")
call GET "$records?limit=4&marker=$marker"
call GET "$records"

for record_id in $(grep -oE '"id":"[0-9a-f-]{36}"' <<<"$answer" | cut -d'"' -f4); do
  call DELETE "$records/$record_id"
done
call GET "$records"
call GET "/v1/domains/$domain_id/servers"
call DELETE "/v1/domains/$domain_id"
printf '\nAll of it answered as it should.\n'
