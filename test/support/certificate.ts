import { generateKeyPairSync, sign } from 'node:crypto';

/** The files of a TLS server, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate of version 1 with an Ed25519 key (RFC 5280 §4.1, RFC 8410). */
export function selfSignedCertificate(commonName: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const serial = der(INTEGER, Buffer.of(1));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(commonName)))));
  const validity = der(SEQUENCE, ...['200101000000Z', '491231235959Z'].map((time) => der(UTC_TIME, Buffer.from(time))));
  const unsigned = der(
    SEQUENCE,
    serial,
    ED25519,
    name,
    validity,
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
  );
  const signature = der(BIT_STRING, Buffer.of(0), sign(null, unsigned, privateKey));
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: pem(der(SEQUENCE, unsigned, ED25519, signature)),
  };
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;

/** The algorithm 1.3.101.112, without parameters. */
const ED25519 = Buffer.from('300506032b6570', 'hex');
/** The attribute 2.5.4.3. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** A tag, its length and its contents, of at most 255 octets. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts);
  const length = contents.length < 128 ? [contents.length] : [0x81, contents.length];
  return Buffer.concat([Buffer.of(tag, ...length), contents]);
}

function pem(certificate: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
}
