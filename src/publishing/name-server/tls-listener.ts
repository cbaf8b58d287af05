import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { checkServerIdentity, createServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { causeOf } from '../../common/service-error.js';
import { ConfigError } from '../../config/config-error.js';
import type { NameServerTls } from '../publishing.options.js';

/** A client that has completed a TLS handshake. */
export interface TlsClient {
  /** Configured names that its verified certificate has. */
  readonly names: readonly string[];
}

/** In milliseconds. */
const HANDSHAKE_TIMEOUT = 5000;
/** With the interval of the caller, at most 5 seconds. */
const LOOK_EVERY = 4000;

/** A TCP connection whose TLS handshake is not complete. Counts like a connection without queries. */
export class Handshake {
  readonly isBusy = false;
  readonly activeAt = performance.now();

  /** As a socket has it. */
  readonly address: string;

  constructor(private readonly socket: Socket) {
    this.address = socket.remoteAddress ?? '';
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  overdue(now: number): string | null {
    return now - this.activeAt > HANDSHAKE_TIMEOUT ? 'did not complete the TLS handshake' : null;
  }
}

type CertificateFiles = Pick<TlsOptions, 'cert' | 'key' | 'ca'>;

interface TlsReceiver {
  readonly onSocket: (socket: Socket) => void;
  readonly onSecure: (socket: TLSSocket, client: TlsClient) => void;
}

/** DNS over TLS 1.3 (RFC 9103 §8). Certificate files are read again when they change. */
export class TlsListener {
  readonly server: Server;
  private readonly failures = new ThrottledLogger();
  private files: CertificateFiles;
  private lookedAt = performance.now();

  /**
   * @param clientNames names of certificates that grant access
   * @throws ConfigError for files that cannot be used
   */
  constructor(
    private readonly tls: NameServerTls,
    private readonly clientNames: readonly string[],
    options: { readonly allowHalfOpen: boolean; readonly noDelay: boolean; readonly highWaterMark: number },
    { onSocket, onSecure }: TlsReceiver,
  ) {
    const settings = {
      ...options,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['dot'],
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      requestCert: tls.clientCa !== null,
      // The access list decides, so that clients without a certificate get an answer.
      rejectUnauthorized: false,
    } as const;
    try {
      this.files = this.readFiles();
      this.server = createServer({ ...settings, ...this.files });
    } catch (error) {
      throw new ConfigError(
        `[service:mdns] tls_certificate, tls_key and tls_client_ca cannot be used: ${causeOf(error)}`,
      );
    }
    this.server.on('connection', onSocket);
    this.server.on('secureConnection', (socket) => {
      // RFC 9103 §7.1: a client that negotiates no protocol, or another one, does not speak DNS.
      if (socket.alpnProtocol === 'dot') onSecure(socket, { names: this.namesOf(socket) });
      else socket.destroy();
    });
    // The socket is closed already.
    this.server.on('tlsClientError', () => undefined);
  }

  /** Serves with the files as they are now. Call it often; `now` is as of `performance.now()`. */
  renew(now: number): void {
    if (now - this.lookedAt < LOOK_EVERY) return;
    this.lookedAt = now;
    try {
      const files = this.readFiles();
      if (isDeepStrictEqual(files, this.files)) return;
      this.server.setSecureContext({ ...files, minVersion: 'TLSv1.3' });
      this.files = files;
    } catch (error) {
      // A certificate and its key may be replaced one after the other.
      this.failures.warn(`Cannot load the TLS certificate: ${causeOf(error)} Serving with the former one.`);
    }
  }

  private namesOf(socket: TLSSocket): readonly string[] {
    if (!socket.authorized) return [];
    const certificate = socket.getPeerCertificate();
    return this.clientNames.filter((name) => checkServerIdentity(name, certificate) === undefined);
  }

  private readFiles(): CertificateFiles {
    const { certificate, key, clientCa } = this.tls;
    return {
      cert: readFileSync(certificate),
      key: readFileSync(key),
      ...(clientCa !== null && { ca: readFileSync(clientCa) }),
    };
  }
}
