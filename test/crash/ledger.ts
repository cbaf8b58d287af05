import { type Answer, type Caller, NoAnswer } from './caller.js';

/** A thing as clients see it; `null`: absent. */
export type State = string | null;

/** Something that clients change, each thing by one client only, so that its states have an order. */
export class Thing {
  /** One state after a response; two while the outcome of the last change is unknown. */
  constructor(private possible: readonly State[]) {}

  get isSettled(): boolean {
    return this.possible.length === 1;
  }

  /** The last state that was acknowledged. */
  get state(): State {
    return this.possible[0] ?? null;
  }

  /** @param next the new state, unless the response is a refusal */
  begin(next: State): void {
    this.possible = [this.state, next];
  }

  settle(state: State): void {
    this.possible = [state];
  }

  /** Whether the found state is possible; settles the doubt. */
  accept(found: State): boolean {
    const isPossible = this.possible.includes(found);
    this.settle(found);
    return isPossible;
  }
}

export class RecordThing extends Thing {
  id: string | null = null;

  constructor(readonly name: string) {
    super([null]);
  }
}

export class DomainThing extends Thing {
  id: string | null = null;
  /** The latest serial in any response. */
  serial = 0;
  /** By unique name. */
  readonly records = new Map<string, RecordThing>();

  constructor(readonly name: string) {
    super([null]);
  }
}

/** Totals of all sent changes. */
export interface Counts {
  acknowledged: number;
  refused: number;
  /** Without an answer when the service was killed. */
  inDoubt: number;
  /** Changes without a response that were stored. */
  inDoubtStored: number;
  lists: number;
  /** Sent again with the same key after the service was killed. */
  repeated: number;
  /** Retries with the first response, or with the one that the first request would have had. */
  replayed: number;
}

/** The acknowledged states of all clients, and the uncertain ones. */
export class Ledger {
  readonly domains = new Map<string, DomainThing>();
  readonly quotas = new Map<string, Thing>();
  /** The requests that were answered with yes and that the journal must have a row for. */
  readonly journaled = new Set<string>();
  /** Requests whose answer never came, since the last audit: each may have left a row. */
  inDoubt = 0;
  /** Requests with a key whose answer never came, to be sent again. */
  readonly unanswered: Unanswered[] = [];
  /** Requests with a key that were answered with yes in this life of the service. */
  readonly answered: Answered[] = [];

  constructor(readonly counts: Counts) {}

  /** Sends a change of one thing and records the outcome. Returns a successful response. */
  async change(thing: Thing, next: State, caller: Caller, ask: Ask): Promise<Answer | null> {
    thing.begin(next);
    const before = thing.state;
    try {
      const answer = await caller.call(ask.method, ask.path, ask.body, ask.key);
      if (answer.status !== 200) return this.refuse(thing, before, answer);
      thing.settle(next);
      this.counts.acknowledged += 1;
      if (ask.isJournaled !== false) this.journaled.add(answer.requestId);
      if (ask.key !== undefined) this.answered.push({ ask, body: answer.body });
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) this.doubt(thing, next, ask);
      throw error;
    }
  }

  private refuse(thing: Thing, before: State, answer: Answer): null {
    if (answer.status !== 503) throw new Error(`unexpected answer: ${JSON.stringify(answer)}`);
    thing.settle(before);
    this.counts.refused += 1;
    return null;
  }

  private doubt(thing: Thing, next: State, ask: Ask): void {
    this.counts.inDoubt += 1;
    if (ask.isJournaled !== false) this.inDoubt += 1;
    if (ask.key !== undefined) this.unanswered.push({ thing, next, ask });
  }
}

export interface Unanswered {
  readonly thing: Thing;
  readonly next: State;
  readonly ask: Ask;
}

export interface Answered {
  readonly ask: Ask;
  readonly body: unknown;
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly isJournaled?: boolean;
  /** Its Idempotency-Key. */
  readonly key?: string;
}
