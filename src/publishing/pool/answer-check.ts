import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainName } from '../../dns/name.js';
import { type PublishedZone, ZoneSource } from '../transfers/zone-source.js';
import { AnswerComparison, type Comparison } from './answer-comparison.js';
import { AnswerCount, CheckedServer } from './checked-server.js';
import { isInSync } from './is-in-sync.js';
import { PoolMembers } from './pool-members.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { type SampledQuestion, SampledQuestions } from './sampled-questions.js';

/** Record sets of one domain that servers are asked for at a time. */
const AT_A_TIME = 8;
/** Domains that are read at a time. */
const PAGE_SIZE = 500;
/** Where a serial moves, the question is repeated after pauses in milliseconds. */
const ATTEMPTS = 3;
const PAUSE = 1000;

/** How name servers answer for a domain. */
export interface CheckedZone {
  readonly name: string;
  /** Record sets that servers were asked for. */
  readonly sets: number;
  /** By server; those that answer rightly are left out. */
  readonly findings: ReadonlyMap<string, string>;
}

/** Asks all name servers for all record sets of domains (behaviour 12.8). */
@Injectable()
export class AnswerCheck {
  constructor(
    private readonly zones: ZoneSource,
    private readonly publications: PublicationRepository,
    private readonly questions: SampledQuestions,
    private readonly comparison: AnswerComparison,
    private readonly members: PoolMembers,
  ) {}

  /** All domains in the order of their names, from after that name on. */
  async *allZones(after: DomainName | null): AsyncGenerator<WantedZone> {
    for (let marker = after?.key ?? ''; ;) {
      const page = await this.publications.pageByName(marker, PAGE_SIZE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      marker = last.nameKey;
    }
  }

  /**
   * Ends early where no server answers any more. It can be called once in a process.
   * @param rate questions to one server a second
   */
  async *run(zones: AsyncIterable<WantedZone>, rate: number): AsyncGenerator<CheckedZone> {
    const asked = this.members.all.filter(({ isAsked }) => isAsked);
    const servers = asked.map((member) => new CheckedServer(member, rate));
    try {
      for await (const zone of zones) {
        const left = servers.filter(({ isLeftOut }) => !isLeftOut);
        if (left.length === 0) return;
        yield await this.check(zone, left);
      }
    } finally {
      for (const server of servers) server.end();
      await this.members.end();
    }
  }

  private async check(zone: WantedZone, servers: readonly CheckedServer[]): Promise<CheckedZone> {
    const findings = new Map<string, string>();
    const tallies: AnswerCount[] = [];
    await Promise.all(
      servers.map(async (server) => {
        const obstacle = await this.obstacleAt(server, zone);
        if (obstacle === null) tallies.push(new AnswerCount(server));
        else
          findings.set(server.label, server.isLeftOut ? `${obstacle}; left out of the check from here on` : obstacle);
      }),
    );
    const sets = tallies.length === 0 ? 0 : await this.askAll(zone, tallies);
    for (const { server, finding } of tallies) if (finding !== null) findings.set(server.label, finding);
    return { name: zone.name, sets, findings };
  }

  /** Why answers cannot be compared; `null` where the server has the serial of the zone, or the zone is no longer there. */
  private async obstacleAt(server: CheckedServer, wanted: WantedZone): Promise<string | null> {
    let obstacle = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await delay(PAUSE);
      const zone = await this.zones.find(DomainName.parse(wanted.name));
      if (zone?.id !== wanted.id) return null;
      const answer = await server.serialOf(zone.name);
      if (answer.kind === 'silence' || answer.kind === 'error') return `not compared: ${answer.reason}`;
      if (zone.awaitsSigning === true) obstacle = 'not compared: the domain has yet to be signed';
      else if (answer.kind === 'serial' && isInSync(answer.serial, zone.serial)) return null;
      else if (answer.kind === 'serial') obstacle = `not compared: serial ${answer.serial} instead of ${zone.serial}`;
    }
    return obstacle;
  }

  /** Returns how many record sets were asked for. */
  private async askAll(zone: WantedZone, tallies: readonly AnswerCount[]): Promise<number> {
    const questions = this.questions.all(zone);
    let sets = 0;
    const worker = async (): Promise<void> => {
      for await (const question of questions) {
        const left = tallies.filter(({ isUnanswered }) => !isUnanswered);
        if (left.length === 0) return;
        sets += 1;
        await Promise.all(
          left.map(async (tally) => tally.count(question.text, await this.outcomeOf(tally.server, zone, question))),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    return sets;
  }

  /** A difference counts where zone and server have one serial before and after. */
  private async outcomeOf(server: CheckedServer, wanted: WantedZone, question: SampledQuestion): Promise<Comparison> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await delay(PAUSE);
      const zone = await this.present(wanted);
      if (zone === null) return { kind: 'left out' };
      const compared = await this.compare(server, zone, question);
      if (compared.kind !== 'other') return compared;
      const answer = await server.serialOf(zone.name);
      const after = await this.present(wanted);
      const hasSerial = answer.kind === 'serial' && answer.serial === zone.serial;
      if (hasSerial && after?.serial === zone.serial) return compared;
    }
    return { kind: 'unknown' };
  }

  private async compare(server: CheckedServer, zone: PublishedZone, question: SampledQuestion): Promise<Comparison> {
    const wanted = await this.comparison.wanted(zone, question);
    if (wanted === null) return { kind: 'left out' };
    return this.comparison.compare(question, wanted, await server.answerTo(question));
  }

  private async present({ id, name }: WantedZone): Promise<PublishedZone | null> {
    const zone = await this.zones.find(DomainName.parse(name));
    return zone?.id === id ? zone : null;
  }
}
