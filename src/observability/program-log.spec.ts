import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LogOptions, ProgramLog } from './program-log.js';

const TOKEN = `zw_${'x'.repeat(43)}`;

/** The lines of a log after some calls. */
function linesOf(options: Partial<LogOptions>, tell: (log: ProgramLog) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = new ProgramLog(
    { level: 'warn', format: 'json', secrets: [], ...options },
    { write: (line: string) => void lines.push(line) },
  );
  tell(log);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('16.4 the log', () => {
  it('writes Nest messages as JSON lines with their context', () => {
    expect(linesOf({}, (log) => log.warn('the disk is slow', 'Database'))).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        pid: process.pid,
        context: 'Database',
        msg: 'the disk is slow',
      },
    ]);
  });

  it('keeps the stack of an error', () => {
    const [line] = linesOf({}, (log) => log.error('it broke', 'Error: it broke\n    at here', 'Zonewright'));
    expect(line).toMatchObject({
      level: 'error',
      context: 'Zonewright',
      msg: 'it broke\nError: it broke\n    at here',
    });
  });

  it.each([
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ] as const)('omits lines below its level: %s', (level, written) => {
    const lines = linesOf({ level }, (log) => {
      log.error('1', 'C');
      log.warn('2', 'C');
      log.log('3', 'C');
      log.debug('4', 'C');
    });
    expect(lines.map((line) => line.level)).toEqual(written);
  });

  it('demotes Nest messages about its module graph to details', () => {
    expect(linesOf({ level: 'info' }, (log) => log.log('Mapped {/v1/domains, GET} route', 'RouterExplorer'))).toEqual(
      [],
    );
  });

  it('writes fields unchanged', () => {
    const fields = { method: 'GET', status: 200, tenant: 'acme' };
    expect(linesOf({ level: 'info' }, (log) => log.log(fields, 'Request'))).toMatchObject([fields]);
  });

  it('never writes a service token', () => {
    const [line] = linesOf({}, (log) => log.warn(`it said ${TOKEN}, and again ${TOKEN}`, 'Zonewright'));
    expect(line?.msg).toBe('it said [secret], and again [secret]');
  });

  it('never writes a JWT', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'RS256' })}.${part({ sub: 'alice' })}.c2lnbmF0dXJl`;
    const [line] = linesOf({}, (log) => log.warn(`it said ${jwt}, and eyJhbGciOi.`, 'Zonewright'));
    expect(line?.msg).toBe('it said [secret], and eyJhbGciOi.');
  });

  it('19.9 never writes webhook secrets', () => {
    const [line] = linesOf({}, (log) =>
      log.warn('{"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwXvvJ0dEqxPk="}', 'C'),
    );
    expect(line?.msg).toBe('{"secret":"[secret]"}');
  });

  it('never writes a secret of the configuration, however it is spelled', () => {
    const secret = fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 40 });
    const spelled = fc.constantFrom(
      (text: string) => text,
      (text: string) => JSON.stringify(text),
      (text: string) => encodeURIComponent(text),
    );
    fc.assert(
      fc.property(secret, spelled, (text, spell) => {
        // A text that occurs in every line, such as part of the word "context", cannot be distinguished.
        fc.pre(!JSON.stringify(linesOf({}, (log) => log.warn('words', 'Zonewright'))).includes(text));
        const written: string[] = [];
        const log = new ProgramLog(
          { level: 'warn', format: 'json', secrets: [text] },
          { write: (line: string) => void written.push(line) },
        );
        log.warn(`before ${spell(text)} after`, 'Zonewright');
        expect(written.join('')).not.toContain(text);
        expect(written.join('')).toContain('[secret]');
      }),
    );
  });
});
