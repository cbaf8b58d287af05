import type { RecordType } from './record-type.js';
import * as types from './standard-types.js';

export { formerType, genericType } from './generic.js';
export type { ZoneRole } from './placement.js';
export { RdataError, recordType, type RecordType, type Token } from './record-type.js';
export { RecordTypes } from './record-types.js';
export { SIGNING_TYPES } from './signing-types.js';
export { SOA } from './soa.js';

const { A, AAAA, MX, CNAME, TXT, SRV, NS, PTR, SPF, SSHFP, ...others } = types;

/** The types of the interface document, in its order. */
export const INTERFACE_TYPES: readonly RecordType[] = [A, AAAA, MX, CNAME, TXT, SRV, NS, PTR, SPF, SSHFP];

/** All types whose records can be created by the name of the type. */
export const STANDARD_TYPES: readonly RecordType[] = [...INTERFACE_TYPES, ...Object.values(others)];
