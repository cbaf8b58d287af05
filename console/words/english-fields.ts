/** Hints for fields of record types, by `TYPE.field`. Other fields show the form that the service describes. */
export const englishFields: Readonly<Record<string, string>> = {
  'MX.priority': 'The lowest number is tried first.',
  'MX.exchange': 'The mail server, by a name that has A or AAAA records. “.” alone accepts no mail.',
  'CNAME.target': 'The name that this name is an alias of.',
  'NS.name_server': 'The name server of this delegated name.',
  'SRV.priority': 'The lowest number is tried first.',
  'SRV.weight': 'Share of the load among targets of the same priority.',
  'SRV.port': 'The TCP or UDP port of the service, such as 5060.',
  'SRV.target': 'The host of the service. “.” alone: the service is not available.',
  'CAA.value':
    'For issue: the domain of the certificate authority, such as letsencrypt.org, or “;” for none. For iodef: a mailto: URL.',
  'TLSA.usage': 'DANE-EE matches the certificate of the server itself.',
  'TLSA.selector': 'SPKI matches the public key, which may survive a renewal.',
  'TLSA.certificate_data': 'The digest or the data in hexadecimal, as the selector and the matching type say.',
  'HTTPS.priority': '0 makes this name an alias of the target. Otherwise the lowest number is tried first.',
  'HTTPS.target': 'The host of the service. “.” alone: the name of this record.',
  'SVCB.priority': '0 makes this name an alias of the target. Otherwise the lowest number is tried first.',
  'SVCB.target': 'The host of the service. “.” alone: the name of this record.',
};
