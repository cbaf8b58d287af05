/** `zone_keys.sealed_with` of keys in the token, whose `sealed` is the reference. */
export const IN_TOKEN = 'token';

/** A new key pair of a token. */
export interface TokenKeyPair {
  /** Identifies the private key in the token, at most 255 characters. */
  readonly reference: string;
  /** The public key field of DNSKEY. */
  readonly publicField: Uint8Array;
}

/** The wanted key pair. */
export interface TokenKeyForm {
  /** The algorithm number of DNSKEY. */
  readonly algorithm: number;
  /** Of an RSA key. */
  readonly rsaBits: number;
  /** The domain, for people who look into the token. */
  readonly label: string;
}

/** Has the private keys of new keys instead of the database, such as an HSM. They never leave it. */
export abstract class KeyToken {
  abstract makeKey(form: TokenKeyForm): Promise<TokenKeyPair>;
  /** The reference of a private key that is there already; `null`: it is not. @param publicField of DNSKEY */
  abstract findKey(algorithm: number, publicField: Uint8Array): Promise<string | null>;
  /** Returns signatures in the form of RRSIG, in the order of `data`, which has at most 64 parts. */
  abstract sign(reference: string, algorithm: number, data: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
  /** Destroys a key that no domain uses. */
  abstract destroyKey(reference: string): Promise<void>;
}

/** The token cannot serve the request now. */
export class TokenFailure extends Error {}

/** Private keys are in the database. */
export class NoKeyToken extends KeyToken {
  override makeKey(): Promise<TokenKeyPair> {
    return Promise.reject(noToken());
  }

  override findKey(): Promise<string | null> {
    return Promise.resolve(null);
  }

  override sign(): Promise<readonly Uint8Array[]> {
    return Promise.reject(noToken());
  }

  override destroyKey(): Promise<void> {
    return Promise.reject(noToken());
  }
}

function noToken(): TokenFailure {
  return new TokenFailure('the private key is in a token, and this process has none: set pkcs11_library');
}
