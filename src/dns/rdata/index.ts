import type { RecordType } from './record-type.js';
import * as types from './standard-types.js';

export { ALIAS, ALIAS_ADDRESSES } from './alias.js';
export { formerType, genericType } from './generic.js';
export type { ZoneRole } from './placement.js';
export { RdataError } from './rdata-error.js';
export { recordType, type RecordType } from './record-type.js';
export { RecordTypes } from './record-types.js';
export { SIGNING_TYPES } from './signing-types.js';
export { SOA } from './soa.js';
export type { Token } from './tokens.js';

const { A, AAAA, MX, CNAME, TXT, SRV, NS, PTR, SPF, SSHFP, ...others } = types;

/** The types of the interface document, in its order. */
export const INTERFACE_TYPES: readonly RecordType[] = [A, AAAA, MX, CNAME, TXT, SRV, NS, PTR, SPF, SSHFP];

/** All types with a mnemonic. */
export const STANDARD_TYPES: readonly RecordType[] = [...INTERFACE_TYPES, ...Object.values(others)];
