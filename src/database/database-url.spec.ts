import { expect, it } from '@jest/globals';
import { databaseUrl } from './database-url.js';

const SEVERAL = 'postgresql://u:p%23w@a.example.org:5432,b.example.org,[2001:db8::1]:6432/zonewright?sslmode=require';

it.each([
  ['sqlite::memory:', 'sqlite::memory:'],
  ['sqlite:data/zonewright.sqlite', 'sqlite:data/zonewright.sqlite'],
  ['sqlite:/var/lib/zone wright.sqlite', 'sqlite:/var/lib/zone wright.sqlite'],
  ['sqlite:C:\\zonewright.sqlite', 'sqlite:C:\\zonewright.sqlite'],
  [
    'postgresql://u:p%23w@db.example.org:5432/zonewright?sslmode=require',
    'postgresql://u:p%23w@db.example.org:5432/zonewright?sslmode=require',
  ],
  ['postgres://db.example.org/zonewright', 'postgresql://db.example.org/zonewright'],
  ['postgresql:///zonewright?host=/var/run/postgresql', 'postgresql:///zonewright?host=/var/run/postgresql'],
  [SEVERAL, SEVERAL],
  ['postgres://a,b/zonewright?port=5433', 'postgresql://a,b/zonewright?port=5433'],
  ['postgres://a,b/z?target_session_attrs=primary', 'postgresql://a,b/z?target_session_attrs=primary'],
  ['postgres://a,b/z?target_session_attrs=read-write', 'postgresql://a,b/z?target_session_attrs=read-write'],
  ['postgres://a,b/z?target_session_attrs=any', 'postgresql://a,b/z?target_session_attrs=any'],
])('accepts %j', (text, expected) => {
  expect(databaseUrl.read(text)).toBe(expected);
});

it.each([
  '',
  'sqlite',
  'sqlite:',
  'sqlite: data/zonewright.sqlite',
  'sqlite::memory',
  'sqlite::memory:x',
  'sqlite:///data/zonewright.sqlite',
  'mysql://db.example.org/zonewright',
  'postgresql:db.example.org',
  'postgresql://',
  'postgresql://u:p#w@db.example.org/zonewright',
  'postgresql://db.example.org:x/zonewright',
  'data/zonewright.sqlite',
  'SQLITE:data',
])('refuses %j', (text) => {
  expect(databaseUrl.read(text)).toBeUndefined();
});

const FORM =
  'each server of the list is a name or an address, IPv6 in brackets, and may have a port as in db.example.org:5432';

it.each([
  ['postgresql://u:secret@a,,b/zonewright', FORM],
  ['postgresql://u:secret@a,b:x/zonewright', FORM],
  ['postgresql://u:secret@a,2001:db8::1/zonewright', FORM],
  ['postgresql://u:secret@a,[192.0.2.1]/zonewright', FORM],
  ['postgresql://u:secret@a,b:0/zonewright', 'the port of a server is a number from 1 to 65535'],
  ['postgresql://u:secret@a,b:65536/zonewright', 'the port of a server is a number from 1 to 65535'],
  ['postgresql://u:secret@a,%zz/zonewright', 'the name of a server has a % that begins no octet'],
  [
    'postgresql://u:secret@a,b,c/zonewright?port=1,2',
    'port has one number for all servers, or as many as there are servers',
  ],
  [
    'postgresql://u:secret@a,b/zonewright?target_session_attrs=master',
    'target_session_attrs is one of any, read-write, read-only, primary, standby, prefer-standby',
  ],
  [
    'postgresql://u:secret@a,b/zonewright?target_session_attrs=prefer-standby',
    'target_session_attrs = prefer-standby leads to a standby, and the service changes data: primary, read-write or any',
  ],
])('18.7 refuses %j and says why, without the password', (text, reason) => {
  expect([databaseUrl.read(text), databaseUrl.whyNot?.(text)]).toEqual([undefined, reason]);
});
