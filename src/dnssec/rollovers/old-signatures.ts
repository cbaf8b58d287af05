import { Injectable } from '@nestjs/common';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { Transaction } from '../../database/transaction.js';
import { SigningContext } from '../signing-context.js';
import { FIRST_PLACE, type SignedSetKey } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { changesSigners } from './rollover-plan.js';
import type { ZoneRolloverEntity } from './zone-rollover.entity.js';

/** For one check of a zone. Signing 5,000 sets takes longer than the pause before the next check. */
const MOST_MADE_DUE = 5000;

interface Search {
  readonly step: string;
  readonly next: SignedSetKey | null;
}

/** Makes sets due that other keys signed than a rollover wants: a page in a transaction, because all changes wait for it. */
@Injectable()
export class OldSignatures {
  /** Where the search goes on in a zone. Another process begins with the first set. */
  private readonly searches = new Map<string, Search>();

  constructor(private readonly context: SigningContext) {}

  /** Call it in the transaction that changes the keys. Returns whether there are more sets than it has read. */
  async makeFirstDue(tx: Transaction, row: ZoneSigningEntity): Promise<boolean> {
    const signers = await this.signersOf(tx, row.zoneId);
    const { others, next } = await this.context.sets.signedByOthers(tx, row, signers, FIRST_PLACE);
    await this.context.sets.makeDue(tx, row, others);
    return next !== null;
  }

  /** Goes on after `makeFirstDue`. Returns whether sets have old signatures. */
  async makeNextDue(row: ZoneSigningEntity, rollover: ZoneRolloverEntity | null): Promise<boolean> {
    const { zoneId } = row;
    if (rollover?.provenUntil !== null || !changesSigners(rollover)) {
      this.searches.delete(zoneId);
      return false;
    }
    const step = `${rollover.id} ${rollover.step}`;
    const known = this.searches.get(zoneId);
    let next = known?.step === step ? known.next : FIRST_PLACE;
    const signers = await this.context.read((tx) => this.signersOf(tx, zoneId));
    for (let count = 0; next !== null && count < MOST_MADE_DUE;) {
      const after = next;
      const page = await this.context.read((tx) => this.context.sets.signedByOthers(tx, row, signers, after));
      if (page.others.length > 0 && !(await this.makeDue(row, page.others))) return true;
      count += page.others.length;
      next = page.next;
      await nextTurn();
    }
    this.searches.set(zoneId, { step, next });
    return next !== null || (await this.context.read((tx) => this.context.sets.firstDue(tx, row))) === 0;
  }

  /** Returns `false` if other keys sign meanwhile, or the zone was signed anew. */
  private makeDue(row: ZoneSigningEntity, sets: readonly SignedSetKey[]): Promise<boolean> {
    return this.context.update(row.zoneId, async (tx, present) => {
      if (present?.generation !== row.generation || present.keysVersion !== row.keysVersion) return false;
      await this.context.sets.makeDue(tx, row, sets);
      return true;
    });
  }

  /** In the form of `SignedSetEntity.signedBy`. */
  private async signersOf(tx: Transaction, zoneId: string): Promise<string> {
    const signers = (await this.context.keys.ofZone(tx, zoneId)).filter(({ signsZone }) => signsZone === 1);
    return signers.map(({ tag }) => tag).join(',');
  }
}
