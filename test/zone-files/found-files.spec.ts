import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

const FOLDER = new URL('found/', import.meta.url);

/** Minimal inputs from real zone files; the first line of each has the verdict that it must get. */
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.zone'))
  .map((file) => ({ file, text: readFileSync(new URL(file, FOLDER), 'utf8') }));

/** The first line names the words of a refusal that has become an import since: every type of the IANA registry is known. */
const IMPORTED_SINCE = ['08-known-types-called-no-types.zone'];

/** Expected messages for the lines of a refused file. */
const MESSAGES: Readonly<Record<string, readonly RegExp[]>> = {
  '00-dohpath-bad-template-kills-zone.zone': [/^line 7, .*dohpath/],
  '04-owner-char-message.zone': [/^line 7, .*write "_sip\._tls"$/],
  '09-windows-dialect-messages.zone': [
    /^line 7, .*\[AGE:3665858\].*take it out$/,
    /^line 8, .*WINS.*leave them out$/,
    /^line 9, .*begins with ";"/,
  ],
  '18-svcparam-escapes-and-templates.zone': [/^line 9, /, /^line 10, /, /^line 11, /],
  '11-conflict-inside-file-messages.zone': [/^line 8, .*line 7/, /^line 10, .*line 9/],
};

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

const nameOf = (text: string): string => /^\$ORIGIN (\S+)/m.exec(text)?.[1] ?? 'example.org.';

async function outcomeOf(text: string) {
  const zone = await newDomain(service.as('admin', 'admin'), nameOf(text));
  try {
    const { status, body } = await zone.sendFile(text, '?dry_run=true');
    const errors = (body.errors ?? []) as { path: string; message: string }[];
    return { status, messages: errors.map(({ path, message }) => `${path}: ${message}`) };
  } finally {
    await service.as('admin', 'admin').call('delete', `/v1/domains/${zone.id}`);
  }
}

describe('zone files that were found', () => {
  it.each(FILES)('15.3 $file gets the verdict of its first line', async ({ file, text }) => {
    const [, verdict] = /^; expected: (accept|refuse|the same|zone import)/.exec(text) ?? [];
    expect(verdict).toBeDefined();
    const { status, messages } = await outcomeOf(text);
    const isRefused = (verdict === 'refuse' || MESSAGES[file] !== undefined) && !IMPORTED_SINCE.includes(file);
    expect({ status, messages }).toMatchObject(isRefused ? { status: 400 } : { status: 200, messages: [] });
    const expected = MESSAGES[file] ?? [];
    for (const message of expected) expect(messages).toContainEqual(expect.stringMatching(message));
    for (const message of messages) expect(message).not.toMatch(/backslash|is not a record type/);
  });
});
