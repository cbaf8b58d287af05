import { Injectable } from '@nestjs/common';
import { isFollowedBack } from '../../common/labels.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { isWildcardKey } from '../../dns/name-key.js';
import { PTR } from '../../dns/rdata/name-types.js';
import type { FollowedAddress } from '../../zones/changes/followed-addresses.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** A portion's PTR records are judged in some milliseconds. */
const PORTION = 200;

/** Records of other types have no RDATA here: that may be long. */
const RECORDS = (type: string): Statement<StoredAddress> =>
  new Statement<StoredAddress>(
    `SELECT r.id, r.name, r.owner_key AS "ownerKey", r.ttl, CASE WHEN r.type IN (${type}) THEN r.rdata END AS rdata, s.labels` +
      ' FROM records r LEFT JOIN record_sets s ON s.zone_id = r.zone_id AND s.owner_key = r.owner_key AND s.type = r.type' +
      ` WHERE ${IN_ZONE.replaceAll('zone_id', 'r.zone_id')} AND r.id > ? ORDER BY r.id LIMIT ${PORTION}`,
  );
const ADDRESSES = RECORDS("'A', 'AAAA'");
const POINTERS = RECORDS(`'${PTR.name}'`);

interface StoredAddress extends Omit<FollowedAddress, 'rdata'> {
  readonly id: string;
  readonly ownerKey: string;
  readonly rdata: string | null;
  readonly labels: string | null;
}

export interface AddressPage {
  readonly addresses: readonly FollowedAddress[];
  /** ID of the last record that was read; `null`: there are no more. */
  readonly next: string | null;
}

/** The records of a zone in portions, in the order of their IDs. */
@Injectable()
export class ReverseAddresses {
  /** Those whose PTR records follow, or would with the label. */
  async page(tx: Transaction, zone: Pick<ZoneEntity, 'id' | 'labels'>, after: string): Promise<AddressPage> {
    const rows = await ADDRESSES.rows(tx, [zone.id, after]);
    const isWhole = isFollowedBack(zone);
    const addresses = rows.flatMap(({ name, ownerKey, ttl, rdata, labels }) =>
      rdata !== null && !isWildcardKey(ownerKey) && (isWhole || isFollowedBack({ labels }))
        ? [{ name, ttl, rdata }]
        : [],
    );
    return { addresses, next: nextOf(rows) };
  }

  /** PTR records. */
  async pointers(tx: Transaction, zoneId: string, after: string): Promise<AddressPage> {
    const rows = await POINTERS.rows(tx, [zoneId, after]);
    return {
      addresses: rows.flatMap(({ name, ttl, rdata }) => (rdata === null ? [] : [{ name, ttl, rdata }])),
      next: nextOf(rows),
    };
  }
}

function nextOf(rows: readonly StoredAddress[]): string | null {
  return rows.length === PORTION ? (rows.at(-1)?.id ?? null) : null;
}
