import { A } from './a.js';
import { AAAA } from './aaaa.js';
import { CAA } from './caa.js';
import { CDNSKEY } from './cdnskey.js';
import { CDS } from './cds.js';
import { CERT } from './cert.js';
import { CNAME } from './cname.js';
import { CSYNC } from './csync.js';
import { DNAME } from './dname.js';
import { DS } from './ds.js';
import { HINFO } from './hinfo.js';
import { HTTPS } from './https.js';
import { LOC } from './loc.js';
import { MX } from './mx.js';
import { NAPTR } from './naptr.js';
import { NS } from './ns.js';
import { OPENPGPKEY } from './openpgpkey.js';
import { PTR } from './ptr.js';
import type { RecordType } from './record-type.js';
import { RP } from './rp.js';
import { SMIMEA } from './smimea.js';
import { SPF } from './spf.js';
import { SRV } from './srv.js';
import { SSHFP } from './sshfp.js';
import { SVCB } from './svcb.js';
import { TLSA } from './tlsa.js';
import { TXT } from './txt.js';
import { URI } from './uri.js';

export { genericType } from './generic.js';
export type { ExclusiveValue, NeededType, Placement, ZoneRole } from './placement.js';
export { RdataError, recordType, type RecordType, type Token } from './record-type.js';
export { RecordTypes } from './record-types.js';
export { SOA } from './soa.js';

/** The types of the interface document, in its order. */
export const INTERFACE_TYPES: readonly RecordType[] = [A, AAAA, MX, CNAME, TXT, SRV, NS, PTR, SPF, SSHFP];

/** All types whose records can be created by the name of the type. */
export const STANDARD_TYPES: readonly RecordType[] = [
  ...INTERFACE_TYPES,
  CAA,
  TLSA,
  SMIMEA,
  NAPTR,
  DS,
  CDS,
  CDNSKEY,
  CSYNC,
  DNAME,
  HTTPS,
  SVCB,
  URI,
  LOC,
  CERT,
  OPENPGPKEY,
  HINFO,
  RP,
];
