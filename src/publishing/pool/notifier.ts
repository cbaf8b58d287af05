import type { DomainName } from '../../dns/name.js';
import type { Answer, PoolMember } from './pool-member.js';

/** What a NOTIFY is about. */
export interface NotifiedZone {
  readonly id: string;
  readonly name: DomainName;
}

/** From one NOTIFY of a zone to a server to the next at least, in milliseconds. */
const SPACING = 10;
/** After so long without an answer it counts as lost, and the next one need not wait, in milliseconds. */
const LOST_AFTER = 300;

interface UnderWay {
  readonly over: Promise<void>;
  next: Promise<Answer> | null;
}

/**
 * Sends NOTIFY (RFC 1996), of one zone to one server one after the other: while one has no answer, it is only remembered
 * that another one is due. A NOTIFY carries no SOA record, so it never says anything that is no longer true.
 */
export class Notifier {
  private readonly underWay = new Map<string, UnderWay>();

  /** @param timeLimit for the answer, in milliseconds */
  notify(member: PoolMember, zone: NotifiedZone, timeLimit: number): Promise<Answer> {
    const key = `${member.label} ${zone.id}`;
    const before = this.underWay.get(key);
    if (before !== undefined) return (before.next ??= before.over.then(() => this.notify(member, zone, timeLimit)));
    const answer = member.notify(zone.name, timeLimit);
    const over = whenOver(answer).then(() => void this.underWay.delete(key));
    this.underWay.set(key, { over, next: null });
    return answer;
  }
}

function whenOver(answer: Promise<Answer>): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const lost = setTimeout(resolve, LOST_AFTER);
    void answer.finally(() => {
      clearTimeout(lost);
      setTimeout(resolve, SPACING - (performance.now() - begun));
    });
  });
}
