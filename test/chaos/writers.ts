import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordBody } from '../support/bodies.js';
import type { Answer } from '../crash/caller.js';
import type { Random } from '../crash/random.js';
import type { Met, WayIn } from './way-in.js';

/** A domain as acknowledged to its writer. */
export interface Told {
  readonly id: string;
  readonly name: string;
  /** Its records, each as name, type and data. */
  readonly records: Set<string>;
}

/** Records in a domain before the writer changes to the next domain. */
const FULL = 200;
/** Between two changes of a writer, in milliseconds: the trouble is to be in the service, and not in the load. */
const PAUSE = 100;
/** Records of one name and type, as `quota_recordset_records` has it. */
export const LIMIT = 20;

/** Changes its own domains until stopped, and tracks their contents. */
export abstract class Writer {
  readonly domains: Told[] = [];
  private count = 0;

  constructor(
    private readonly name: string,
    protected readonly way: WayIn,
    protected readonly random: Random,
    private readonly met: Met,
  ) {}

  async work(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      const domain = this.domains.at(-1);
      if (domain === undefined || domain.records.size >= FULL) await this.makeDomain();
      else await this.change(domain);
      this.met.acknowledged += 1;
      await delay(PAUSE);
    }
  }

  close(): void {
    this.way.close();
  }

  protected abstract change(domain: Told): Promise<void>;

  /** One that is sent again with the same key is carried out once. */
  protected async post<Body>(path: string, body: object): Promise<Body> {
    const { body: made } = await this.way.ask('POST', path, [200], body, randomUUID());
    return made as Body;
  }

  protected nextLabel(): string {
    this.count += 1;
    return `${this.name}n${this.count}`;
  }

  private async makeDomain(): Promise<void> {
    const name = `${this.nextLabel()}.example.org.`;
    const { id } = await this.post<{ id: string }>('/v1/domains', { name, email: 'hostmaster@example.org' });
    this.domains.push({ id, name, records: new Set() });
  }
}

export function lineOf(name: string, type: string, data: string): string {
  return `${name} ${type} ${data}`;
}

/** One record at a time, by version 1. */
export class RecordWriter extends Writer {
  protected override async change({ id, name, records }: Told): Promise<void> {
    const record = { name: `${this.nextLabel()}.${name}`, type: 'TXT', data: `"${this.random.below(1000)}"` };
    await this.post<RecordBody>(`/v1/domains/${id}/records`, record);
    records.add(lineOf(record.name, record.type, record.data));
  }
}

/** Changes several records in one change set: deletes one, creates two. */
export class ChangeSetWriter extends Writer {
  private readonly ids = new Map<string, string>();

  protected override async change({ id, name, records }: Told): Promise<void> {
    const created = [this.newRecord(name), this.newRecord(name)];
    const [old] = records;
    const oldId = old === undefined ? undefined : this.ids.get(old);
    const changes = [
      ...(oldId === undefined ? [] : [{ action: 'delete', id: oldId }]),
      ...created.map((record) => ({ action: 'create', record })),
    ];
    const path = `/v1/domains/${id}/changes`;
    const made = await this.post<{ changes: { action: string; record: RecordBody }[] }>(path, { changes });
    if (old !== undefined && oldId !== undefined) records.delete(old);
    for (const { action, record } of made.changes) {
      if (action !== 'create') continue;
      const line = lineOf(record.name, record.type, record.data);
      records.add(line);
      this.ids.set(line, record.id);
    }
  }

  private newRecord(domain: string): { name: string; type: string; data: string } {
    return { name: `${this.nextLabel()}.${domain}`, type: 'TXT', data: `"${this.random.below(1000)}"` };
  }
}

interface RecordSetBody {
  readonly id: string;
}

/**
 * Changes record sets by version 2, which has no idempotency keys: a retry finds the earlier result or repeats the
 * change.
 */
export class RecordSetWriter extends Writer {
  protected override async change({ id, name, records }: Told): Promise<void> {
    const set = { name: `${this.nextLabel()}.${name}`, type: 'A', ttl: 300 };
    const sets = `/v2/zones/${id}/recordsets`;
    const made = await this.way.ask('POST', sets, [201, 202, 409], { ...set, records: ['192.0.2.1'] });
    const setId = made.status === 409 ? await this.idOf(sets, set.name) : (made.body as RecordSetBody).id;
    const addresses = Array.from({ length: 1 + this.random.below(5) }, (_, at) => `192.0.2.${at + 1}`);
    await this.way.ask('PUT', `${sets}/${setId}`, [200, 202], { ttl: 60, records: addresses });
    for (const address of addresses) records.add(lineOf(set.name, set.type, address));
  }

  private async idOf(sets: string, name: string): Promise<string> {
    const { body } = await this.way.ask('GET', `${sets}?name=${name}`, [200]);
    const { recordsets } = body as { readonly recordsets: readonly RecordSetBody[] };
    const [found] = recordsets;
    if (found === undefined) throw new Error(`${name} is there and is not shown`);
    return found.id;
  }
}

/** Fills a record set up to its limit with concurrent requests, then deletes some records. */
export class LimitWriter extends Writer {
  private readonly ids = new Map<string, string>();

  protected override async change(domain: Told): Promise<void> {
    const at = this.random.below(50);
    await Promise.all([0, 1, 2].map((other) => this.create(domain, at + other)));
    if (domain.records.size > LIMIT / 2 && this.random.below(3) === 0) await this.remove(domain);
  }

  /** Until it is refused because the set is full. */
  async fill(domain: Told): Promise<void> {
    for (let at = 0; at < 100; at++) await this.create(domain, at);
  }

  private async create({ id, name, records }: Told, at: number): Promise<void> {
    const record = { name: `full.${name}`, type: 'A', data: `192.0.2.${at}` };
    const line = lineOf(record.name, record.type, record.data);
    if (records.has(line)) return;
    const answer = await this.way.ask('POST', `/v1/domains/${id}/records`, [200, 409, 413], record, randomUUID());
    if (answer.status === 409 && !isDuplicate(answer)) throw new Error(JSON.stringify(answer));
    if (answer.status !== 200) return;
    records.add(line);
    this.ids.set(line, (answer.body as RecordBody).id);
  }

  private async remove({ id, records }: Told): Promise<void> {
    const line = this.random.pick([...records]);
    if (line === undefined) return;
    await this.way.ask('DELETE', `/v1/domains/${id}/records/${this.ids.get(line) ?? ''}`, [200, 404]);
    records.delete(line);
  }
}

function isDuplicate({ body }: Answer): boolean {
  return (body as { readonly type?: string }).type === 'duplicate_record';
}
