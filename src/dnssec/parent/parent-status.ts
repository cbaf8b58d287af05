import { Injectable } from '@nestjs/common';
import { type Instant, Clock, DAY } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import type { ParentStatement } from '../parent-statements.js';
import { ZoneRolloverRepository } from '../rollovers/zone-rollover.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { awaitedDs, isAsAwaited, matches } from './awaited-ds.js';
import { agreedDs, type ParentObservation } from './parent-observation.js';
import { parentStatusText } from './parent-status-text.js';
import { observationOf, ZoneParentRepository } from './zone-parent.repository.js';

/** What was seen of a zone in its parent zone, and when. */
export interface SeenAtParent {
  readonly sight: ParentObservation;
  readonly seenAt: Instant;
}

/** What was seen in parent zones, for whoever asks. */
@Injectable()
export class ParentStatus {
  constructor(
    private readonly parents: ZoneParentRepository,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly clock: Clock,
  ) {}

  /** `null`: nobody has looked. */
  async of(tx: Transaction, zoneId: string): Promise<SeenAtParent | null> {
    const row = await this.parents.find(tx, zoneId);
    return row === null ? null : { sight: observationOf(row), seenAt: row.seenAt };
  }

  /** What speaks against what somebody says, in words; `null` where nothing does, or nothing is known of today. */
  async objectionTo(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    { hasDs }: ParentStatement,
  ): Promise<string | null> {
    const seen = await this.of(tx, zone.id);
    const agreed = seen === null || seen.seenAt < this.clock.now() - DAY ? null : agreedDs(seen.sight);
    if (seen === null || agreed === null) return null;
    const keys = await this.keyRows.ofZone(tx, zone.id);
    const said = hasDs ? awaitedDs(row, await this.rollovers.find(tx, zone.id), keys) : { of: [], notOf: [] };
    if (said === null || isAsAwaited(zone.name, agreed, said)) return null;
    return parentStatusText(zone.name, said, seen.sight);
  }
}

/** Whether a DS is of a key that answers are signed with; `null` where there is none, or servers do not agree. */
export function isOursAtParent(
  zoneName: string,
  agreed: readonly string[] | null,
  keys: readonly ZoneKeyEntity[],
): boolean | null {
  if (agreed === null || agreed.length === 0) return null;
  return matches(
    zoneName,
    agreed,
    keys.filter(({ isPublished, signsKeys }) => isPublished === 1 && signsKeys === 1),
  );
}
