import { CreateZoneTransferRequests1763863000000 } from '../../database/migrations/1763863000000-create-zone-transfer-requests.js';
import { IndexTransferAccepts1763890000000 } from '../../database/migrations/1763890000000-index-transfer-accepts.js';
import { ZoneTransferAcceptEntity } from './zone-transfer-accept.entity.js';
import { ZoneTransferRequestEntity } from './zone-transfer-request.entity.js';

export const entities = [ZoneTransferRequestEntity, ZoneTransferAcceptEntity];
export const migrations = [CreateZoneTransferRequests1763863000000, IndexTransferAccepts1763890000000];
