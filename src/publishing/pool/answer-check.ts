import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainName } from '../../dns/name.js';
import { type PublishedZone, ZoneSource } from '../transfers/zone-source.js';
import { AnswerComparison, type Comparison } from './answer-comparison.js';
import { isInSync } from './name-server-status.js';
import { PoolMembers, type Answer, type PoolMember } from './pool-member.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { type SampledQuestion, SampledQuestions } from './answer-samples.js';
import type { Message, Question } from '../../dns/message/message.js';
import { Pace } from './soa-questions.js';

const AT_A_TIME = 8;
const PAGE_SIZE = 500;
/** Attempts while a serial changes, and the pause between them in milliseconds. */
const ATTEMPTS = 3;
const PAUSE = 1000;

export interface CheckedZone {
  readonly name: string;
  readonly sets: number;
  /** Findings by server label; servers without findings are absent. */
  readonly findings: ReadonlyMap<string, string>;
}

/** Compares the answers of all name servers for all record sets with the database (behaviour 12.8). */
@Injectable()
export class AnswerCheck {
  constructor(
    private readonly zones: ZoneSource,
    private readonly publications: PublicationRepository,
    private readonly questions: SampledQuestions,
    private readonly comparison: AnswerComparison,
    private readonly members: PoolMembers,
  ) {}

  async *allZones(after: DomainName | null): AsyncGenerator<WantedZone> {
    for (let marker = after?.key ?? ''; ;) {
      const page = await this.publications.pageByName(marker, PAGE_SIZE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      marker = last.nameKey;
    }
  }

  /** Ends early if all servers stop answering. Call it once per process. `rate`: queries per second and server. */
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
        else findings.set(server.label, server.isLeftOut ? `${obstacle}; skipped from now on` : obstacle);
      }),
    );
    const sets = tallies.length === 0 ? 0 : await this.askAll(zone, tallies);
    for (const { server, finding } of tallies) if (finding !== null) findings.set(server.label, finding);
    return { name: zone.name, sets, findings };
  }

  /** Returns `null` if the server has the serial of the zone, or the zone was deleted. */
  private async obstacleAt(server: CheckedServer, wanted: WantedZone): Promise<string | null> {
    let obstacle = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await delay(PAUSE);
      const zone = await this.zones.find(DomainName.parse(wanted.name));
      if (zone?.id !== wanted.id) return null;
      const answer = await server.serialOf(zone.name);
      if (answer.kind === 'silence' || answer.kind === 'error') return `not compared: ${answer.reason}`;
      if (zone.awaitsSigning === true) obstacle = 'not compared: the domain is not signed yet';
      else if (answer.kind === 'serial' && isInSync(answer.serial, zone.serial)) return null;
      else if (answer.kind === 'serial') obstacle = `not compared: serial ${answer.serial} instead of ${zone.serial}`;
    }
    return obstacle;
  }

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

  /** Reports a difference only if zone and server had the same serial before and after the query. */
  private async outcomeOf(server: CheckedServer, wanted: WantedZone, question: SampledQuestion): Promise<Comparison> {
    // As for a sample: the server may transfer a change right after its answer.
    let serialBefore = wanted.serial;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await delay(PAUSE);
      const zone = await this.present(wanted);
      if (zone === null) return { kind: 'left out' };
      const compared = await this.comparison.compare(zone, question, () => server.answerTo(question));
      if (compared.kind !== 'other') return compared;
      const answer = await server.serialOf(zone.name);
      const after = await this.present(wanted);
      const serials = [serialBefore, answer.kind === 'serial' ? answer.serial : null, after?.serial];
      if (serials.every((serial) => serial === zone.serial)) return compared;
      if (answer.kind === 'serial') serialBefore = answer.serial;
    }
    return { kind: 'unknown' };
  }

  private async present({ id, name }: WantedZone): Promise<PublishedZone | null> {
    const zone = await this.zones.find(DomainName.parse(name));
    return zone?.id === id ? zone : null;
  }
}

/** For each answer, in milliseconds. */
const TIME_LIMIT = 2000;
/** Queries are repeated because datagrams get lost. */
const QUESTION_ATTEMPTS = 2;
/** Unanswered queries of one domain after which the check skips the domain. */
const MOST_UNANSWERED = 5;
/** Consecutive domains without an answer after which the check skips the server. */
const MOST_SILENT_ZONES = 3;

class CheckedServer {
  private readonly pace: Pace;
  private silentZones = 0;

  /** @param rate queries per second */
  constructor(
    private readonly member: PoolMember,
    rate: number,
  ) {
    this.pace = new Pace(rate, 1);
  }

  get label(): string {
    return this.member.label;
  }

  get isLeftOut(): boolean {
    return this.silentZones >= MOST_SILENT_ZONES;
  }

  async serialOf(name: DomainName): Promise<Answer> {
    let answer: Answer = { kind: 'unsent' };
    for (let attempt = 0; attempt < QUESTION_ATTEMPTS && (await this.pace.turn()); attempt++) {
      answer = await this.member.serialOf(name, TIME_LIMIT);
      if (answer.kind === 'serial' || answer.kind === 'error') break;
    }
    this.silentZones = answer.kind === 'silence' ? this.silentZones + 1 : 0;
    return answer;
  }

  async answerTo(question: Question): Promise<Message | null> {
    for (let attempt = 0; attempt < QUESTION_ATTEMPTS && (await this.pace.turn()); attempt++) {
      const message = await this.member.answerTo(question, TIME_LIMIT);
      if (message !== null) return message;
    }
    return null;
  }

  end(): void {
    this.pace.end();
  }
}

class AnswerCount {
  private asked = 0;
  private others = 0;
  private unanswered = 0;
  private example: string | null = null;

  constructor(readonly server: CheckedServer) {}

  get isUnanswered(): boolean {
    return this.unanswered >= MOST_UNANSWERED;
  }

  count(question: string, compared: Comparison): void {
    if (compared.kind === 'left out') return;
    this.asked += 1;
    if (compared.kind === 'unknown') this.unanswered += 1;
    if (compared.kind !== 'other') return;
    this.others += 1;
    this.example ??= `${question}: ${compared.how}`;
  }

  get finding(): string | null {
    const { asked, others, unanswered, example } = this;
    const sets = `of ${asked} record ${asked === 1 ? 'set' : 'sets'}`;
    const parts = [
      ...(example === null ? [] : [`wrong answers for ${others} ${sets}, such as ${example}`]),
      ...(unanswered === 0 ? [] : [`no usable answer for ${unanswered} ${sets}`]),
    ];
    return parts.length === 0 ? null : parts.join('; ');
  }
}
