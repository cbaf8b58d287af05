import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { ALIAS } from '../../dns/rdata/index.js';
import { type PlanFinding, StateFindings } from '../../records/plan-findings.js';
import { AliasRepository, type AliasView } from '../alias.repository.js';

const PAGE_SIZE = 200;

/** Reports ALIAS records whose targets have no addresses now (behaviour 24.5). */
@Injectable()
export class AliasFindings extends StateFindings {
  constructor(private readonly aliases: AliasRepository) {
    super();
  }

  override async *of(tx: Transaction, zoneId: string): AsyncGenerator<PlanFinding> {
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: AliasView[] = await this.aliases.views(tx, zoneId, next, PAGE_SIZE + 1);
      for (const view of page.slice(0, PAGE_SIZE)) if (view.problem !== null) yield findingOf(view, view.problem);
      next = page[PAGE_SIZE]?.ownerKey;
    }
  }
}

function findingOf({ name, data, addresses }: AliasView, problem: string): PlanFinding {
  const kept =
    addresses === null || addresses === '' ? 'The name has no addresses.' : 'The last addresses stay for now.';
  return {
    ...{ severity: 'warning', name, type: ALIAS.name, kind: 'alias_without_addresses', text: data },
    message: `The target ${data} has no usable addresses: ${problem}. ${kept}`,
  };
}
