import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainName } from '../dns/name.js';
import { NoticeReceivers } from '../feed/change-events.js';
import type { Answer } from './alias-answer.js';
import type { AliasTargetEntity } from './alias-target.entity.js';
import { AliasRepository } from './alias.repository.js';
import { AliasesOptions } from './aliases.options.js';
import { TargetHasMoved, TargetResolution } from './target-resolution.js';

/** Resolves due targets, and stores what becomes of their addresses. */
@Injectable()
export class TargetRefresher {
  private lastNotice: Instant = 0;

  constructor(
    private readonly aliases: AliasRepository,
    private readonly resolution: TargetResolution,
    private readonly options: AliasesOptions,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly receivers: NoticeReceivers,
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
      const after = this.noticed(settled(target, answer, this.options, this.clock.now()));
      await this.unitOfWork.run((tx) => this.aliases.settle(tx, after, target));
      return true;
    } catch (error) {
      if (!(error instanceof TargetHasMoved)) throw error;
      await this.unitOfWork.run((tx) => this.aliases.relink(tx, target));
      return false;
    }
  }

  /** Adds the fact to tell if the target begins or ends to fail (behaviour 24.12). */
  private noticed(target: AliasTargetEntity): AliasTargetEntity {
    const now = this.clock.now();
    const isTold = target.notices % 2 === 1;
    const isDue = isTold ? target.state === 'resolved' : isPastGrace(target, this.options, now);
    if (this.receivers.isEmpty || !isDue) return target;
    // Tells the targets of one zone apart.
    this.lastNotice = Math.max(now, this.lastNotice + 1);
    return { ...target, notices: target.notices + 1, noticedAt: this.lastNotice };
  }
}

type Times = Pick<AliasesOptions, 'minInterval' | 'maxInterval' | 'keepMissing' | 'failingAfter'>;

const SECOND: Instant = 1_000_000;
/** Between two queries for a target without addresses, if the name server gives no time. */
const RETRY_SECONDS = 60;

/** The row of a target after an answer: which addresses stay, and when it is due again (behaviour 24.5). */
function settled(target: AliasTargetEntity, answer: Answer, options: Times, now: Instant): AliasTargetEntity {
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
  const troubledSince = target.troubledSince ?? now;
  const troubled = { ...target, state: answer.kind, problem: answer.problem, troubledSince };
  const end = graceEnd(troubled, options);
  // At first, the names may have the addresses of a former target.
  const isEmptied = answer.kind !== 'failing' && now >= end && (target.addresses !== '' || target.version === 0);
  const retry = interval(answer.kind === 'failing' ? RETRY_SECONDS : Math.max(answer.ttl, RETRY_SECONDS));
  return {
    ...troubled,
    ...(isEmptied && { addresses: '', version: target.version + 1 }),
    // A loop ends by a change in one of its zones, of which only the first is heard.
    nextAt: now >= end ? retry : Math.min(retry, Math.max(end, now + SECOND)),
  };
}

function isPastGrace(target: AliasTargetEntity, options: Times, now: Instant): boolean {
  return target.state !== 'resolved' && now >= graceEnd(target, options);
}

/** When the last addresses go, or the target counts as failing. */
function graceEnd({ state, troubledSince }: AliasTargetEntity, { keepMissing, failingAfter }: Times): Instant {
  if (state === 'looping') return -Infinity;
  return (troubledSince ?? Infinity) + SECOND * (state === 'failing' ? failingAfter : keepMissing);
}
