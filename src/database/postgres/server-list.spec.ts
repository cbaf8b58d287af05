import { describe, expect, it } from '@jest/globals';
import { parseServerList, shownServers } from './server-list.js';

/** As `host:port`, separated by blanks. */
function serversOf(url: string): string {
  return parseServerList(url)
    .servers.map(({ host, port }) => `${host}:${port}`)
    .join(' ');
}

describe('18.7 the servers of a URL, as libpq reads them', () => {
  it.each([
    ['postgresql://db.example.org/zonewright', 'db.example.org:5432'],
    ['postgresql://u:p@a,b:5433,c:/zonewright', 'a:5432 b:5433 c:5432'],
    ['postgresql://[2001:db8::1],[2001:db8::2]:5433/zonewright', '2001:db8::1:5432 2001:db8::2:5433'],
    ['postgresql://a,b/zonewright?port=5433', 'a:5433 b:5433'],
    ['postgresql://a,b/zonewright?port=5433,5434', 'a:5433 b:5434'],
    ['postgresql:///zonewright?host=a,2001:db8::1&port=1,2', 'a:1 2001:db8::1:2'],
    ['postgresql://x/zonewright?host=/var/run/postgresql,b', '/var/run/postgresql:5432 b:5432'],
    ['postgresql://%2Fvar%2Frun%2Fpostgresql,b/zonewright', '/var/run/postgresql:5432 b:5432'],
    ['postgresql://u:p,w@a,b', 'a:5432 b:5432'],
    ['postgresql:///zonewright', ''],
  ])('%s', (url, expected) => {
    expect(serversOf(url)).toBe(expected);
  });

  it('have their required state as a parameter', () => {
    expect(parseServerList('postgresql://a,b/z?target_session_attrs=read-write').attributes).toBe('read-write');
    expect(parseServerList('postgresql://a,b/z').attributes).toBeNull();
  });
});

describe('18.7 the URL of the first server', () => {
  it.each([
    ['postgresql://db.example.org/z?sslmode=require', 'postgresql://db.example.org/z?sslmode=require'],
    ['postgresql://u:p%40w@a,b/z', 'postgresql://u:p%40w@a:5432/z'],
    [
      'postgresql://u@a:5433,b/z?sslmode=verify-full&target_session_attrs=primary&sslrootcert=/etc/a%20b.pem',
      'postgresql://u@a:5433/z?sslmode=verify-full&sslrootcert=/etc/a%20b.pem',
    ],
    ['postgresql:///z?host=a,b&port=1,2&query_timeout=9', 'postgresql://a:1/z?query_timeout=9'],
    ['postgresql://[2001:db8::1],b', 'postgresql://[2001:db8::1]:5432'],
  ])('of %s keeps all other parts', (url, expected) => {
    expect(parseServerList(url).urlOfFirst).toBe(expected);
  });
});

it('18.5, 18.7 a displayed URL has no user, password or options', () => {
  expect(shownServers('postgresql://u:p@a:5433,b/z?password=x')).toBe('postgresql://a:5433,b/z');
});
