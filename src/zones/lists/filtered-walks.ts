import { isText } from '../../common/json.js';
import type { ListWalk } from '../../database/statements/filtered-pages.js';
import { inLowerCase } from '../../database/statements/text-sql.js';
import {
  bytewiseKey,
  indexedBy,
  integerKey,
  textKey,
  type Walk,
  type WhereClause,
} from '../../database/statements/walk.js';

/** A filter that an index over a tenant's zones answers. */
export interface IndexedFilter {
  readonly field: string;
  readonly condition: WhereClause;
  /** To exactly the zones with the condition. `null`: to those of `others`. */
  readonly walk: ((tenantId: string) => ListWalk) | null;
  /** To the zones without it. */
  readonly others: (tenantId: string) => readonly Walk[];
}

const PREFIX = /^[\x20-\x7e]+$/;
/** Sorts after all characters of names. */
const LAST_CHARACTER = '\x7f';
const HIGHEST_TTL = 2 ** 31 - 1;
const NUMBER = /^(0|[1-9]\d{0,9})$/;

/** In the order of the indexes for names and emails in any case. */
const lowerKey = (column: string) => ({ ...textKey(`lower(${bytewiseKey(column).sql})`), isExpression: true });
const NAME = lowerKey('zones.name');
const EMAIL = lowerKey('zones.email');
const TTL = integerKey('zones.ttl');
const ID = textKey('zones.id');
const AFTER_IDS = { ...ID, lowest: '~' };

/** The filter whose zones an index has; the first is the most selective one. */
export function indexedFilter(filters: ReadonlyMap<string, string>): IndexedFilter | null {
  const [email, name = '', ttl, type = ''] = ['email', 'name', 'ttl', 'type'].map((field) => filters.get(field));
  if (email !== undefined && isText(email) && !email.includes('*'))
    return withValue('email', EMAIL, inLowerCase(email));
  if (PREFIX.test(name) && name.indexOf('*') === name.length - 1 && name !== '*')
    return beginningWith(name.slice(0, -1));
  if (ttl !== undefined && NUMBER.test(ttl) && Number(ttl) <= HIGHEST_TTL) return withValue('ttl', TTL, Number(ttl));
  return ofType(inLowerCase(type));
}

export const isPrefix = (text: string): boolean => PREFIX.test(text);

/** To exactly the zones whose names begin with a text of printable ASCII characters. */
export function ownedFrom(tenantId: string, prefix: string): ListWalk {
  const first = prefix.toLowerCase();
  return {
    from: `zones${indexedBy('zones_of_tenant_by_prefix')}`,
    where: { sql: `tenant_id = ? AND ${NAME.sql} < ?`, values: [tenantId, first + LAST_CHARACTER] },
    // SQLite would start at a condition with each portion.
    key: [{ ...NAME, lowest: first }, ID],
  };
}

function beginningWith(prefix: string): IndexedFilter {
  const [first, end] = [prefix.toLowerCase(), prefix.toLowerCase() + LAST_CHARACTER];
  const from = `zones${indexedBy('zones_of_tenant_by_prefix')}`;
  return {
    field: 'name',
    condition: { sql: `${NAME.sql} >= ? AND ${NAME.sql} < ?`, values: [first, end] },
    walk: (tenantId) => ownedFrom(tenantId, prefix),
    others: (tenantId) => [
      { from, where: { sql: `tenant_id = ? AND ${NAME.sql} < ?`, values: [tenantId, first] }, key: [NAME, ID] },
      { from, where: { sql: 'tenant_id = ?', values: [tenantId] }, key: [{ ...NAME, lowest: end }, ID] },
    ],
  };
}

function withValue(field: 'email' | 'ttl', key: Walk['key'][number], value: string | number): IndexedFilter {
  const from = `zones${indexedBy(`zones_of_tenant_by_${field}`)}`;
  const condition = { sql: `${key.sql} = ?`, values: [value] };
  return {
    field,
    condition,
    walk: (tenantId) => {
      const where = { sql: `tenant_id = ? AND ${condition.sql}`, values: [tenantId, value] };
      return { from, where, key: [ID], order: ID.sql };
    },
    others: (tenantId) => [
      { from, where: { sql: `tenant_id = ? AND ${key.sql} < ?`, values: [tenantId, value] }, key: [key, ID] },
      { from, where: { sql: 'tenant_id = ?', values: [tenantId] }, key: [{ ...key, lowest: value }, AFTER_IDS] },
    ],
  };
}

function ofType(type: string): IndexedFilter | null {
  if (type !== 'primary' && type !== 'secondary') return null;
  const condition = { sql: `zones.type = '${type.toUpperCase()}'`, values: [] };
  const secondary = (tenantId: string): ListWalk => ({
    from: `zones${indexedBy('zones_secondary')}`,
    where: { sql: "tenant_id = ? AND type = 'SECONDARY'", values: [tenantId] },
    key: [ID],
    order: ID.sql,
  });
  if (type === 'secondary') return { field: 'type', condition, walk: secondary, others: () => [] };
  return { field: 'type', condition, walk: null, others: (tenantId) => [secondary(tenantId)] };
}
