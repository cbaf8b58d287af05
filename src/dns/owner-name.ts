import { isALabel, hasInnerHyphensOnly, isHostOctet, isPlainHostName, isWildcardLabel } from './labels.js';
import { DomainName, NameError, nameOrNull, quoted, displayName } from './name.js';

const ASTERISK = 0x2a;
const LETTER = 0x78;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const ASCII_END = 0x7f;
/** RFC 2317 §4 has a `/` in the names of IPv4 reverse zones with fewer than 256 addresses. */
const IPV4_REVERSE = DomainName.parse('in-addr.arpa.');

/** A rule of a record type for its owner names, in addition to the rules for all owner names. */
export interface OwnerRule {
  /** Predicate for messages and the documentation: `begin with …`. */
  readonly form: string;
  /** Whether only versions 1 and 2 enforce it, for new names. */
  readonly isOfNewNames?: true;
  allows(name: DomainName): boolean;
}

export interface OwnerRules {
  readonly owner: OwnerRule | null;
  /** BIND as a primary loads addresses and MX at host names only. Other records may have any name (RFC 2181 §11). */
  readonly hasHostOwner?: boolean;
}

/** A host name with an optional leading `*` if the type requires it (behaviour 4.3). @throws NameError */
export function parseOwnerName(text: string, rules: OwnerRules | null = null): DomainName {
  if (rules?.hasHostOwner === true) assertUnescaped(text);
  const name = DomainName.parse(text);
  assertOwner(text, name, rules);
  return name;
}

/** Applies the additional rules of versions 1 and 2. @throws NameError */
export function parseNewOwnerName(text: string, rules: OwnerRules): DomainName {
  const name = parseOwnerName(text, rules);
  if (rules.owner?.isOfNewNames === true) assertAllowed(text, name, rules.owner);
  return name;
}

/** @throws NameError */
export function assertOwnerName(name: DomainName, rules: OwnerRules): void {
  if (rules.owner === null && (rules.hasHostOwner !== true || isPlainHostName(name.wire))) return;
  assertOwner(displayName(name), name, rules);
}

/** Returns the text as sent, with escapes in the form that all name servers read. */
export function storedOwnerName(text: string, name: DomainName): string {
  return PLAIN_TEXT.test(text) ? text : name.toString();
}

const PLAIN_TEXT = /^[0-9A-Za-z_*/.-]*$/;

function assertOwner(text: string, name: DomainName, rules: OwnerRules | null): void {
  if (rules === null) return;
  const { owner, hasHostOwner } = rules;
  if (owner !== null && owner.isOfNewNames !== true) assertAllowed(text, name, owner);
  if (hasHostOwner !== true || isPlainHostName(name.wire)) return;
  const labels = isWildcardLabel(name.labels[0]) ? name.labels.slice(1) : name.labels;
  assertHostLabels(text, name, labels.map(withLettersForAsterisks));
}

function assertAllowed(text: string, name: DomainName, rule: OwnerRule): void {
  if (rule.allows(name)) return;
  throw new NameError(
    `${quoted(text)} is not a name for records of this type: write one of theirs, which ${rule.form}`,
  );
}

/** An inner `*` is an ordinary character (RFC 4592 §2.1.1). A leading `*` is likely a mistaken wildcard. */
function withLettersForAsterisks(label: Uint8Array): Uint8Array {
  return label[0] === ASTERISK ? label : label.map((octet) => (octet === ASTERISK ? LETTER : octet));
}

/** Whether all asterisks of a filter are whole labels, as when clients look up single sets (behaviour 1.12). */
export function isNameFilter(text: string): boolean {
  if (!text.includes('*')) return true;
  const name = nameOrNull(() => parseOwnerName(text));
  return name?.labels.every((label) => isWildcardLabel(label) || !label.includes(ASTERISK)) ?? false;
}

/** Refuses wildcards. @throws NameError */
export function parseZoneName(text: string): DomainName {
  assertUnescaped(text);
  const name = DomainName.parse(text);
  assertHostLabels(text, name, name.labels);
  return name;
}

/** Refuses the root. @throws NameError */
export function parseDomainName(text: string): DomainName {
  const name = parseZoneName(text);
  if (name.wire.length === 1) throw new NameError('"." is the root: write a name below it');
  return name;
}

function assertUnescaped(text: string): void {
  if (text.includes('\\'))
    throw new NameError(
      `${quoted(text)} has a backslash, and the names of hosts and zones have no escapes: leave it out`,
    );
}

function assertHostLabels(text: string, name: DomainName, labels: readonly Uint8Array[]): void {
  const mayHaveSlash = name.isWithin(IPV4_REVERSE);
  for (const label of labels) {
    const forbidden = label.find((octet) => !isHostOctet(octet) && !(mayHaveSlash && octet === SLASH));
    if (forbidden !== undefined) throw forbiddenOctetError(text, forbidden);
    if (!hasInnerHyphensOnly(label))
      throw new NameError(`${quoted(text)} has a label that begins or ends with "-": put letters or digits there`);
    assertALabel(label);
  }
}

function forbiddenOctetError(text: string, octet: number): NameError {
  const character = String.fromCharCode(octet);
  const rules: Readonly<Record<string, string>> = {
    '*': "it may only be the whole leftmost label of a record's name, or stand behind another character",
    '/': 'it may only stand in names under in-addr.arpa.',
  };
  const rule = rules[character] ?? 'labels are made of letters, digits, "-" and "_"';
  const shown = octet > ASCII_END ? 'character outside ASCII' : quoted(character);
  return new NameError(`${quoted(text)} has a ${shown}: ${rule}`);
}

/** Clients that know IDNA show an invalid A-label as garbage, or do not resolve it. */
function assertALabel(octets: Uint8Array): void {
  if (octets[2] !== HYPHEN || octets[3] !== HYPHEN) return;
  const label = String.fromCharCode(...octets);
  if (/^xn--/i.test(label) && !isALabel(label))
    throw new NameError(`${quoted(label)} is not a valid A-label: encode the international name again`);
}
