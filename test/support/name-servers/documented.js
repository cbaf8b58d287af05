import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const DOCUMENT = join(import.meta.dirname, '../../../docs/publishing.md');
/** A block of code whose first line is a comment with the path of a file. */
const BLOCK = /^```\w*\n(?:#|\/\/|--) (?<path>\/\S+)\n(?<text>.*?)^```$/gms;

export const [, DOCUMENTED_KEY, DOCUMENTED_SECRET] = /^tsig_keys = (\w+):hmac-sha256:(\S+)$/m.exec(
  documented('zonewright.conf'),
);

/** The file of that name as docs/publishing.md has it. */
export function documented(name) {
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(BLOCK)];
  const block = blocks.find(({ groups }) => basename(groups.path) === name);
  if (block === undefined) throw new Error(`docs/publishing.md has no block for ${name}`);
  return block.groups.text;
}

/**
 * Documented configuration for a test: service and name server on loopback, with the name server's files in one
 * directory.
 * @param place `primary` is the DNS port of the service, `own` that of the name server
 */
export function documentedFor(name, { primary, own, directory, secret = DOCUMENTED_SECRET }) {
  return documented(name)
    .replaceAll(/192\.0\.2\.(?:1|53)\b/g, '127.0.0.1')
    .replaceAll('5354', String(primary))
    .replaceAll(/(?<=@|port |local-port=)53\b/g, String(own))
    .replaceAll(/\/(?:etc|run|var\/lib|var\/cache)\/\w+/g, directory)
    .replaceAll(DOCUMENTED_SECRET, secret);
}

/** That of the service, for several name servers. */
export function serviceConfiguration({ primary, secondaries, directory }) {
  return documentedFor('zonewright.conf', { primary, own: 0, directory }).replace(
    /^secondaries = .*$/m,
    `secondaries = ${secondaries}`,
  );
}
