import { CreatePublications1763840000000 } from '../database/migrations/1763840000000-create-publications.js';
import { LeaseEntity } from './pool/lease.entity.js';
import { PublicationEntity } from './pool/publication.entity.js';

export const entities = [PublicationEntity, LeaseEntity];

export const migrations = [CreatePublications1763840000000];
