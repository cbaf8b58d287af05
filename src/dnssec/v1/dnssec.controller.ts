import { PathId } from '../../http/decorators.js';
import { OPTIONAL_BODY } from '../../http/openapi/operation.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { dnssecController } from '../forms/dnssec.controller.js';
import { DnssecDto } from '../forms/dnssec.dto.js';
import { KeyRequestDto } from '../forms/offline-key.dto.js';

export const DnssecController = dnssecController({
  paths: ['v1/domains/:domain_id/dnssec', 'domains/:domain_id/dnssec'],
  tag: Operations('dnssec', { ids: ['domain_id'], errors: ['zone_not_found'] }),
  Id: PathId,
  zoneId: 'domain_id',
  get: Operation({
    id: 'getDnssec',
    summary: 'Show whether a domain is signed, with which keys, and the next condition',
    response: DnssecDto,
  }),
  update: Operation({
    id: 'updateDnssec',
    summary: 'Have a domain signed, or not signed any more',
    description:
      'The answer does not wait for signatures. Omitted fields are those of the configuration. Signing ends at once as' +
      ' long as no DS can have been set; otherwise when its removal has been said and caches do not have it any more.',
    response: DnssecDto,
    errors: ['invalid_object', 'forbidden', 'signing_conflict', 'secondary_zone'],
    bodyErrors: [],
  }),
  roll: Operation({
    id: 'createDnssecRollover',
    summary: 'Have a new key take the place of another',
    description:
      'Each step begins when every name server has the one before, and caches have dropped the data from before.' +
      ' Before the old KSK or CSK goes, the parent zone has to have the DS of the new one in its place. `algorithm` has keys of' +
      ' another algorithm take the place of all keys (RFC 6781 §4.1.4).',
    response: DnssecDto,
    errors: ['invalid_object', 'forbidden', 'signing_conflict'],
    bodyErrors: [],
  }),
  cancelRoll: Operation({
    id: 'deleteDnssecRollover',
    summary: 'Stop a rollover, as long as the DS of the new key has not been asked for',
    ids: ['rollover_id'],
    response: DnssecDto,
    errors: ['forbidden', 'signing_conflict'],
  }),
  resign: Operation({
    id: 'resignDnssec',
    summary: 'Have all signatures of a domain made anew',
    description: 'Also of a domain whose signing was halted, after the fault has been corrected.',
    requestBody: OPTIONAL_BODY,
    response: DnssecDto,
    errors: ['invalid_object', 'forbidden', 'signing_conflict'],
    bodyErrors: [],
  }),
  noteParent: Operation({
    id: 'noteParentOfDnssec',
    summary: 'Say what DS the parent zone has',
    description:
      '`published`: it has a DS of the domain. `removed`: no name server of it has any; a domain that is to be unsigned' +
      ' is so when caches do not have the DS any more. It is for parents that the service cannot look at: what it has seen' +
      ' to be otherwise is refused, and looked at again at once.',
    response: DnssecDto,
    errors: ['invalid_object', 'forbidden', 'signing_conflict'],
    bodyErrors: [],
  }),
  requestKeys: Operation({
    id: 'getKeyRequestOfDnssec',
    summary: 'Show what the offline KSK of a domain has to sign',
    description:
      'The DNSKEY sets that the domain has now and in the later steps of its rollover, each week anew. Sign them where the' +
      ' private key of the KSK is.',
    response: KeyRequestDto,
    errors: ['invalid_object', 'signing_conflict'],
  }),
  respond: Operation({
    id: 'createKeyResponseOfDnssec',
    summary: 'Store signatures of the offline KSK of a domain',
    description:
      'Each is verified. Signatures of keys that the domain has neither now nor in its rollover are ignored.',
    response: DnssecDto,
    errors: ['invalid_object', 'forbidden', 'signing_conflict'],
    bodyErrors: [],
  }),
});
