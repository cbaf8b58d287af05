import { describe, expect, it } from '@jest/globals';
import { Refusal, ServerSearch, type ServerState } from './server-client.js';

/** Server states. */
const PRIMARY: ServerState = { isStandby: false, isReadOnly: false };
const READ_ONLY: ServerState = { isStandby: false, isReadOnly: true };
const STANDBY: ServerState = { isStandby: true, isReadOnly: true };
const DEAD = new Error('connect ECONNREFUSED');
const SILENT = 'silent';

type Answer = ServerState | Error | typeof SILENT;

/** Searches the servers a, b, c, … of a URL. */
class Searched {
  asked = '';
  private readonly search: ServerSearch | null;

  constructor(
    attributes: string,
    private readonly answers: readonly Answer[],
  ) {
    const hosts = answers.map((_, at) => nameOf(at)).join(',');
    const option = attributes === '' ? '' : `?target_session_attrs=${attributes}`;
    this.search = ServerSearch.among(`postgresql://${hosts}/zonewright${option}`, 'primary');
  }

  /** The name of the one that is found. */
  async found(): Promise<string | undefined> {
    const server = await this.search?.find((one) => this.answer(one.host));
    return server?.host;
  }

  private async answer(host: string): Promise<ServerState> {
    this.asked += host;
    const answer = this.answers.find((_, at) => nameOf(at) === host) ?? DEAD;
    if (answer instanceof Error) throw answer;
    return answer === SILENT ? new Promise(() => undefined) : answer;
  }
}

function nameOf(at: number): string {
  return String.fromCharCode(97 + at);
}

describe('18.7 the server that is found', () => {
  it.each<[string, Answer[], string, string]>([
    ['primary', [STANDBY, PRIMARY, PRIMARY], 'b', 'ab'],
    ['', [STANDBY, STANDBY, READ_ONLY], 'c', 'abc'],
    ['read-write', [STANDBY, READ_ONLY, PRIMARY], 'c', 'abc'],
    ['read-only', [PRIMARY, READ_ONLY, STANDBY], 'b', 'ab'],
    ['standby', [PRIMARY, READ_ONLY, STANDBY], 'c', 'abc'],
    ['prefer-standby', [PRIMARY, STANDBY], 'b', 'ab'],
    ['prefer-standby', [DEAD, PRIMARY], 'b', 'abab'],
    ['any', [STANDBY, PRIMARY], 'a', 'a'],
    ['primary', [DEAD, PRIMARY], 'b', 'ab'],
    ['primary', [SILENT, STANDBY, PRIMARY], 'c', 'abc'],
  ])('%s of %j', async (attributes, answers, found, asked) => {
    const searched = new Searched(attributes, answers);
    expect([await searched.found(), searched.asked]).toEqual([found, asked]);
  });

  it('is shared by concurrent callers', async () => {
    const searched = new Searched('primary', [STANDBY, PRIMARY]);
    const found = await Promise.all([searched.found(), searched.found()]);
    expect([found, searched.asked]).toEqual([['b', 'b'], 'ab']);
    await searched.found();
    expect(searched.asked).toBe('abab');
  });

  it.each([
    ['postgresql://a/zonewright', false],
    ['postgresql://a/zonewright?target_session_attrs=any', false],
    ['postgresql://a/zonewright?target_session_attrs=primary', true],
    ['postgresql://a,b/zonewright?target_session_attrs=any', true],
    ['postgresql:///zonewright', false],
  ])('of %s is searched: %s', (url, isLookedFor) => {
    expect(ServerSearch.among(url, 'primary') !== null).toBe(isLookedFor);
  });
});

describe('18.7 where no server is found', () => {
  it.each<[string, Answer[], string, string]>([
    [
      '',
      [DEAD, STANDBY],
      '25006',
      'no server of the URL is a primary: a:5432 cannot be asked (connect ECONNREFUSED), b:5432 is a standby',
    ],
    [
      'read-write',
      [READ_ONLY, READ_ONLY],
      '25006',
      'no server of the URL can be written to: a:5432 is a primary that is read-only, b:5432 is a primary that is read-only',
    ],
    [
      'prefer-standby',
      [DEAD, DEAD],
      '08001',
      'no server of the URL answers: a:5432 cannot be asked (connect ECONNREFUSED), b:5432 cannot be asked (connect ECONNREFUSED)',
    ],
    [
      'standby',
      [PRIMARY, PRIMARY],
      '25006',
      'no server of the URL is a standby: a:5432 is a primary, b:5432 is a primary',
    ],
  ])('reports the state of each server: %s of %j', async (attributes, answers, code, message) => {
    await expect(new Searched(attributes, answers).found()).rejects.toMatchObject({ code, message });
  });

  it('a refusing server ends the search, with its error', async () => {
    const said = new Error('password authentication failed for user "zonewright"');
    const searched = new Searched('', [STANDBY, new Refusal('', { cause: said }), PRIMARY]);
    await expect(searched.found()).rejects.toBe(said);
    expect(searched.asked).toBe('ab');
  });
});
