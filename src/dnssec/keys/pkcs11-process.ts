/**
 * The process that loads a PKCS #11 library: a library that crashes or hangs ends only this process. It serves
 * `Pkcs11Token` by messages, and ends with it. `pkcs11js` is a package that operators add.
 */
import { randomBytes } from 'node:crypto';
import { tellParent } from '../../common/tell-parent.js';
import {
  ATTRIBUTE,
  type Attribute,
  pairTemplates,
  PRIVATE_KEY,
  PUBLIC_KEY,
  publicAttributes,
  publicFieldOf,
  publicTemplates,
  tokenAlgorithm,
} from './pkcs11-objects.js';
import type { TokenAccess } from '../dnssec.options.js';
import type { TokenKeyForm, TokenKeyPair } from '../../dns/dnssec/key-token.js';

export type TokenOrder =
  | { readonly kind: 'open'; readonly access: TokenAccess }
  | { readonly kind: 'make'; readonly form: TokenKeyForm }
  | {
      readonly kind: 'sign';
      readonly reference: string;
      readonly algorithm: number;
      readonly data: readonly Uint8Array[];
    }
  | { readonly kind: 'find'; readonly algorithm: number; readonly publicField: Uint8Array }
  | { readonly kind: 'destroy'; readonly reference: string };

export interface TokenAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly isPinError?: boolean;
}

type Handle = Buffer;

/** Of `pkcs11js`. */
interface Pkcs11 {
  load(path: string): void;
  C_Initialize(options: { readonly flags: number }): void;
  C_GetSlotList(hasToken: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(session: Handle, user: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, most: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(session: Handle, object: Handle, template: readonly Attribute[]): { readonly value: Buffer }[];
  C_GenerateKeyPairAsync(
    session: Handle,
    mechanism: { readonly mechanism: number },
    publicKey: readonly Attribute[],
    privateKey: readonly Attribute[],
  ): Promise<{ readonly publicKey: Handle; readonly privateKey: Handle }>;
  C_SignInit(session: Handle, mechanism: { readonly mechanism: number }, key: Handle): void;
  C_SignAsync(session: Handle, data: Buffer, signature: Buffer): Promise<Buffer>;
  C_DestroyObject(session: Handle, object: Handle): void;
}

interface Pkcs11Package {
  readonly default: { readonly PKCS11: new () => Pkcs11 };
}

/** Unknown to the compiler. */
const PACKAGE = 'pkcs11js' as string;
const OS_LOCKING_OK = 2;
const SERIAL_SESSION = 4;
const RW_SESSION = 2;
const USER = 1;
const MOST_RSA_OCTETS = 512;
const ID_OCTETS = 16;
/** A key may be there under several IDs. */
const MOST_FOUND = 8;
const MAX_KNOWN = 10_000;
/** CK_RV of a PIN that is wrong, locked or expired. */
const PIN_ERRORS = /CKR_PIN_|CKR_USER_PIN/;

class OpenToken {
  private readonly known = new Map<string, Handle>();
  /** A session does one thing at a time. */
  private readonly waiting: ((session: Handle) => void)[] = [];

  constructor(
    private readonly library: Pkcs11,
    private readonly free: Handle[],
  ) {}

  makeKey({ algorithm, rsaBits, label }: TokenKeyForm): Promise<TokenKeyPair> {
    return this.inSession(async (session) => {
      const id = randomBytes(ID_OCTETS);
      const { publicKey, privateKey } = pairTemplates(algorithm, rsaBits, { id, label });
      const mechanism = { mechanism: tokenAlgorithm(algorithm).pairs };
      const pair = await this.library.C_GenerateKeyPairAsync(session, mechanism, publicKey, privateKey);
      const wanted = publicAttributes(algorithm).map((type) => ({ type }));
      const values = this.library.C_GetAttributeValue(session, pair.publicKey, wanted).map(({ value }) => value);
      return { reference: id.toString('hex'), publicField: publicFieldOf(algorithm, values) };
    });
  }

  async sign(reference: string, algorithm: number, data: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const { signs, octets = MOST_RSA_OCTETS, ...form } = tokenAlgorithm(algorithm);
    return Promise.all(
      data.map((one) =>
        this.inSession(async (session) => {
          this.library.C_SignInit(session, { mechanism: signs }, this.privateKey(session, reference));
          return this.library.C_SignAsync(session, form.input(one), Buffer.alloc(octets));
        }),
      ),
    );
  }

  findKey(algorithm: number, publicField: Uint8Array): Promise<string | null> {
    return this.inSession((session) => {
      for (const wanted of publicTemplates(algorithm, publicField))
        for (const object of this.search(session, [{ type: ATTRIBUTE.CLASS, value: PUBLIC_KEY }, wanted])) {
          const [id] = this.library.C_GetAttributeValue(session, object, [{ type: ATTRIBUTE.ID }]);
          const reference = id?.value.toString('hex') ?? '';
          if (this.find(session, PRIVATE_KEY, reference).length > 0) return Promise.resolve(reference);
        }
      return Promise.resolve(null);
    });
  }

  destroyKey(reference: string): Promise<void> {
    return this.inSession((session) => {
      for (const kind of [PRIVATE_KEY, PUBLIC_KEY])
        for (const object of this.find(session, kind, reference)) this.library.C_DestroyObject(session, object);
      this.known.delete(reference);
      return Promise.resolve();
    });
  }

  private privateKey(session: Handle, reference: string): Handle {
    const known = this.known.get(reference);
    if (known !== undefined) return known;
    const [found] = this.find(session, PRIVATE_KEY, reference);
    if (found === undefined) throw new Error(`the token has no private key with the CKA_ID ${reference}`);
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(reference, found);
    return found;
  }

  private find(session: Handle, kind: number, reference: string): Handle[] {
    return this.search(session, [
      { type: ATTRIBUTE.CLASS, value: kind },
      { type: ATTRIBUTE.ID, value: Buffer.from(reference, 'hex') },
    ]);
  }

  private search(session: Handle, template: readonly Attribute[]): Handle[] {
    this.library.C_FindObjectsInit(session, template);
    try {
      return this.library.C_FindObjects(session, MOST_FOUND);
    } finally {
      // Otherwise each later search of the session fails.
      this.library.C_FindObjectsFinal(session);
    }
  }

  private async inSession<T>(work: (session: Handle) => Promise<T>): Promise<T> {
    const session = this.free.pop() ?? (await new Promise<Handle>((resolve) => this.waiting.push(resolve)));
    try {
      return await work(session);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free.push(session);
      else next(session);
    }
  }
}

async function open({ library: path, label, pin, sessions }: TokenAccess): Promise<OpenToken> {
  const library = await load(path);
  library.C_Initialize({ flags: OS_LOCKING_OK });
  const slot = library.C_GetSlotList(true).find((one) => library.C_GetTokenInfo(one).label.trim() === label);
  if (slot === undefined) throw new Error(`${path} has no token with the label ${label}`);
  const all = Array.from({ length: sessions }, () => library.C_OpenSession(slot, SERIAL_SESSION | RW_SESSION));
  const [first] = all;
  // A login is for all sessions of the process.
  if (first !== undefined) library.C_Login(first, USER, pin);
  return new OpenToken(library, all);
}

async function load(path: string): Promise<Pkcs11> {
  const missing = `pkcs11_library needs the npm package ${PACKAGE} beside zonewright: npm install ${PACKAGE}`;
  const loaded = (await import(PACKAGE).catch((cause: unknown) => {
    throw new Error(`${missing} (${String(cause)})`, { cause });
  })) as Pkcs11Package;
  const library = new loaded.default.PKCS11();
  library.load(path);
  return library;
}

let opened: OpenToken | null = null;

async function obey(order: TokenOrder): Promise<unknown> {
  if (order.kind === 'open') {
    opened = await open(order.access);
    return null;
  }
  if (opened === null) throw new Error('the token is not open');
  if (order.kind === 'make') return opened.makeKey(order.form);
  if (order.kind === 'sign') return opened.sign(order.reference, order.algorithm, order.data);
  if (order.kind === 'find') return opened.findKey(order.algorithm, order.publicField);
  return opened.destroyKey(order.reference);
}

process.on('message', ({ id, order }: { readonly id: number; readonly order: TokenOrder }) => {
  const answer = (answered: Omit<TokenAnswer, 'id'>): void => tellParent({ id, ...answered });
  obey(order).then(
    (result) => answer({ result }),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      answer({ error: message, isPinError: PIN_ERRORS.test(message) });
    },
  );
});
process.on('disconnect', () => process.exit());
// A signal to the group: `Pkcs11Token` ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
