import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../config/config-error.js';
import { Reads } from '../../database/reads.js';
import { KeyVault } from './key-vault.js';
import { ZoneKeyRepository } from './zone-key.repository.js';

/** Whether this process can read the keys of all zones that it would sign. */
@Injectable()
export class KeyDecryptionCheck {
  constructor(
    private readonly keys: ZoneKeyRepository,
    private readonly vault: KeyVault,
    private readonly reads: Reads,
  ) {}

  /** @throws ConfigError where it has key-encryption keys, and not those that they are encrypted with */
  async assert(): Promise<void> {
    if (!this.vault.isOpen) return;
    const used = await this.reads.run((tx) => this.keys.encryptionKeysInUse(tx));
    const missing = used.filter((sealedWith) => !this.vault.canOpen({ sealedWith }));
    if (missing.length === 0) return;
    throw new ConfigError(
      `[service:dnssec] key_encryption_keys lacks keys that the keys of signed domains are encrypted with (${missing.join(', ')}):` +
        ' put them back, behind the first. zonewright dnssec rewrap is what makes an old one dispensable',
    );
  }
}
