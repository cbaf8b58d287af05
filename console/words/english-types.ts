/** Record types in plain words, the common ones first. */
export const englishCommonTypes: Readonly<Record<string, string>> = {
  A: 'points to an IPv4 address',
  AAAA: 'points to an IPv6 address',
  CNAME: 'alias of another name',
  MX: 'receives mail',
  TXT: 'text, such as SPF, DKIM and site verification',
  CAA: 'authorities that may issue certificates',
  SRV: 'host and port of a service',
  NS: 'name server of a subdomain',
};

export const englishOtherTypes: Readonly<Record<string, string>> = {
  DNAME: 'alias of all names below another name',
  DS: 'key of a signed subdomain',
  HINFO: 'hardware and operating system of a host',
  HTTPS: 'connection parameters of a website',
  LOC: 'geographic location',
  NAPTR: 'rules for telephony and service discovery',
  OPENPGPKEY: 'OpenPGP key of a mail address',
  PTR: 'name of an address, for reverse lookups',
  RP: 'person responsible for a name',
  SMIMEA: 'mail certificate of a mail address',
  SPF: 'obsolete, use TXT',
  SSHFP: 'fingerprint of an SSH host key',
  SVCB: 'connection parameters of a service',
  TLSA: 'certificate of a TLS service (DANE)',
  URI: 'web address of a service',
};
