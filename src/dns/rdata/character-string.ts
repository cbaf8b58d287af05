import { ESCAPE_HELP, presentationForms, readEscape } from '../escapes.js';
import { quoted } from '../name.js';
import { WireWriter } from '../message/wire.js';
import { RdataError } from './rdata-error.js';

/** Octets (RFC 1035 §3.3). */
export const MAX_STRING = 255;

/** Resolves escapes (RFC 1035 §5.1). @throws RdataError for a bad escape or an unescaped quote */
export function textToOctets(text: string): Uint8Array {
  const out = new WireWriter();
  let from = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    const escape = readEscape(text, at);
    if (!escape) throw new RdataError(`${quoted(text)} has a bad escape: ${ESCAPE_HELP}`);
    out.octets(plainOctets(text.slice(from, at))).uint8(escape.octet);
    from = at + escape.length;
  }
  return out.octets(plainOctets(text.slice(from))).finish();
}

/** Quoted printable ASCII: Knot refuses raw octets above 127. */
export function octetsToText(octets: Uint8Array): string {
  let text = '"';
  for (const octet of octets) text += FORMS[octet] ?? '';
  return `${text}"`;
}

/** One character for each octet. */
export function latin1(octets: Uint8Array): string {
  return Buffer.from(octets).toString('latin1');
}

function plainOctets(text: string): Uint8Array {
  if (text.includes('"')) throw new RdataError(`${quoted(text)} has a quote inside: write \\" for it`);
  return Buffer.from(text);
}

const FORMS = presentationForms(/^[ -~]$/, '"\\');
