import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { NameError } from '../../dns/name.js';
import { parseDomainName } from '../../dns/owner-name.js';
import type { TldEntity } from './zone-name-rules.entity.js';
import { TldRepository } from './zone-name-rules.repository.js';

export interface TldFields {
  readonly name: string;
  readonly description?: string | null;
}

@Injectable()
export class TldsService {
  constructor(private readonly tlds: TldRepository) {}

  page(query: CollectionQuery): Promise<FilteredPage<TldEntity>> {
    return this.tlds.page(query);
  }

  get(id: string): Promise<TldEntity> {
    return this.tlds.find(id);
  }

  /** @throws ServiceError `invalid_object` for the name, `duplicate_tld` */
  create({ name, description = null }: TldFields, caller: Caller): Promise<TldEntity> {
    return this.tlds.insert({ name, nameKey: keyOf(name), description }, caller);
  }

  update(id: string, { name, description }: Partial<TldFields>, caller: Caller): Promise<TldEntity> {
    const fields = { ...(name === undefined ? {} : { name, nameKey: keyOf(name) }), description };
    return this.tlds.update(id, fields, caller);
  }

  delete(id: string, caller: Caller): Promise<void> {
    return this.tlds.delete(id, caller);
  }
}

function keyOf(name: string): string {
  try {
    return parseDomainName(`${name}.`).key;
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    const message = `name: ${error.message}. Write it without a final dot.`;
    throw ServiceError.ofField('invalid_object', 'name', 'format', message);
  }
}
