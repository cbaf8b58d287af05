import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../config/config-error.js';
import { type KeyFiles, writeKeyFiles } from '../../dns/dnssec/key-files.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { SigningContext } from '../signing-context.js';
import { IN_TOKEN } from '../../dns/dnssec/key-token.js';
import { KeyVault } from './key-vault.js';
import { dnskeyOf, ZoneKeys } from './zone-keys.js';

const PAGE_SIZE = 100;

/** Decrypts private keys for operators: the startup check, exports and new key-encryption keys. */
@Injectable()
export class EncryptedKeys {
  constructor(
    private readonly context: SigningContext,
    private readonly keys: ZoneKeys,
    private readonly vault: KeyVault,
  ) {}

  /** @throws ConfigError if key-encryption keys are configured, but not all that the stored keys need */
  async assertDecryptable(): Promise<void> {
    if (!this.keys.canSign) return;
    const used = await this.context.read((tx) => this.context.keys.encryptionKeysInUse(tx));
    const missing = used.filter((sealedWith) => !this.keys.canOpen({ sealedWith }));
    if (missing.length === 0) return;
    if (missing.includes(IN_TOKEN))
      throw new ConfigError(
        '[service:dnssec] pkcs11_library is not set, but keys of signed domains are in a token: set it, or roll the keys to keys in the database first',
      );
    throw new ConfigError(
      `[service:dnssec] key_encryption_keys lacks keys that the keys of signed domains are encrypted with (${missing.join(', ')}):` +
        ' put them back, behind the first. zonewright dnssec rewrap is what makes an old one dispensable',
    );
  }

  /** Returns the keys in use with a private key here. Throws SealedShut if one cannot be decrypted. */
  async export({ id, name }: Pick<ZoneEntity, 'id' | 'name'>): Promise<KeyFiles[]> {
    const rows = await this.context.read((tx) => this.context.keys.ofZone(tx, id));
    const owner = DomainName.parse(name);
    return rows
      .filter(({ retiredAt, sealed }) => retiredAt === null && sealed !== null)
      .map((row) => writeKeyFiles(owner, dnskeyOf(row), this.keys.privateKeyOf(row)));
  }

  /** Encrypts all keys with the first key-encryption key. Returns the number of changed keys. */
  async rewrap(): Promise<number> {
    const rows = this.context.keys;
    let count = 0;
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const after: string = marker;
      marker = await this.context.unitOfWork.run(async (tx) => {
        const page = await rows.page(tx, after, PAGE_SIZE);
        for (const row of page.filter(
          ({ sealedWith }) => isInDatabase(sealedWith) && !this.vault.isPresent(sealedWith),
        )) {
          await rows.seal(tx, { ...row, ...this.vault.seal(this.keys.privateKeyOf(row), row) });
          count += 1;
        }
        return page.at(-1)?.id;
      });
    }
    return count;
  }
}

function isInDatabase(sealedWith: string | null): sealedWith is string {
  return sealedWith !== null && sealedWith !== IN_TOKEN;
}
