import { FIELD_END, joinedFields } from '../../database/statements/joined-fields.js';
import { PageStatement } from '../../database/statements/page-statement.js';
import type { SqlValue, Transaction } from '../../database/transaction.js';
import { Statement } from '../../database/statements/statement.js';
import { primaryKeyOf } from '../../database/statements/walk.js';
import type { ZoneEntity, ZoneType } from '../zone.entity.js';

export type ZoneSummary = Pick<
  ZoneEntity,
  'name' | 'serial' | 'type' | 'masters' | 'transferredAt' | 'publishedSerial' | 'keptFields'
>;

export interface SummaryPage {
  readonly entries: readonly ZoneSummary[];
  /** `null` on the last page. */
  readonly next: string | null;
}

type IdentifiedSummary = ZoneSummary & Pick<ZoneEntity, 'id'>;

interface JoinedSummaries {
  readonly count: number | string;
  readonly lastId: string | null;
  readonly longest: number | null;
  readonly text: string | null;
}

/** Octets: longer texts of a zone are not joined with others. */
const LONGEST = 1024;
const COLUMNS =
  'id, name, serial, type, masters, transferred_at AS "transferredAt", published_serial AS "publishedSerial",' +
  ' kept_fields AS "keptFields"';
const shortened = (column: string): string =>
  `CASE WHEN OCTET_LENGTH(${column}) > ${LONGEST} THEN '' ELSE COALESCE(${column}, '') END`;
/** In the order of `summariesOf`. */
const FIELDS = [
  'name',
  'CAST(serial AS TEXT)',
  'type',
  shortened('masters'),
  "COALESCE(CAST(transferred_at AS TEXT), '')",
  "COALESCE(CAST(published_serial AS TEXT), '')",
  shortened('kept_fields'),
];

export const SUMMARIES_OF_TENANT = summaryPages('zones_of_tenant', 'tenant_id = ? AND id > ?');
export const SUMMARIES_OF_ALL = summaryPages(primaryKeyOf('zones'), 'id > ?');

type SummaryPages = (tx: Transaction, values: readonly SqlValue[], limit: number) => Promise<SummaryPage>;

/** Keeps SQLite from sorting all rows because of outdated statistics. */
function summaryPages(index: string, conditions: string): SummaryPages {
  const rowsSql = (hint: string): string => `SELECT ${COLUMNS} FROM zones${hint} WHERE ${conditions}`;
  const rows = new PageStatement<IdentifiedSummary>(rowsSql(` INDEXED BY ${index}`), {
    key: 'id',
    texts: ['name', 'masters', 'keptFields'],
    forPostgres: rowsSql(''),
  });
  const textSql = (hint: string): string =>
    'SELECT COUNT(*) AS count, MAX(id) AS "lastId",' +
    " MAX(OCTET_LENGTH(COALESCE(masters, '')) + OCTET_LENGTH(COALESCE(kept_fields, ''))) AS longest," +
    ` ${joinedFields(FIELDS)} AS text FROM (SELECT id, name, serial, type, masters, transferred_at, published_serial,` +
    ` kept_fields` +
    ` FROM zones${hint} WHERE ${conditions} ORDER BY id LIMIT ?) r`;
  const texts = new Statement<JoinedSummaries>(textSql(` INDEXED BY ${index}`), textSql(''));
  return async (tx, values, limit) => {
    const joined = await texts.first(tx, [...values, limit]);
    const entries = joined === undefined ? [] : summariesOf(joined);
    if (entries !== null) return { entries, next: entries.length < limit ? null : (joined?.lastId ?? null) };
    const page = await rows.page(tx, values, limit);
    return { entries: page.entries, next: page.isLast ? null : (page.entries.at(-1)?.id ?? null) };
  };
}

/** `null` if a zone has long texts, or a field contains the separator. */
function summariesOf({ count, longest, text }: JoinedSummaries): ZoneSummary[] | null {
  if (Number(count) === 0) return [];
  if (longest === null || longest > LONGEST || text === null) return null;
  const fields = text.split(FIELD_END);
  return fields.length === Number(count) * FIELDS.length ? summariesIn(fields) : null;
}

function summariesIn(fields: readonly string[]): ZoneSummary[] {
  const summaries: ZoneSummary[] = [];
  for (let at = 0; at < fields.length; at += FIELDS.length) {
    summaries.push({
      name: fields[at] ?? '',
      serial: Number(fields[at + 1]),
      // The column has only these values.
      type: fields[at + 2] as ZoneType,
      masters: textOrNull(fields[at + 3]),
      transferredAt: numberOrNull(fields[at + 4]),
      publishedSerial: numberOrNull(fields[at + 5]),
      keptFields: textOrNull(fields[at + 6]),
    });
  }
  return summaries;
}

function numberOrNull(text = ''): number | null {
  return text === '' ? null : Number(text);
}

/** No zone has an empty value. */
function textOrNull(text = ''): string | null {
  return text === '' ? null : text;
}
