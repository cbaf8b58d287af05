import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import { causeOf } from '../../common/service-error.js';
import { TransferError } from './received-zone.js';

/** How a primary proves itself (RFC 9103 §9.3). */
export interface PrimaryTls {
  /** Of the certificate; `null`: the pin alone counts. */
  readonly name: string | null;
  /** SHA-256 of the public key (SPKI) in base64, or `null`. */
  readonly pin: string | null;
  /** Path of a PEM file; `null`: the CA certificates of Node.js. */
  readonly ca: string | null;
}

/** @throws TransferError for CA certificates that cannot be used */
export async function connectOverTls(
  { host, port }: { readonly host: string; readonly port: number },
  { name, pin, ca }: PrimaryTls,
): Promise<TLSSocket> {
  try {
    const authorities = ca === null || pin !== null ? {} : { ca: await readFile(ca) };
    return connect({
      ...{ host, port, minVersion: 'TLSv1.3', ALPNProtocols: ['dot'], ...authorities },
      ...(name !== null && { servername: name }),
      // A pin counts instead of the certificate's signature and names.
      rejectUnauthorized: pin === null,
      checkServerIdentity: (_, certificate) => (name === null ? undefined : checkServerIdentity(name, certificate)),
    });
  } catch (error) {
    throw new TransferError(`[service:mdns] tls_masters_ca: ${causeOf(error)}`, false, 'unreachable');
  }
}

/** @throws TransferError unless the primary is the configured one and speaks DNS over TLS */
export async function completeHandshake(
  socket: TLSSocket,
  { label, tls }: { readonly label: string; readonly tls?: PrimaryTls },
): Promise<void> {
  const failed = (cause: string): TransferError => new TransferError(`${label}: TLS: ${cause}`, false, 'unreachable');
  try {
    await once(socket, 'secureConnect');
  } catch (error) {
    throw error instanceof TransferError ? error : failed(causeOf(error));
  }
  const pin = tls?.pin ?? null;
  if (pin !== null && pinOf(socket.getPeerCertificate().raw) !== pin)
    throw failed('the certificate has another public key than tls_masters has');
  if (socket.alpnProtocol !== 'dot') throw failed('the server does not speak DNS over TLS (ALPN dot)');
}

function pinOf(certificate: Buffer): string {
  const { publicKey } = new X509Certificate(certificate);
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
