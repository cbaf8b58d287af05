/** A new type needs one entry here. */
export { A, AAAA, EUI48, EUI64 } from './address-types.js';
export { APL } from './apl.js';
export { BRID, CERT, DHCID, HHIT, OPENPGPKEY } from './base64-types.js';
export { CAA } from './caa.js';
export { CDNSKEY, CDS, CSYNC, DS, DSYNC, KEY } from './dnssec.js';
export { SMIMEA, SSHFP, TLSA } from './digest-types.js';
export { AMTRELAY, IPSECKEY } from './gateway-types.js';
export { HIP } from './hip.js';
export { L32, L64, LP, NID } from './ilnp.js';
export { IPN } from './ipn.js';
export { LOC } from './loc.js';
export { CNAME, DNAME, KX, MB, MG, MINFO, MR, NS, NSAP_PTR, PTR, TALINK } from './name-types.js';
export { NAPTR } from './naptr.js';
export { GPOS, NSAP, PX } from './osi.js';
export { AFSDB, ISDN, RP, RT, X25 } from './rfc1183.js';
export { MX, SRV, URI } from './service-types.js';
export { HTTPS, SVCB } from './svcb.js';
export { AVC, CLA, HINFO, NINFO, RESINFO, SPF, TXT, WALLET } from './text-types.js';
