/** Owner names that many domains have. RFC 8552 keeps names with an underscore from asking for addresses. */
const HOSTS =
  'www www2 web m mobile app apps api dev staging stage test beta demo portal my account login auth sso id admin cpanel' +
  ' whm webdisk webmail mail mail1 mail2 mx mx1 mx2 smtp smtp2 relay imap pop pop3 email exchange owa autodiscover' +
  ' autoconfig cpcalendars cpcontacts mta-sts mta lists newsletter news blog shop store cart pay billing crm erp docs' +
  ' doc wiki help support status forum community kb faq ftp sftp files file download downloads cdn static assets img' +
  ' images media video git gitlab svn ci jenkins registry vpn remote rdp gateway gw fw router proxy ns ns1 ns2 ns3 ns4' +
  ' dns dns1 dns2 db sql mysql server server1 host host1 cloud nextcloud office intranet internal extern lync sip' +
  ' lyncdiscover enterpriseregistration enterpriseenrollment msoid meet chat calendar drive monitor grafana stats' +
  ' analytics tracking track link links go click bounce em send secure ssl old new home';

const TEXTS =
  '_dmarc _mta-sts _smtp._tls _domainkey _acme-challenge _acme-challenge.www _atproto _github-challenge _amazonses' +
  ' _dnsauth _psl default._bimi google._domainkey selector1._domainkey selector2._domainkey default._domainkey' +
  ' dkim._domainkey mail._domainkey smtp._domainkey k1._domainkey k2._domainkey k3._domainkey s1._domainkey' +
  ' s2._domainkey mandrill._domainkey fm1._domainkey fm2._domainkey fm3._domainkey protonmail._domainkey' +
  ' protonmail2._domainkey protonmail3._domainkey zoho._domainkey zmail._domainkey mxvault._domainkey' +
  ' pm._domainkey sig1._domainkey key1._domainkey key2._domainkey key3._domainkey hs1._domainkey hs2._domainkey' +
  ' cm._domainkey mg._domainkey pic._domainkey krs._domainkey mailo._domainkey ed25519._domainkey rsa._domainkey';

const SERVICES =
  '_autodiscover._tcp _sip._tcp _sip._udp _sip._tls _sips._tcp _sipfederationtls._tcp _submission._tcp' +
  ' _submissions._tcp _imap._tcp _imaps._tcp _pop3._tcp _pop3s._tcp _caldav._tcp _caldavs._tcp _carddav._tcp' +
  ' _carddavs._tcp _xmpp-client._tcp _xmpp-server._tcp _matrix._tcp _matrix-fed._tcp _ldap._tcp _kerberos._tcp' +
  ' _kerberos._udp _minecraft._tcp _stun._udp _turn._udp _http._tcp _https._tcp _vlmcs._tcp';

export interface AskedName {
  /** Relative to the domain. */
  readonly name: string;
  readonly types: readonly string[];
}

/** The first type decides whether the name exists. */
export const OF_HOST: readonly string[] = ['A', 'AAAA', 'MX', 'TXT'];
export const OF_APEX: readonly string[] = ['SOA', 'NS', 'MX', 'TXT', 'CAA', 'A', 'AAAA', 'HTTPS'];
/** What a wildcard may answer for the names here. */
export const OF_WILDCARD: readonly string[] = ['A', 'AAAA', 'MX', 'TXT', 'SRV'];

export const COMMON_NAMES: readonly AskedName[] = [
  ...listed(TEXTS, ['TXT']),
  ...listed(SERVICES, ['SRV']),
  ...listed(HOSTS, OF_HOST),
];

function listed(names: string, types: readonly string[]): AskedName[] {
  return names.split(' ').map((name) => ({ name, types }));
}
