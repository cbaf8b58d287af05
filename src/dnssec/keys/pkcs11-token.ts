import { type ChildProcess, fork } from 'node:child_process';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { DnssecOptions, type TokenAccess } from '../dnssec.options.js';
import { KeyToken, TokenFailure, type TokenKeyForm, type TokenKeyPair } from '../../dns/dnssec/key-token.js';
import type { TokenAnswer, TokenOrder } from './pkcs11-process.js';

/** The built file, also when tests run from source. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/dnssec/keys/pkcs11-process.js' : './pkcs11-process.js',
  import.meta.url,
);

/** In milliseconds. A small token makes an RSA key of 4096 bits in half a minute. */
const TIME_LIMITS: Readonly<Record<TokenOrder['kind'], number>> = {
  open: 15_000,
  make: 60_000,
  sign: 30_000,
  find: 15_000,
  destroy: 15_000,
};
/** In milliseconds, after a failure to open the token. */
const RETRY_AFTER = 5000;
/** Orders under way: one has up to 64 signatures. A large zone leaves room for others. */
const UNDER_WAY = { inAll: 8, perKey: 4 };

/** Keys in a token by PKCS #11. The library runs in a process of its own, which opens the token with the first order. */
@Injectable()
export class Pkcs11Token extends KeyToken implements OnModuleDestroy {
  private readonly trouble = new ThrottledLogger();
  private readonly turns = new FairLimiter(UNDER_WAY);
  private current: TokenProcess | null = null;
  private failure: { readonly error: TokenFailure; readonly until: number } | null = null;

  constructor(private readonly options: DnssecOptions) {
    super();
  }

  onModuleDestroy(): void {
    this.current?.end('the service stops');
  }

  override makeKey(form: TokenKeyForm): Promise<TokenKeyPair> {
    return this.ask({ kind: 'make', form }, 'make') as Promise<TokenKeyPair>;
  }

  override sign(reference: string, algorithm: number, data: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    return this.ask({ kind: 'sign', reference, algorithm, data }, reference) as Promise<readonly Uint8Array[]>;
  }

  override findKey(algorithm: number, publicField: Uint8Array): Promise<string | null> {
    return this.ask({ kind: 'find', algorithm, publicField }, 'find') as Promise<string | null>;
  }

  override async destroyKey(reference: string): Promise<void> {
    await this.ask({ kind: 'destroy', reference }, reference);
  }

  /** Returns what `OpenToken` answers to the order: messages have no types. */
  private ask(order: TokenOrder, key: string): Promise<unknown> {
    return this.turns.run(async () => {
      if (this.failure !== null && performance.now() < this.failure.until) throw this.failure.error;
      if (this.current?.isOver !== false) this.current = this.start();
      const { current } = this;
      try {
        await current.opened;
        const result = await current.ask(order);
        this.trouble.over('The token of pkcs11_token can be used again.');
        return result;
      } catch (error) {
        if (current.isOver && error instanceof TokenFailure) this.rest(error);
        throw error;
      }
    }, key);
  }

  private start(): TokenProcess {
    const { token } = this.options;
    if (token === null) throw new Error('no token is configured');
    return new TokenProcess(token);
  }

  private rest(error: TokenFailure): void {
    this.failure = { error, until: error instanceof WrongPin ? Infinity : performance.now() + RETRY_AFTER };
    this.trouble.warn(`The token of pkcs11_token cannot be used: ${error.message}`);
  }
}

/** A second try might lock the token: only a restart of the service tries again. */
class WrongPin extends TokenFailure {}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: TokenFailure) => void;
}

/** The session or the token is lost, or the library fails: another process opens the token anew. */
const LOST = /CKR_(?:SESSION|DEVICE|TOKEN|USER|CRYPTOKI|GENERAL|FUNCTION|KEY_HANDLE|OBJECT_HANDLE)/;

class TokenProcess {
  readonly opened: Promise<unknown>;
  isOver = false;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;

  constructor(access: TokenAccess) {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    this.child = fork(PROGRAM, [], { serialization: 'advanced', execArgv: [], stdio: [...stdio] });
    this.child.on('message', (answer: TokenAnswer) => this.take(answer));
    this.child.once('error', (error) => this.end(error.message));
    this.child.once('exit', (code, signal) => this.end(`its process ended with ${signal ?? code}`));
    this.child.unref();
    this.child.channel?.unref();
    this.opened = this.ask({ kind: 'open', access }).catch((error: unknown) => {
      this.end(String(error));
      throw error;
    });
    // Orders await it too.
    this.opened.catch(() => undefined);
  }

  ask(order: TokenOrder): Promise<unknown> {
    const id = (this.count += 1);
    const limit = TIME_LIMITS[order.kind];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(`it did not answer within ${limit / 1000} s`), limit);
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
      };
      this.waiting.set(id, {
        resolve: (result) => {
          end();
          resolve(result);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      this.child.send({ id, order }, (error) => error && this.end(error.message));
    });
  }

  /** A process that hangs in the library ends by no other signal. */
  end(reason: string): void {
    this.isOver = true;
    this.child.kill('SIGKILL');
    for (const { reject } of this.waiting.values()) reject(new TokenFailure(`the token failed: ${reason}`));
  }

  private take({ id, result, error, isPinError }: TokenAnswer): void {
    const waiting = this.waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(isPinError === true ? new WrongPin(error) : new TokenFailure(error));
    if (error !== undefined && LOST.test(error)) this.end(error);
  }
}
