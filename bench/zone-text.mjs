/** A mix as hosters have it: addresses above all, and every tenth record an MX, a TXT, a CNAME, an SRV. */
export function* zoneText(size) {
  for (let at = 0; at < size; at += 1) yield `${recordText(at % 10, Math.floor(at / 10))}\n`;
}

function recordText(kind, host) {
  const low = (host & 0xffff).toString(16);
  if (kind < 4) return `h${host}-${kind} A 192.0.${(host >> 8) & 255}.${host & 255}`;
  if (kind < 6) return `h${host}-${kind - 4} AAAA 2001:db8::${low}:${kind}`;
  if (kind === 6) return `m${host} MX 10 h${host}-0`;
  if (kind === 7) return `t${host} TXT "v=spf1 ip4:192.0.2.0/24 -all" "host ${host}"`;
  if (kind === 8) return `c${host} 300 CNAME h${host}-0`;
  return `_sip._tcp.s${host} SRV 0 5 5060 h${host}-1`;
}
