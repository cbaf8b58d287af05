import type { Transaction } from '../../database/transaction.js';
import type { ChainLink, StoredChain } from '../../dns/dnssec/chain.js';
import type { ChainKind } from '../../dns/dnssec/denial.js';
import type { DomainName } from '../../dns/name.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { linkOf } from '../state/signed-set-form.js';
import type { GenerationOfZone } from '../state/generation.js';
import type { SignedSetRepository } from '../state/signed-set.repository.js';

/** The chain as the database has it. */
export class StoredLinks implements StoredChain {
  constructor(
    private readonly tx: Transaction,
    private readonly of: GenerationOfZone,
    private readonly kind: ChainKind,
    private readonly apex: DomainName,
    private readonly sets: SignedSetRepository,
  ) {}

  async at(keys: readonly string[]): Promise<readonly ChainLink[]> {
    const rows = await this.sets.linksAt(this.tx, this.of, keys);
    return rows.map((row) => linkOf(row, this.kind, this.apex));
  }

  before(key: string): Promise<ChainLink | null> {
    return this.read(this.sets.linkBefore(this.tx, this.of, key));
  }

  after(key: string): Promise<ChainLink | null> {
    return this.read(this.sets.linkAfter(this.tx, this.of, key));
  }

  first(): Promise<ChainLink | null> {
    return this.read(this.sets.firstLink(this.tx, this.of));
  }

  last(): Promise<ChainLink | null> {
    return this.read(this.sets.lastLink(this.tx, this.of));
  }

  private async read(finding: Promise<SignedSetEntity | undefined>): Promise<ChainLink | null> {
    const row = await finding;
    return row === undefined ? null : linkOf(row, this.kind, this.apex);
  }
}
