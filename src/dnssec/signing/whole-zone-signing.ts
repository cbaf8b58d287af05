import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { setsToSign } from '../../dns/dnssec/whole-zone.js';
import type { SigningKeys } from '../../dns/dnssec/zone-signer.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import type { SetToSign, SignedBase } from './signing-task.js';
import { ZoneInOrder } from './zone-in-order.js';
import { ZoneSignatures } from './zone-signatures.js';

/** So many sets are signed and written together. */
const PORTION = 1000;

/** Signs all of a zone, into rows that count for nobody until a run publishes them. */
@Injectable()
export class WholeZoneSigning {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: ZoneInOrder,
    private readonly keys: ZoneKeys,
    private readonly signatures: ZoneSignatures,
    private readonly sets: SignedSetRepository,
  ) {}

  /**
   * Memory depends on the number of names, and not on that of records.
   * @param generation of the rows, which nobody else makes
   * @throws UnverifiedSignature, SealedShut, ServiceError `zone_not_found`, `unavailable`
   */
  async sign(row: ZoneSigningEntity, generation: number, signal: AbortSignal): Promise<SignedBase> {
    const { zoneId } = row;
    let version: number | null = null;
    for await (const { name, keys, chunk, ...zone } of this.reads.stream((tx) => this.portions(tx, row))) {
      signal.throwIfAborted();
      const rows = await this.signatures.rowsOf({ zoneId, generation, name }, chunk, keys);
      await this.unitOfWork.run((tx) => this.sets.write(tx, rows), { queue: 'signing' });
      version = zone.version;
    }
    if (version === null) throw new Error('a zone has one set at least');
    return { row, generation, version, isFresh: true };
  }

  private async *portions(tx: Transaction, row: ZoneSigningEntity): AsyncGenerator<Portion> {
    const { zone, keys: keyRows, form, names } = await this.zones.present(tx, row);
    const { name, version } = zone;
    const keys = this.keys.signing(keyRows);
    let chunk: SetToSign[] = [];
    for await (const sets of setsToSign(form, names)) {
      chunk.push(...sets.map((set) => ({ set, before: null })));
      if (chunk.length < PORTION) continue;
      yield { name, version, keys, chunk };
      chunk = [];
    }
    if (chunk.length > 0) yield { name, version, keys, chunk };
  }
}

interface Portion {
  readonly name: string;
  readonly version: number;
  readonly keys: SigningKeys;
  readonly chunk: readonly SetToSign[];
}
