import { readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { checkServerIdentity, createServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
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
const LOOK_EVERY = 5000;

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

interface TlsReceiver {
  readonly onSocket: (socket: Socket) => void;
  readonly onSecure: (socket: TLSSocket, client: TlsClient) => void;
}

/** DNS over TLS 1.3 (RFC 9103 §8). Certificate files are read again when they change. */
export class TlsListener {
  readonly server: Server;
  private readonly failures = new ThrottledLogger();
  private readonly watch: NodeJS.Timeout;
  private state: string;

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
      this.state = this.fileState();
      this.server = createServer({ ...settings, ...this.readFiles() });
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
    this.watch = setInterval(() => this.renew(), LOOK_EVERY).unref();
  }

  close(): void {
    clearInterval(this.watch);
  }

  private namesOf(socket: TLSSocket): readonly string[] {
    if (!socket.authorized) return [];
    const certificate = socket.getPeerCertificate();
    return this.clientNames.filter((name) => checkServerIdentity(name, certificate) === undefined);
  }

  private renew(): void {
    try {
      const state = this.fileState();
      if (state === this.state) return;
      this.server.setSecureContext({ ...this.readFiles(), minVersion: 'TLSv1.3' });
      this.state = state;
    } catch (error) {
      // A certificate and its key may be replaced one after the other.
      this.failures.warn(`Cannot load the TLS certificate: ${causeOf(error)} Serving with the former one.`);
    }
  }

  private readFiles(): Pick<TlsOptions, 'cert' | 'key' | 'ca'> {
    const { certificate, key, clientCa } = this.tls;
    return {
      cert: readFileSync(certificate),
      key: readFileSync(key),
      ...(clientCa !== null && { ca: readFileSync(clientCa) }),
    };
  }

  private fileState(): string {
    const { certificate, key, clientCa } = this.tls;
    const files = [certificate, key, ...(clientCa === null ? [] : [clientCa])];
    return files
      .map((file) => statSync(file))
      .map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`)
      .join();
  }
}
