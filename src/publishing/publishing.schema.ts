import { CreatePublications1763840000000 } from '../database/migrations/1763840000000-create-publications.js';
import { CreateCatalog1763850000000 } from '../database/migrations/1763850000000-create-catalog.js';
import { NoteRefusals1763860100000 } from '../database/migrations/1763860100000-note-refusals.js';
import { KeepAbandonedMembers1763866000000 } from '../database/migrations/1763866000000-keep-abandoned-members.js';
import { CatalogMemberEntity } from './catalog/catalog-member.entity.js';
import { CatalogEntity } from './catalog/catalog.entity.js';
import { LeaseEntity } from '../background/lease.entity.js';
import { PublicationEntity } from './pool/publication.entity.js';

export const entities = [PublicationEntity, LeaseEntity, CatalogEntity, CatalogMemberEntity];

export const migrations = [
  CreatePublications1763840000000,
  CreateCatalog1763850000000,
  NoteRefusals1763860100000,
  KeepAbandonedMembers1763866000000,
];
