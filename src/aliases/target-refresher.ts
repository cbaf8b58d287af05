import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainName } from '../dns/name.js';
import type { Answer } from './alias-answer.js';
import type { AliasTargetEntity } from './alias-target.entity.js';
import { AliasRepository } from './alias.repository.js';
import { AliasesOptions } from './aliases.options.js';
import { TargetHasMoved, TargetResolution } from './target-resolution.js';

/** Resolves due targets, and stores what becomes of their addresses. */
@Injectable()
export class TargetRefresher {
  constructor(
    private readonly aliases: AliasRepository,
    private readonly resolution: TargetResolution,
    private readonly options: AliasesOptions,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Targets that are due, after another one. */
  due(after: AliasTargetEntity | undefined, limit: number): Promise<AliasTargetEntity[]> {
    return this.reads.run((tx) => this.aliases.due(tx, this.clock.now(), after, limit));
  }

  /** The tenant of one owner, which is charged; `null` if the target was deleted for having none. */
  async tenantOf(target: AliasTargetEntity): Promise<string | null> {
    const tenantId = await this.reads.run((tx) => this.aliases.tenantOf(tx, target));
    if (tenantId === null) await this.unitOfWork.run((tx) => this.aliases.deleteUnused(tx, target));
    return tenantId;
  }

  /** Returns false if the owners need another target row, because the zone of the target has changed hands. */
  async refresh(target: AliasTargetEntity, tenantId: string): Promise<boolean> {
    try {
      const answer = await this.resolution.resolve(DomainName.parse(target.name), target.zoneId, tenantId);
      const after = settled(target, answer, this.options, this.clock.now());
      await this.unitOfWork.run((tx) => this.aliases.settle(tx, after, target));
      return true;
    } catch (error) {
      if (!(error instanceof TargetHasMoved)) throw error;
      await this.unitOfWork.run((tx) => this.aliases.relink(tx, target));
      return false;
    }
  }
}

const SECOND: Instant = 1_000_000;
/** Between two queries for a target without addresses, if the name server gives no time. */
const RETRY_SECONDS = 60;

/** The row of a target after an answer: which addresses stay, and when it is due again (behaviour 24.5). */
function settled(
  target: AliasTargetEntity,
  answer: Answer,
  options: Pick<AliasesOptions, 'minInterval' | 'maxInterval' | 'keepMissing'>,
  now: Instant,
): AliasTargetEntity {
  const interval = (seconds: number): Instant =>
    now + SECOND * Math.min(Math.max(seconds, options.minInterval), options.maxInterval);
  if (answer.kind === 'resolved') {
    const addresses = answer.addresses.join(' ');
    const isKnown = addresses === target.addresses;
    return {
      ...target,
      ...{ addresses, state: 'resolved', problem: null, troubledSince: null, resolvedAt: now },
      version: isKnown ? target.version : target.version + 1,
      nextAt: interval(answer.ttl),
    };
  }
  const since = target.troubledSince ?? now;
  const end = since + SECOND * options.keepMissing;
  const isOver = answer.kind === 'looping' || (answer.kind !== 'failing' && now >= end);
  // At first, the names may have the addresses of a former target.
  const lost = isOver && (target.addresses !== '' || target.version === 0);
  const retry = interval(answer.kind === 'failing' ? RETRY_SECONDS : Math.max(answer.ttl, RETRY_SECONDS));
  return {
    ...target,
    ...{ state: answer.kind, problem: answer.problem, troubledSince: since },
    ...(lost && { addresses: '', version: target.version + 1 }),
    // A loop ends by a change in one of its zones, of which only the first is heard.
    nextAt: answer.kind !== 'failing' && !isOver ? Math.min(retry, Math.max(end, now + SECOND)) : retry,
  };
}
