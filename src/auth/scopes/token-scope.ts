import type { Action, Restrictions } from '../../common/caller.js';
import { type FieldError, ServiceError } from '../../common/service-error.js';
import { MOST_FILTERS, readLabelFilters } from '../../common/labels.js';
import { isText } from '../../common/json.js';
import { nameOrNull } from '../../dns/name.js';
import { parseZoneName } from '../../dns/owner-name.js';
import { isPatternWithin } from './name-pattern.js';
import { isNetwork, isNetworkWithin } from '../../common/network/network.js';

/** Requested token scope, not yet validated. Absent lists are unrestricted. */
export interface RequestedRestrictions {
  readonly domains?: readonly string[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly networks?: readonly string[] | undefined;
}

const MOST_ENTRIES = 100;
const MAX_NAME = 255;
const PATTERN = /^(?:[a-z0-9_/*-]+\.)*[a-z0-9_/*-]*$/;
const TYPE = /^[A-Z][A-Z0-9-]{0,31}$/;
const ACTIONS: readonly string[] = ['create', 'update', 'delete'] satisfies readonly Action[];

type Field = keyof Restrictions;

const READERS: Readonly<Record<Field, (text: string) => string | null>> = {
  domains: readDomain,
  labels: readLabel,
  names: readPattern,
  types: (text) => oneOf(text.toUpperCase(), (type) => TYPE.test(type)),
  actions: (text) => oneOf(text.toLowerCase(), (action) => ACTIONS.includes(action)),
  networks: (text) => oneOf(text.toLowerCase(), isNetwork),
};

const FORMS: Readonly<Record<Field, string>> = {
  domains: 'names of domains as in "example.org."',
  labels: 'labels of domains as in "team" or "team=web"',
  names: 'absolute names in which * stands for any characters, as in "_acme-challenge.*" or "*.dev.example.org."',
  types: 'record types as in "TXT"',
  actions: 'create, update and delete',
  networks: 'addresses and networks as in "192.0.2.0/24" and "2001:db8::1"',
};

const FIELDS = ['domains', 'labels', 'names', 'types', 'actions', 'networks'] as const satisfies readonly Field[];

/**
 * Validates a requested token scope. Inherits absent lists from the parent token.
 * @throws ServiceError `invalid_object` with one error for each invalid list, `forbidden` if wider than `holder`
 */
export function scoped(holder: Restrictions, asked: RequestedRestrictions): Restrictions {
  const lists = FIELDS.map((field) => [field, asked[field] && readList(field, asked[field])] as const);
  const faults = lists.flatMap(([, list]) => (list === undefined || Array.isArray(list) ? [] : [list]));
  if (faults.length > 0) throw ServiceError.ofFields('invalid_object', faults);
  const said = Object.fromEntries(lists.filter(([, list]) => list !== undefined));
  const narrower: Restrictions = { ...holder, ...said };
  const wider = FIELDS.find((field) => !isListWithin(field, narrower[field], holder[field]));
  if (wider === undefined) return narrower;
  throw new ServiceError('forbidden', `${wider}: a token can only make tokens that may do no more than itself.`);
}

export function limitsWork({ domains, labels, names, types, actions }: Restrictions): boolean {
  return [domains, labels, names, types, actions].some((list) => list !== null);
}

export function restrictionsColumn(restrictions: Restrictions): string | null {
  const said = FIELDS.filter((field) => restrictions[field] !== null).map((field) => [field, restrictions[field]]);
  if (said.length === 0) return null;
  const column = Object.fromEntries(said) as Partial<Restrictions>;
  if (restrictions.labels === null) return JSON.stringify(column);
  // A release without labels must not take the token for one without limits (behaviour 18.8).
  return JSON.stringify({ ...column, domains: [NO_DOMAIN], amongDomains: restrictions.domains });
}

/** RFC 6761 §6.4: no zone has this name. */
const NO_DOMAIN = 'limited-by-labels.invalid.';

interface StoredRestrictions extends Partial<Restrictions> {
  /** The domains of a token with labels. */
  readonly amongDomains?: readonly string[] | null;
}

export function readRestrictions(column: string): Restrictions {
  const said = JSON.parse(column) as StoredRestrictions;
  const { domains = null, labels = null, names = null, types = null, actions = null, networks = null } = said;
  const among = labels === null ? domains : (said.amongDomains ?? null);
  return { domains: among, labels, names, types, actions, networks };
}

function isListWithin(field: Field, narrower: readonly string[] | null, wider: readonly string[] | null): boolean {
  if (wider === null) return true;
  // All labels must hold, so more of them are narrower.
  if (field === 'labels') return wider.every((label) => narrower?.includes(label) === true);
  return narrower?.every((entry) => wider.some((other) => isEntryWithin(field, entry, other))) === true;
}

function isEntryWithin(field: Field, entry: string, wider: string): boolean {
  if (field === 'names') return isPatternWithin(entry, wider);
  return field === 'networks' ? isNetworkWithin(entry, wider) : entry === wider;
}

function readList(field: Field, texts: readonly string[]): string[] | FieldError {
  const most = field === 'labels' ? MOST_FILTERS : MOST_ENTRIES;
  const read = texts.slice(0, most).map((text) => READERS[field](text));
  const entries = [...new Set(read.filter((entry) => entry !== null))];
  if (texts.length > 0 && texts.length <= most && read.every((entry) => entry !== null)) return entries;
  const wrong = texts[read.indexOf(null)];
  const which = wrong === undefined ? '' : ` ${JSON.stringify(wrong.slice(0, MAX_NAME))} is none.`;
  const message = `${field} are 1 to ${most} ${FORMS[field]}.${which}`;
  return { path: field, message, validator: texts.length > most ? 'maxLength' : 'format' };
}

function readDomain(text: string): string | null {
  if (!isText(text)) return null;
  return (
    nameOrNull(() => parseZoneName(text))
      ?.toString()
      .toLowerCase() ?? null
  );
}

function readLabel(text: string): string | null {
  try {
    readLabelFilters([text], 'invalid_object');
    return text;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** Without a final dot or `*` at its end, a pattern matches no name. */
function readPattern(text: string): string | null {
  const pattern = text.toLowerCase();
  const isPattern = pattern.length <= MAX_NAME && PATTERN.test(pattern) && /[.*]$/.test(pattern);
  return isPattern ? pattern : null;
}

function oneOf(text: string, isOne: (text: string) => boolean): string | null {
  return isOne(text) ? text : null;
}
