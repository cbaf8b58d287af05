import type { SetComment } from '../../records/annotated-sets.repository.js';
import { type StoredZoneFields, readKept } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import * as sent from '../input.js';

/** Zone fields that only PowerDNS clients use. */
export interface PowerDnsZoneFields {
  readonly kind: 'Native' | 'Master';
  readonly account: string;
  readonly masters: readonly string[];
  readonly soaEditApi: string;
  readonly soaEdit: string;
  readonly apiRectify: boolean;
  /** SOA comments, because the SOA is not a stored record set. */
  readonly soaComments: readonly SetComment[];
}

const NOTHING_SAID: PowerDnsZoneFields = {
  kind: 'Native',
  account: '',
  masters: [],
  soaEditApi: 'DEFAULT',
  soaEdit: '',
  apiRectify: false,
  soaComments: [],
};

export function keptOf(zone: Pick<ZoneEntity, 'keptFields'>): PowerDnsZoneFields {
  return keptIn(readKept(zone));
}

function keptIn(kept: StoredZoneFields): PowerDnsZoneFields {
  return { ...NOTHING_SAID, ...('powerdns' in kept ? (kept.powerdns as PowerDnsZoneFields) : {}) };
}

/** Merges fields into the stored ones; returns the same object without a change. */
export function keptWith(fields: Partial<PowerDnsZoneFields>) {
  return (before: StoredZoneFields): StoredZoneFields => {
    const now = keptIn(before);
    const isSame = Object.entries(fields).every(
      ([field, value]) => JSON.stringify(value) === JSON.stringify(now[field as keyof PowerDnsZoneFields]),
    );
    return isSame ? before : { ...before, powerdns: { ...now, ...fields } };
  };
}

/** The fields of a request; absent ones keep their value. */
export interface ZoneFieldsInput extends Partial<Omit<PowerDnsZoneFields, 'kind' | 'soaComments'>> {
  readonly kind?: PowerDnsZoneFields['kind'] | 'Slave';
}

const EDITS = ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE', 'NONE', ''];
const SOA_EDITS = ['INCREMENT-WEEKS', 'INCEPTION-EPOCH', 'INCEPTION-INCREMENT', 'EPOCH', 'NONE', ''];
const KINDS: Readonly<Record<string, ZoneFieldsInput['kind']>> = {
  native: 'Native',
  master: 'Master',
  primary: 'Master',
  slave: 'Slave',
  secondary: 'Slave',
};
const MOST_MASTERS = 100;

export function readZoneFields(body: sent.InputObject): ZoneFieldsInput {
  assertNothingUnkept(body);
  const kind = readKind(body);
  const masters = readMasters(sent.listIn(body, 'masters'));
  const account = sent.textIn(body, 'account', 255);
  const apiRectify = sent.truthIn(body, 'api_rectify');
  const soaEditApi = readWord(body, 'soa_edit_api', EDITS);
  const soaEdit = readWord(body, 'soa_edit', SOA_EDITS);
  return {
    ...(kind !== undefined && { kind }),
    ...(masters !== undefined && { masters }),
    ...(account !== undefined && { account }),
    ...(apiRectify !== undefined && { apiRectify }),
    ...(soaEditApi !== undefined && { soaEditApi }),
    ...(soaEdit !== undefined && { soaEdit }),
  };
}

/** Unknown values count as Native, like in PowerDNS. */
export function readKind(body: sent.InputObject): ZoneFieldsInput['kind'] {
  const text = sent.textIn(body, 'kind');
  if (text === undefined) return undefined;
  const word = text.toLowerCase();
  if (word === 'producer' || word === 'consumer') sent.refuse(`Zones of kind '${text}' are not kept`);
  return KINDS[word] ?? 'Native';
}

function readMasters(list: readonly unknown[] | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  if (list.length > MOST_MASTERS) sent.refuse(`A zone has at most ${MOST_MASTERS} masters`);
  return list.map((master) =>
    typeof master === 'string' && /^[\w.:[\]%-]{1,255}$/.test(master)
      ? master
      : sent.refuse(`Master '${String(master).slice(0, 64)}' is not an IP address`),
  );
}

function readWord(body: sent.InputObject, field: string, words: readonly string[]): string | undefined {
  const text = sent.textIn(body, field)?.toUpperCase();
  if (text === undefined || words.includes(text)) return text;
  return sent.refuse(`Key '${field}' is not one of ${words.filter((word) => word !== '').join(', ')}`);
}

/** Rejects NSEC3 parameters, catalogs and TSIG key IDs. */
function assertNothingUnkept(body: sent.InputObject): void {
  if ((sent.textIn(body, 'nsec3param') ?? '') !== '') sent.refuse('There is no nsec3param: ask for NSEC3 at /v1');
  if ((sent.textIn(body, 'catalog') ?? '') !== '')
    sent.refuse('Catalogs of zones are configured, and not named by zones');
  for (const field of ['master_tsig_key_ids', 'slave_tsig_key_ids'])
    for (const name of sent.listIn(body, field) ?? [])
      sent.refuse(`A TSIG key with the name '${String(name).slice(0, 64)}' does not exist: keys are configured`);
}
