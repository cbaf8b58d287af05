import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { chainKind } from '../../dns/dnssec/denial.js';
import { type NameSets, setsToSign } from '../../dns/dnssec/whole-zone.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { isMade } from '../state/signed-set-form.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { denialTtlOf } from './apex-sets.js';
import { byName, signable } from './present-sets.js';
import type { SetToSign, SignedBase } from './signing-task.js';
import { TaskReader } from './task-reader.js';
import { ZoneSignatures } from './zone-signatures.js';

/** So many sets are signed and written together. */
const PORTION = 500;

/** Signs all of a zone, into rows that count for nobody until a run publishes them. */
@Injectable()
export class WholeZoneSigning {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly served: ServedZone,
    private readonly tasks: TaskReader,
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly signatures: ZoneSignatures,
    private readonly sets: SignedSetRepository,
    private readonly clock: Clock,
    private readonly options: DnssecOptions,
  ) {}

  /**
   * Memory depends on the number of names, and not on that of records.
   * @param generation of the rows, which nobody else makes
   * @throws UnverifiedSignature, SealedShut, ServiceError `zone_not_found`, `unavailable`
   */
  async sign(row: ZoneSigningEntity, generation: number, signal: AbortSignal): Promise<SignedBase> {
    const { zoneId } = row;
    let portion: SetToSign[] = [];
    let base: SignedBase | null = null;
    const write = async (name: string, keys: Parameters<ZoneSignatures['rowsOf']>[2]): Promise<void> => {
      const rows = await this.signatures.rowsOf({ zoneId, generation, name }, portion, keys);
      portion = [];
      await this.unitOfWork.run((tx) => this.sets.write(tx, rows), { queue: 'signing' });
    };
    const read = this.reads.stream((tx) => this.read(tx, row));
    for await (const { zone, keys, sets } of read) {
      signal.throwIfAborted();
      base = { row, generation, version: zone.version, isFresh: true };
      for (const set of sets) portion.push({ set, before: null });
      if (portion.length >= PORTION || sets.length === 0) await write(zone.name, keys);
    }
    if (base === null) throw new Error('a zone has one set at least');
    return base;
  }

  /** Ends with no sets. */
  private async *read(tx: Transaction, row: ZoneSigningEntity) {
    const zone = await this.served.zone(tx, row.zoneId);
    const keyRows = await this.keyRows.ofZone(tx, zone.id);
    const keys = this.keys.signing(keyRows);
    const { made, soa } = this.tasks.madeSets(zone, zone.serial, { row }, keyRows);
    const form = {
      apex: DomainName.parse(zone.name),
      kind: chainKind(row.denial),
      denialTtl: denialTtlOf(soa, Math.min(zone.ttl, this.options.maxTtl)),
    };
    for await (const sets of setsToSign(form, this.names(tx, zone, made))) if (sets.length > 0) yield { zone, keys, sets };
    yield { zone, keys, sets: [] };
  }

  /** All sets of each name, in canonical order: the apex first, with what is made there. */
  private async *names(
    tx: Transaction,
    zone: ZoneEntity,
    made: readonly WireSet[],
  ): AsyncGenerator<readonly NameSets[]> {
    let gathered: WireSet[] = [...made];
    for await (const sets of this.served.recordSets(tx, zone)) {
      const all = [...gathered, ...signable(sets, this.options.maxTtl).filter(({ type }) => !isMade(type))];
      const lastKey = all.at(-1)?.owner.key;
      const names = [...byName(all).values()];
      // More of the last name may come in the next batch.
      gathered = lastKey === undefined ? [] : [...(names.pop() ?? [])];
      if (names.length > 0) yield names;
    }
    const rest = [...byName(gathered).values()];
    if (rest.length > 0) yield rest;
  }
}
