import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest } from '@jest/globals';
import { REPLICATED_POSTGRES } from '../failover/replicated-postgres.js';
import { audit } from '../support/audit.js';
import { type Ended, runCommand } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { startTokenService, type TokenService } from '../support/token-service.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ArchivingPostgres } from './archiving-postgres.js';
import { EVERYTHING_ON, Story } from './moment.js';
import { expectRaised } from './restored.js';

jest.setTimeout(180_000);

let directory: string;
let receiver: WebhookReceiver;
let server: ArchivingPostgres | undefined;
let service: TokenService | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-restore-'));
  receiver = await WebhookReceiver.listening();
});
afterEach(async () => {
  await service?.stop();
  await server?.remove();
  await receiver.stop();
  await rm(directory, { recursive: true });
});

const settings = () => ({ ...EVERYTHING_ON, DATABASE__URL: server!.url });
const zonewright = (...args: string[]): Promise<Ended> =>
  runCommand(directory, environmentOf(directory, settings()), args);

describe('17.4 a copy of the files and the archived log of PostgreSQL', () => {
  itWith(REPLICATED_POSTGRES)(
    'lead back to any moment: serials above all that were handed out, the tokens, keys and webhooks of that moment',
    async () => {
      server = await ArchivingPostgres.start();
      service = await startTokenService(settings(), directory);
      await server.copy();
      const story = await Story.before(service, receiver);
      const moment = await server.moment();
      await story.goOn(service);
      await service.stop();
      service = undefined;
      await server.lose();

      await server.restoreTo(moment);
      expectRaised(await zonewright('check', '--raise-serials'), 1);
      service = await startTokenService(settings(), directory);
      await story.expectRestored(service);
      audit(server.url);
      expect(await zonewright('dnssec', 'check', story.domain.name)).toMatchObject({ code: 0 });
    },
  );
});
