import { type Caller, NoAnswer } from './caller.js';
import { DomainThing, type Ledger, RecordThing, Thing } from './ledger.js';
import type { Random } from './random.js';

/** A record as a list shows it, as far as the harness looks. */
export interface ListedRecord {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

type Operation = Exclude<keyof Writer, 'doSomething' | 'adopt' | 'adoptRecord'>;

/** Operations and how often each is chosen, of a hundred. */
const MIX: readonly (readonly [share: number, operation: Operation])[] = [
  [38, 'createRecord'],
  [20, 'updateRecord'],
  [12, 'deleteRecord'],
  [8, 'createDomain'],
  [5, 'deleteDomain'],
  [6, 'changeQuota'],
  [8, 'listRecords'],
  [3, 'readDomain'],
];

/** Performs random actions one after the other until the service exits. */
export async function writeUntilGone(writer: Writer): Promise<void> {
  try {
    for (;;) await writer.doSomething();
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

interface OwnRecord {
  readonly domain: DomainThing;
  readonly record: RecordThing;
}

/** A client with its own records and domains; the records of all writers share the first domains. */
export class Writer {
  private readonly ownDomains: DomainThing[] = [];
  private readonly ownRecords: OwnRecord[] = [];
  private count = 0;

  constructor(
    /** A prefix of all its names, unique among writers. */
    private readonly name: string,
    private readonly caller: Caller,
    private readonly ledger: Ledger,
    private readonly shared: readonly DomainThing[],
    private readonly random: Random,
  ) {}

  /** Takes over things of a writer from an earlier round. */
  adopt(domain: DomainThing): void {
    this.ownDomains.push(domain);
    for (const record of domain.records.values()) this.adoptRecord(domain, record);
  }

  adoptRecord(domain: DomainThing, record: RecordThing): void {
    this.ownRecords.push({ domain, record });
  }

  async doSomething(): Promise<void> {
    let ticket = this.random.below(100);
    for (const [share, operation] of MIX) {
      ticket -= share;
      if (ticket < 0) return this[operation]();
    }
  }

  async createRecord(): Promise<void> {
    const domain = this.random.pick([...this.shared, ...this.ownDomains]);
    if (domain === undefined) return;
    const record = new RecordThing(`${this.nextLabel()}.${domain.name}`);
    domain.records.set(record.name, record);
    this.adoptRecord(domain, record);
    const data = `created ${this.random.below(1000)}`;
    const body = { name: record.name, type: 'TXT', data };
    const isKeyed = this.shared.includes(domain) && this.random.below(2) === 0;
    const answer = await this.ledger.change(record, data, this.caller, {
      method: 'POST',
      path: recordsOf(domain),
      body,
      ...(isKeyed ? { key: record.name } : {}),
    });
    record.id = answer === null ? null : (answer.body as ListedRecord).id;
  }

  async updateRecord(): Promise<void> {
    const own = this.pickRecord();
    if (own === undefined) return;
    const data = `updated ${this.nextLabel()}`;
    const path = `${recordsOf(own.domain)}/${String(own.record.id)}`;
    await this.ledger.change(own.record, data, this.caller, { method: 'PUT', path, body: { data } });
  }

  async deleteRecord(): Promise<void> {
    const own = this.pickRecord();
    if (own === undefined) return;
    const path = `${recordsOf(own.domain)}/${String(own.record.id)}`;
    await this.ledger.change(own.record, null, this.caller, { method: 'DELETE', path });
  }

  async createDomain(): Promise<void> {
    const domain = new DomainThing(`${this.nextLabel()}.example.org.`);
    this.ledger.domains.set(domain.name, domain);
    await createDomain(domain, this.caller, this.ledger);
    if (domain.state !== null) this.ownDomains.push(domain);
  }

  async deleteDomain(): Promise<void> {
    const domain = this.random.pick(this.ownDomains);
    if (domain === undefined) return;
    this.ownDomains.splice(this.ownDomains.indexOf(domain), 1);
    await this.ledger.change(domain, null, this.caller, { method: 'DELETE', path: pathOf(domain) });
    if (domain.state === null) domain.records.clear();
    else this.ownDomains.push(domain);
  }

  async changeQuota(): Promise<void> {
    const tenant = `tenant-of-${this.name}`;
    const quota = this.ledger.quotas.get(tenant) ?? new Thing([null]);
    this.ledger.quotas.set(tenant, quota);
    const zones = this.random.below(1000);
    await this.ledger.change(quota, String(zones), this.caller, {
      method: 'PATCH',
      path: `/admin/quotas/${tenant}`,
      body: { quota: { zones } },
      isJournaled: false,
    });
  }

  /** The list must match the writer's acknowledged records. */
  async listRecords(): Promise<void> {
    const domain = this.random.pick([...this.shared, ...this.ownDomains]);
    if (domain === undefined) return;
    const { status, body } = await this.caller.call('GET', recordsOf(domain));
    if (status !== 200) throw new Error(`a list was refused: ${JSON.stringify(body)}`);
    const shown = new Map((body as { records: ListedRecord[] }).records.map(({ name, data }) => [name, data]));
    for (const { record } of this.ownRecords.filter((own) => own.domain === domain))
      if ((shown.get(record.name) ?? null) !== record.state)
        throw new Error(`${record.name} is listed as ${String(shown.get(record.name))}, not ${String(record.state)}`);
    this.ledger.counts.lists += 1;
  }

  async readDomain(): Promise<void> {
    const domain = this.random.pick(this.shared);
    if (domain !== undefined) await readSerial(domain, this.caller);
  }

  private pickRecord(): OwnRecord | undefined {
    return this.random.pick(
      this.ownRecords.filter(({ domain, record }) => domain.state !== null && record.state !== null),
    );
  }

  private nextLabel(): string {
    this.count += 1;
    return `${this.name}n${this.count}`;
  }
}

export async function createDomain(domain: DomainThing, caller: Caller, ledger: Ledger): Promise<void> {
  const body = { name: domain.name, email: 'hostmaster@example.org' };
  const answer = await ledger.change(domain, 'there', caller, { method: 'POST', path: '/v1/domains', body });
  if (answer === null) return;
  const { id, serial } = answer.body as { readonly id: string; readonly serial: number };
  domain.id = id;
  domain.serial = serial;
}

/** @throws Error when the serial is lower than one in an earlier response */
export async function readSerial(domain: DomainThing, caller: Caller): Promise<void> {
  const told = domain.serial;
  const { status, body } = await caller.call('GET', pathOf(domain));
  if (status !== 200) throw new Error(`${domain.name} cannot be read: ${JSON.stringify(body)}`);
  const { serial } = body as { readonly serial: number };
  if (serial < told) throw new Error(`the serial of ${domain.name} went back from ${told} to ${serial}`);
  domain.serial = Math.max(domain.serial, serial);
}

function pathOf(domain: DomainThing): string {
  return `/v1/domains/${String(domain.id)}`;
}

export function recordsOf(domain: DomainThing): string {
  return `${pathOf(domain)}/records`;
}
