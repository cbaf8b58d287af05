import { afterAll, beforeAll, expect } from '@jest/globals';
import { FOUR_SERVERS } from '../publishing/software.js';
import { answerOf } from '../support/answers.js';
import { freshName } from '../support/domain.js';
import { times } from '../support/length.js';
import { itWith } from '../support/run-program.js';
import { until } from '../support/until.js';
import { UNBOUND } from '../support/validating-resolver.js';
import { dsCountOf, Operator, Resolvers } from './operators.js';

const PROGRAMS = { name: 'unbound', needs: { ...FOUR_SERVERS.needs, ...UNBOUND.needs } };
const TIMEOUT = 600_000;
/** Questions to each resolver while both sign, at least. */
const ROUNDS = times(10, 300);

let here: Operator;
let there: Operator;
beforeAll(async () => {
  [here, there] = await Promise.all([
    Operator.start(['BIND', 'Knot'], PROGRAMS),
    Operator.start(['PowerDNS', 'NSD'], PROGRAMS),
  ]);
});
afterAll(async () => {
  await Promise.all([here.pool.stop(), there.pool.stop()]);
});

itWith(PROGRAMS)(
  '23.18: two operators sign one domain, and unbound finds no answer bogus, whichever of them answers',
  async () => {
    const name = freshName();
    const [parent, ours, theirs] = await Promise.all([
      here.newDomain(name),
      here.newDomain(`child.${name}`),
      there.newDomain(`child.${name}`),
    ]);
    await parent.newRecord({ name: ours.name, type: 'NS', data: 'ns1.example.net.' });
    await Promise.all([here.sign(parent), here.sign(ours), there.sign(theirs)]);
    await here.untilSecure(ours);

    const resolvers = await Resolvers.of(here, parent, ours);
    try {
      const first = await resolvers.watch(here.addresses);
      await first.rounds(1);
      // No DS leads to the keys of the other operator yet.
      const early = await resolvers.start(there.addresses);
      expect(await early.verdictOn(ours.at('www'), 'A')).toBe('bogus');

      await here.roll(ours, { key: 'join', signer: 'there', dnskeys: await there.ownKeys(theirs) });
      await there.roll(theirs, { key: 'join', signer: 'here', dnskeys: await here.ownKeys(ours) });
      await here.killIn(ours, 'publish');
      await here.untilOver(ours);
      await there.confirmDs(theirs);
      await there.untilOver(theirs);
      const joined = [
        await resolvers.watch([...here.addresses, ...there.addresses]),
        await resolvers.watch(there.addresses),
      ] as const;
      await Promise.all(joined.map((one) => one.rounds(ROUNDS)));

      // The domain moves to the other operator: no resolver asks here any more, and the keys of here leave there.
      await first.end();
      await joined[0].end();
      await there.roll(theirs, { key: 'leave', signer: 'here', ttl: 5 });
      await answerOf(here.pool.clients.call('delete', `/v1/domains/${ours.id}?force=true`));
      await until(async () => (await dsCountOf(parent, theirs)) === 1);
      await there.confirmDs(theirs);
      await there.untilOver(theirs);
      await joined[1].rounds(2);
      expect(await there.ownKeys(theirs)).toHaveLength((await there.dnssecOf(theirs)).keys.length);
    } finally {
      await resolvers.stop();
    }
    resolvers.expectSecure('two operators');
  },
  TIMEOUT,
);
