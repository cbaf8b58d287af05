#!/usr/bin/env bash
# A whole DNS service on loopback: Zonewright takes changes, Knot answers queries. Ctrl-C ends both.
#   ZONEWRIGHT_PORT   where Zonewright listens for HTTP   (default 9001)
#   PRIMARY_PORT      where Zonewright listens for DNS    (default 5354)
#   KNOT_PORT         where Knot listens                  (default 5300)
#   DATA              directory for the data of both    (default data/publishing)
set -euo pipefail
cd "$(dirname "$0")/../.."

api=${ZONEWRIGHT_PORT:-9001}
primary=${PRIMARY_PORT:-5354}
knot=${KNOT_PORT:-5300}
data=${DATA:-data/publishing}
PATH=$PATH:/usr/sbin

main() {
  command -v knotd >/dev/null || { echo 'Knot is missing: apt-get install knot' >&2 && exit 1; }
  mkdir -p "$data/knot"
  data=$(cd "$data" && pwd)
  secret=$(head -c 32 /dev/urandom | base64)
  zonewright_configuration >"$data/zonewright.conf"
  knot_configuration >"$data/knot.conf"

  trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
  trap exit INT TERM
  ZONEWRIGHT_CONFIG=$data/zonewright.conf node scripts/start.mjs &
  knotd -c "$data/knot.conf" >"$data/knot.log" 2>&1 &
  until curl -fsS "http://127.0.0.1:$api/readyz" >/dev/null 2>&1; do
    kill -0 $! || exit 1
    sleep 0.2
  done
  explain
  wait -n
}

# A new key at each start, so that none is published.
zonewright_configuration() {
  cat <<END
[database]
url = sqlite:$data/zonewright.sqlite

[service:api]
listen = 127.0.0.1:$api

[service:mdns]
enabled = True
listen = 127.0.0.1:$primary
tsig_keys = transfer:hmac-sha256:$secret
secondaries = 127.0.0.1:$knot@transfer
catalog_zone = catalog.example.
END
}

knot_configuration() {
  sed -e "s|SECRET|$secret|; s|DATA|$data/knot|; s|@5354|@$primary|; s|@5300|@$knot|" examples/publishing/knot.conf
}

explain() {
  cat <<END

Make a domain and a record, and ask Knot for it:

  token=\$(cat $data/admin-token)
  api() { curl -sS -H "X-Auth-Token: \$token" -H 'Content-Type: application/json' "http://127.0.0.1:$api\$@"; echo; }
  domain=\$(api /v1/domains -d '{"name": "example.org.", "email": "hostmaster@example.org"}' | cut -d'"' -f4)
  api "/v1/domains/\$domain/records" -d '{"name": "www.example.org.", "type": "A", "data": "192.0.2.3"}'
  api "/v1/domains/\$domain/publication?wait=10"
  dig +short -p $knot @127.0.0.1 www.example.org

Knot's log is in $data/knot.log.
END
}

main
