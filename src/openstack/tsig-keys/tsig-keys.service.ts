import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { type TsigAlgorithm, type TsigKeyEntity, type TsigScope, TsigKeyRepository } from './tsig-key.repository.js';

export interface TsigKeyFields {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: string;
  readonly scope: TsigScope;
  /** The ID of a zone or pool, which is not checked. */
  readonly resourceId: string;
}

export type TsigKeyUpdate = { readonly [Field in keyof TsigKeyFields]?: TsigKeyFields[Field] | undefined };

@Injectable()
export class TsigKeysService {
  constructor(private readonly keys: TsigKeyRepository) {}

  page(query: CollectionQuery): Promise<FilteredPage<TsigKeyEntity>> {
    return this.keys.page(query);
  }

  get(id: string): Promise<TsigKeyEntity> {
    return this.keys.find(id);
  }

  /** @throws ServiceError `duplicate_tsig_key` */
  create(fields: TsigKeyFields, caller: Caller): Promise<TsigKeyEntity> {
    return this.keys.insert({ ...fields, nameKey: fields.name.toLowerCase() }, caller);
  }

  /** @throws ServiceError `tsig_key_not_found`, `duplicate_tsig_key` */
  update(id: string, fields: TsigKeyUpdate, caller: Caller): Promise<TsigKeyEntity> {
    return this.keys.update(id, { ...fields, nameKey: fields.name?.toLowerCase() }, caller);
  }

  delete(id: string, caller: Caller): Promise<void> {
    return this.keys.delete(id, caller);
  }
}
