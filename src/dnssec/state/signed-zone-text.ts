import { Injectable } from '@nestjs/common';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import { signedDataToText } from '../../dns/dnssec/presentation.js';
import type { NameSets } from '../../dns/dnssec/whole-zone.js';
import { writeRecordSet } from '../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../dns/name.js';
import { typeName } from '../../dns/rdata/type-names.js';
import type { SignedSet } from '../../publishing/transfers/signed-zones.js';
import { RecordsOptions } from '../../records/records.options.js';
import { SignedTexts } from '../../zone-files/export/zone-text.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneInOrder } from '../signing/zone-in-order.js';
import { isMade, readSignedSet } from './signed-set-form.js';
import { SignedSetRepository } from './signed-set.repository.js';
import { ZoneSigningRepository } from './zone-signing.repository.js';
import type { ZoneSigningEntity } from './zone-signing.entity.js';

/** Writes signed zones in master file format: name by name, each set before its signatures. */
@Injectable()
export class SignedZoneText extends SignedTexts {
  constructor(
    private readonly zones: ZoneInOrder,
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly options: RecordsOptions,
  ) {
    super();
  }

  override async *lines(tx: Transaction, { id, name }: ZoneEntity): AsyncGenerator<string> {
    const row = await this.signing.find(tx, id);
    if (row === undefined) throw new Error(`zone ${id} has a signed serial, but no signing state`);
    const apex = DomainName.parse(name);
    const { names } = await this.zones.published(tx, row);
    for await (const batch of names) yield await this.linesOfNames(tx, row, batch, apex);
    // NSEC3 owner names have no other records.
    for await (const page of this.sets.all(tx, row))
      yield page
        .filter(({ type }) => type === Type.NSEC3)
        .map((set) => this.linesOf(readSignedSet(set), apex))
        .join('');
  }

  private async linesOfNames(
    tx: Transaction,
    row: ZoneSigningEntity,
    names: readonly NameSets[],
    apex: DomainName,
  ): Promise<string> {
    const keys = names.map(([{ owner }]) => owner.key);
    const stored = groupedBy(await this.sets.at(tx, row, keys), ({ ownerKey }) => ownerKey);
    return names
      .flatMap((contents) => publishedAt(apex, contents, (stored.get(contents[0].owner.key) ?? []).map(readSignedSet)))
      .map((set) => this.linesOf(set, apex))
      .join('');
  }

  private linesOf({ owner, type, ttl, rdatas, signatures }: SignedSet, apex: DomainName): string {
    const records = rdatas.map((rdata) => this.lineOf(owner, type, ttl, rdata, apex));
    const signed = signatures.map((rdata) => this.lineOf(owner, Type.RRSIG, ttl, rdata, apex));
    return [...records, ...signed].join('');
  }

  private lineOf(owner: DomainName, type: number, ttl: number, rdata: Uint8Array, apex: DomainName): string {
    const text = signedDataToText(type, rdata, apex);
    if (text !== null) return `${owner.toString()}\t${ttl}\tIN\t${typeName(type)}\t${text}\n`;
    const known = this.options.knownTypes.byCode(type);
    if (known === undefined) throw new Error(`no record type with code ${type} is known`);
    return writeRecordSet({ owner, type: known, ttl, rdatas: [rdata] });
  }
}

/** Generated sets as they were signed, all others as in the zone. The SOA comes first. */
function publishedAt(apex: DomainName, contents: NameSets, stored: readonly SignedSet[]): SignedSet[] {
  const signaturesOf = (type: number): readonly Uint8Array[] =>
    stored.find((set) => set.type === type)?.signatures ?? [];
  const own = contents
    .filter((set) => !isMade(set, apex))
    .map((set) => ({ ...set, signatures: signaturesOf(set.type) }));
  const made = stored.filter((set) => isMade(set, apex) && set.type !== Type.NSEC3);
  return [...own, ...made].sort(({ type }, { type: other }) => placeOf(type) - placeOf(other));
}

function placeOf(type: number): number {
  return type === Type.SOA ? 0 : type;
}
