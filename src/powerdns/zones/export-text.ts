import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A JSON object with one field, a text that is written while it is read. */
export function asJsonText(field: string, text: Readable): Readable {
  async function* pieces(): AsyncGenerator<string> {
    yield `{${JSON.stringify(field)}:"`;
    const decoder = new StringDecoder('utf8');
    for await (const piece of text as AsyncIterable<Buffer | string>)
      yield inside(typeof piece === 'string' ? piece : decoder.write(piece));
    yield `${inside(decoder.end())}"}`;
  }
  return Readable.from(pieces(), { objectMode: false }).once('close', () => text.destroy());
}

function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
