import type { INestApplicationContext } from '@nestjs/common';
import type { DomainEntity } from '../domains/domain.entity.js';
import { DomainsService } from '../domains/domains.service.js';
import { operatorFor } from './operator.js';

/** @throws Error that tells the operator that there is no such domain */
export async function domainNamed(context: INestApplicationContext, name: string): Promise<DomainEntity> {
  const absolute = absoluteName(name);
  const domain = await context.get(DomainsService, { strict: false }).findByName(absolute, operatorFor('admin'));
  if (domain === null) throw new Error(`there is no domain ${absolute}`);
  return domain;
}

/** On a command line the final dot may be left out. */
export function absoluteName(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}
