#!/bin/sh
# The command line, with the configuration of the service. Root becomes the user of the service, so that no file of the
# database ends up root's.
set -e

: "${ZONEWRIGHT_CONFIG:=/etc/zonewright/zonewright.conf}"
export ZONEWRIGHT_CONFIG
set -- /usr/bin/node /usr/lib/zonewright/dist/src/cli/main.js "$@"
if [ "$(id -u)" = 0 ]; then
  # As systemd has it for the service.
  export CACHE_DIRECTORY=/var/cache/zonewright
  set -- setpriv --reuid=zonewright --regid=zonewright --init-groups -- "$@"
fi
exec "$@"
