import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import type { BlacklistEntity } from './zone-name-rules.entity.js';
import { BlacklistRepository } from './zone-name-rules.repository.js';
import { parseNamePattern, PatternError } from './name-pattern.js';

export interface BlacklistFields {
  readonly pattern: string;
  readonly description?: string | null;
}

@Injectable()
export class BlacklistsService {
  constructor(private readonly blacklists: BlacklistRepository) {}

  page(query: CollectionQuery): Promise<FilteredPage<BlacklistEntity>> {
    return this.blacklists.page(query);
  }

  get(id: string): Promise<BlacklistEntity> {
    return this.blacklists.find(id);
  }

  /** @throws ServiceError `invalid_object` for the pattern, `duplicate_blacklist` */
  async create({ pattern, description = null }: BlacklistFields, caller: Caller): Promise<BlacklistEntity> {
    await assertPattern(pattern);
    return this.blacklists.insert({ pattern, description }, caller);
  }

  async update(
    id: string,
    { pattern, description }: Partial<BlacklistFields>,
    caller: Caller,
  ): Promise<BlacklistEntity> {
    if (pattern !== undefined) await assertPattern(pattern);
    return this.blacklists.update(id, { pattern, description }, caller);
  }

  delete(id: string, caller: Caller): Promise<void> {
    return this.blacklists.delete(id, caller);
  }
}

async function assertPattern(pattern: string): Promise<void> {
  try {
    await parseNamePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw ServiceError.ofField('invalid_object', 'pattern', 'format', `pattern: ${error.message}.`);
  }
}
