import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import type { BlacklistEntity } from './blacklist.entity.js';
import { BlacklistRepository } from './blacklist.repository.js';
import { NamePattern } from './name-pattern.js';
import { PatternError } from './pattern-syntax.js';

export interface BlacklistFields {
  readonly pattern: string;
  readonly description?: string | null;
}

/** Patterns of names that only admins give to zones. */
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
  create({ pattern, description = null }: BlacklistFields, caller: Caller): Promise<BlacklistEntity> {
    assertPattern(pattern);
    return this.blacklists.insert({ pattern, description }, caller);
  }

  /** @throws ServiceError as `create`, and `blacklist_not_found` */
  update(id: string, { pattern, description }: Partial<BlacklistFields>, caller: Caller): Promise<BlacklistEntity> {
    if (pattern !== undefined) assertPattern(pattern);
    return this.blacklists.update(id, { pattern, description }, caller);
  }

  delete(id: string, caller: Caller): Promise<void> {
    return this.blacklists.delete(id, caller);
  }
}

function assertPattern(pattern: string): void {
  try {
    NamePattern.parse(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw ServiceError.ofField('invalid_object', 'pattern', 'format', `The pattern cannot be used: ${error.message}.`);
  }
}
