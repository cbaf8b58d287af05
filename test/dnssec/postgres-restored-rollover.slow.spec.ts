import { afterEach, jest } from '@jest/globals';
import { REPLICATED_POSTGRES } from '../failover/replicated-postgres.js';
import { ArchivingPostgres } from '../operations/archiving-postgres.js';
import { audit } from '../support/audit.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { itWith } from '../support/run-program.js';
import { expectToGoOn, RESTORED, type RestorableDatabase, titleOf } from './restored-rollover.js';

// Several starts of processes and of servers, and two rollovers.
jest.setTimeout(240_000);

const itWithServer = itWith(REPLICATED_POSTGRES);
// Its services have ended before the server does.
const place = ownPlaceForEach('restored-rollover');
let server: ArchivingPostgres | undefined;
let moment: string;

afterEach(() => server?.remove());

const database: RestorableDatabase = {
  place,
  settings: () => ({ DATABASE__URL: server!.url }),
  keepMoment: async () => {
    moment = await server!.moment();
  },
  restore: async () => {
    await server!.lose();
    await server!.restoreTo(moment);
  },
};

for (const restored of RESTORED)
  itWithServer(titleOf(restored), async () => {
    server = await ArchivingPostgres.start();
    await server.copy();
    await expectToGoOn(database, restored);
    audit(server.url);
  });
