import { isALabel } from './a-label.js';
import { hasInnerHyphensOnly, isHostOctet, isServiceLabel, isWildcardLabel } from './labels.js';
import { DomainName, NameError, quoted } from './name.js';

const HYPHEN = 0x2d;
const SLASH = 0x2f;
/** RFC 2317 §4 puts a `/` into the names of IPv4 reverse zones that are smaller than 256 addresses. */
const IPV4_REVERSE = DomainName.parse('in-addr.arpa.');

/** Where a record stands: a name of host labels, `*` allowed in front (RFC 4592); an SRV stands at its service (RFC 2782). */
export function parseOwnerName(text: string, type?: string): DomainName {
  const name = parseAbsoluteName(text);
  if (type === 'SRV') assertService(text, name.labels);
  assertHostLabels(text, name, isWildcardLabel(name.labels[0]) ? name.labels.slice(1) : name.labels);
  return name;
}

/** A zone's name: an owner name without wildcard. */
export function parseDomainName(text: string): DomainName {
  const name = parseAbsoluteName(text);
  assertHostLabels(text, name, name.labels);
  return name;
}

function parseAbsoluteName(text: string): DomainName {
  if (text.includes('\\')) throw new NameError(`${quoted(text)} has a backslash: such a name needs no escapes`);
  const name = DomainName.parse(text);
  if (name.labelCount === 0) throw new NameError('"." is the root: write a name below it');
  return name;
}

function assertService(text: string, [service, protocol, ...rest]: readonly Uint8Array[]): void {
  if (isServiceLabel(service) && isServiceLabel(protocol) && rest.length > 0) return;
  throw new NameError(`${quoted(text)} names no service: an SRV record's name begins like "_sip._tcp."`);
}

function assertHostLabels(text: string, name: DomainName, labels: readonly Uint8Array[]): void {
  const mayHaveSlash = name.isWithin(IPV4_REVERSE);
  for (const label of labels) {
    const stranger = label.find((octet) => !isHostOctet(octet) && !(mayHaveSlash && octet === SLASH));
    if (stranger !== undefined) throw strangerIn(text, String.fromCharCode(stranger));
    if (!hasInnerHyphensOnly(label)) {
      throw new NameError(`${quoted(text)} has a label that begins or ends with "-": put letters or digits there`);
    }
    assertALabel(label);
  }
}

function strangerIn(text: string, character: string): NameError {
  const places: Readonly<Record<string, string>> = {
    '*': "it may only be the whole leftmost label of a record's name",
    '/': 'it may only stand in names under in-addr.arpa.',
  };
  const wayOut = places[character] ?? 'labels are made of letters, digits, "-" and "_"';
  return new NameError(`${quoted(text)} has a ${quoted(character)}: ${wayOut}`);
}

/** A label that only pretends to be an A-label would be shown as garbage, or not resolved, by every client that knows IDNA. */
function assertALabel(octets: Uint8Array): void {
  if (octets[2] !== HYPHEN || octets[3] !== HYPHEN) return;
  const label = String.fromCharCode(...octets);
  if (/^xn--/i.test(label) && !isALabel(label)) {
    throw new NameError(`${quoted(label)} is not a valid A-label: encode the international name anew`);
  }
}
