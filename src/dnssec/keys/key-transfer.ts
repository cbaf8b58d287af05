import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Reads } from '../../database/reads.js';
import { type BindKey, writeBindKey } from '../../dns/dnssec/bind-key.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { KeyVault } from './key-vault.js';
import { ZoneKeyRepository } from './zone-key.repository.js';
import { dnskeyOf, ZoneKeys } from './zone-keys.js';

const AT_ONCE = 100;

/** Keys on their way out of the service, and from one key-encryption key to another. For operators only. */
@Injectable()
export class KeyTransfer {
  constructor(
    private readonly rows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly vault: KeyVault,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The keys of a zone that are in use, with their private parts.
   * @throws SealedShut
   */
  async export({ id, name }: Pick<ZoneEntity, 'id' | 'name'>): Promise<BindKey[]> {
    const rows = await this.reads.run((tx) => this.rows.ofZone(tx, id));
    const owner = DomainName.parse(name);
    return rows
      .filter(({ retiredAt }) => retiredAt === null)
      .map((row) => writeBindKey(owner, dnskeyOf(row), this.keys.privateKeyOf(row)));
  }

  /**
   * Encrypts all keys with the first key-encryption key. Returns how many had another one.
   * @throws SealedShut where one of them cannot be read
   */
  async rewrap(): Promise<number> {
    let count = 0;
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const after: string = marker;
      marker = await this.unitOfWork.run(async (tx) => {
        const page = await this.rows.page(tx, after, AT_ONCE);
        for (const row of page.filter(({ sealedWith }) => sealedWith !== null && !this.vault.isPresent(sealedWith))) {
          await this.rows.seal(tx, { ...row, ...this.vault.seal(this.keys.privateKeyOf(row), row) });
          count += 1;
        }
        return page.at(-1)?.id;
      });
    }
    return count;
  }
}
