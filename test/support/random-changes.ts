import fc from 'fast-check';
import { administrator } from '../../src/common/caller.js';
import { RecordChanges } from '../../src/records/changes/record-changes.js';
import { ZoneChanges } from '../../src/zones/changes/zone-changes.js';
import { ZoneRegenerationService } from '../../src/zones/zone-regeneration.service.js';
import { ZoneGenerationRepository } from '../../src/zones/zone-generation.repository.js';
import { ZonesOptions } from '../../src/zones/zones.options.js';
import { answerOf } from './answers.js';
import type { AssembledService } from './assembled-service.js';
import type { TestDomain } from './domain.js';

/** A requested change, which may be refused or have no effect. */
export interface RandomChange {
  readonly kind: string;
  /** @param serials all serials of the zone, the current one last */
  readonly ask: (service: AssembledService, zone: TestDomain, serials: readonly number[]) => Promise<void>;
}

const label = fc.constantFrom('a', 'A', 'b', 'c', 'd.e', '*.f');
const ttl = fc.constantFrom(null, null, 60, 300, 3600);
const address = fc.integer({ min: 1, max: 9 }).map((host) => `192.0.2.${host}`);
const content = fc.oneof(
  address.map((data) => ({ type: 'A', data })),
  address.map((data) => ({ type: 'A', data })),
  fc.constantFrom('"one"', '"two" "three"', '"ONE"').map((data) => ({ type: 'TXT', data })),
  fc.constantFrom('mx.example.net.', 'MX.example.net.').map((data) => ({ type: 'MX', data, priority: 10 })),
);
const atApex = fc
  .constantFrom('ns1.example.net.', 'ns8.example.net.', 'NS9.example.net.')
  .map((data) => ({ name: null, type: 'NS', data }));
const record = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(label, content).map(([name, rest]) => ({ name, ...rest })) },
  { weight: 1, arbitrary: atApex },
);
const anyOf = fc.nat({ max: 1000 });

const creation = fc.tuple(record, ttl).map(([{ name, ...fields }, ownTtl]) =>
  change('create', async (_, zone) => {
    await zone.create({ name: name === null ? zone.name : zone.at(name), ttl: ownTtl, ...fields });
  }),
);

const update = fc
  .tuple(
    anyOf,
    fc.oneof(
      ttl.map((value) => ({ ttl: value })),
      address.map((data) => ({ data })),
    ),
  )
  .map(([which, fields]) =>
    change('update', async (_, zone) => {
      const chosen = await oneOf(zone, which);
      if (chosen !== undefined) await zone.update(chosen.id, fields);
    }),
  );

const renaming = fc.tuple(anyOf, label).map(([which, name]) =>
  change('rename', async (_, zone) => {
    const chosen = await oneOf(zone, which);
    if (chosen !== undefined) await zone.update(chosen.id, { name: zone.at(name) });
  }),
);

const deletion = anyOf.map((which) =>
  change('delete', async (_, zone) => {
    const chosen = await oneOf(zone, which);
    if (chosen !== undefined) await zone.delete(chosen.id);
  }),
);

const zoneUpdate = fc
  .oneof(
    { weight: 1, arbitrary: fc.constantFrom(600, 1200).map((value) => ({ ttl: value })) },
    { weight: 2, arbitrary: fc.constantFrom('one@example.org', 'two@example.org').map((email) => ({ email })) },
    { weight: 2, arbitrary: fc.constantFrom('x', 'y').map((description) => ({ description })) },
  )
  .map((fields) =>
    change(`zone ${Object.keys(fields).join()}`, async (service, zone) => {
      await service.call('put', `/v1/domains/${zone.id}`, fields);
    }),
  );

/** Fields of the PowerDNS API, which the service does not need to enable. */
const soaTtl = fc.constantFrom(null, 60, 900, 1200).map((value) =>
  change('TTL of the SOA', async (service, { id }) => {
    const amend = { action: 'amend zone', amend: () => ({ soaTtl: value }) } as const;
    await service.get(RecordChanges).apply(id, administrator('tests', 'test'), [amend]);
  }),
);

const line = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd.e'), address, ttl);
const importing = fc.tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean()).map(([lines, isReplacing]) =>
  change(isReplacing ? 'replace' : 'import', async (_, zone) => {
    const text = lines.map(([name, data, ownTtl]) => `${name} ${ownTtl ?? ''} A ${data}\n`).join('');
    await zone.sendFile(text, isReplacing ? '?mode=replace' : '');
  }),
);

const reversion = anyOf.map((which) =>
  change('revert', async (service, zone, serials) => {
    const serial = serials[which % serials.length];
    await service.call('post', `/v1/domains/${zone.id}/revert`, { serial });
  }),
);

/** The effect of a start with another configuration. */
const regeneration = fc
  .uniqueArray(fc.constantFrom('ns1.example.net.', 'ns2.example.net.', 'ns9.example.net.'), { minLength: 1 })
  .map((nameServers) =>
    change('name servers', async (service) => {
      const options = service.get<ZonesOptions>(ZonesOptions as never);
      const generation = { ...options.generation, nameServers };
      const changed = { ...options, generation };
      await new ZoneRegenerationService(service.get(ZoneGenerationRepository), service.get(ZoneChanges), changed).run();
    }),
  );

/** Mostly record creations and deletions, so that differences exist. */
export const anyChange: fc.Arbitrary<RandomChange> = fc.oneof(
  { weight: 10, arbitrary: creation },
  { weight: 6, arbitrary: update },
  { weight: 4, arbitrary: renaming },
  { weight: 4, arbitrary: deletion },
  { weight: 2, arbitrary: zoneUpdate },
  { weight: 1, arbitrary: soaTtl },
  { weight: 2, arbitrary: importing },
  { weight: 1, arbitrary: reversion },
  { weight: 1, arbitrary: regeneration },
);

function change(kind: string, ask: RandomChange['ask']): RandomChange {
  return { kind, ask };
}

async function oneOf(zone: TestDomain, which: number): Promise<{ readonly id: string } | undefined> {
  const records = await zone.records();
  return records[which % Math.max(1, records.length)];
}

/** Removes the zone, which other runs would have to change as well. */
export async function removeZone(service: AssembledService, zone: TestDomain): Promise<void> {
  await answerOf(service.call('delete', `/v1/domains/${zone.id}`));
}
