import { isALabel } from './a-label.js';
import { hasInnerHyphensOnly, isHostOctet, isPlainHostName, isWildcardLabel } from './labels.js';
import { DomainName, NameError, nameOrNull, quoted, displayName } from './name.js';

const ASTERISK = 0x2a;
const LETTER = 0x78;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const ASCII_END = 0x7f;
/** RFC 2317 §4 has a `/` in the names of IPv4 reverse zones that are smaller than 256 addresses. */
const IPV4_REVERSE = DomainName.parse('in-addr.arpa.');

/** What the owner names of a record type must be besides what all owner names must be. */
export interface OwnerRule {
  /** Says what the names do, for messages and the documentation: `begin with …`. */
  readonly form: string;
  /** Whether versions 1 and 2 alone demand it, of new names. */
  readonly isOfNewNames?: true;
  allows(name: DomainName): boolean;
}

/** What a record type says about its owner names. */
export interface OwnerRules {
  readonly owner: OwnerRule | null;
  /** BIND as a primary loads addresses and MX at host names only. Other records stand at any name (RFC 2181 §11). */
  readonly hasHostOwner?: boolean;
}

/**
 * Reads the name at which a record stands (behaviour 4.3): any absolute name, and a host name with `*` allowed in front where
 * the type demands it.
 * @throws NameError
 */
export function parseOwnerName(text: string, rules: OwnerRules | null = null): DomainName {
  if (rules?.hasHostOwner === true) assertUnescaped(text);
  const name = DomainName.parse(text);
  assertOwner(text, name, rules);
  return name;
}

/**
 * The same for the name of a new record of versions 1 and 2, whose contract has more rules.
 * @throws NameError
 */
export function parseNewOwnerName(text: string, rules: OwnerRules): DomainName {
  const name = parseOwnerName(text, rules);
  if (rules.owner?.isOfNewNames === true) assertAllowed(text, name, rules.owner);
  return name;
}

/**
 * The same for a name that has been read already.
 * @throws NameError
 */
export function assertOwnerName(name: DomainName, rules: OwnerRules): void {
  if (rules.owner === null && (rules.hasHostOwner !== true || isPlainHostName(name.wire))) return;
  assertOwner(displayName(name), name, rules);
}

/** The text under which a name is stored: as it was sent, but with escapes in the one spelling that every name server reads. */
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

/** Behind another character it is one like any other (RFC 4592 §2.1.1); in front it is mostly a wildcard that went wrong. */
function withLettersForAsterisks(label: Uint8Array): Uint8Array {
  return label[0] === ASTERISK ? label : label.map((octet) => (octet === ASTERISK ? LETTER : octet));
}

/**
 * Whether a text in lists of version 2 is a name and no pattern: an owner name in which each asterisk is a whole label. Clients
 * that know one record set by its name ask for it so (behaviour 1.12).
 */
export function isNameFilter(text: string): boolean {
  if (!text.includes('*')) return true;
  const name = nameOrNull(() => parseOwnerName(text));
  return name?.labels.every((label) => isWildcardLabel(label) || !label.includes(ASTERISK)) ?? false;
}

/**
 * Reads the name of a zone, which is that of an owner without a wildcard.
 * @throws NameError
 */
export function parseZoneName(text: string): DomainName {
  assertUnescaped(text);
  const name = DomainName.parse(text);
  assertHostLabels(text, name, name.labels);
  return name;
}

/**
 * The same for a name that is not the root.
 * @throws NameError
 */
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
    if (!hasInnerHyphensOnly(label)) {
      throw new NameError(`${quoted(text)} has a label that begins or ends with "-": put letters or digits there`);
    }
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
  if (/^xn--/i.test(label) && !isALabel(label)) {
    throw new NameError(`${quoted(label)} is not a valid A-label: encode the international name again`);
  }
}
