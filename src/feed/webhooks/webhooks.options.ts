import type { ChangeEvents, EventForm } from '../change-events.js';
import { network, nameServerAddress } from '../../config/address-readers.js';
import { inSection, type ValuesOf } from '../../config/option.js';
import { boolean, integer, list, orEmpty, size } from '../../config/readers.js';
import type { SayMessage } from './queue/queued-message.js';

/** What tenants may have the service call. */
export const WEBHOOKS_OPTIONS = inSection('webhooks', {
  maxWebhooks: {
    name: 'max_webhooks',
    default: '20',
    reader: integer(0, 1000),
    meaning: 'webhooks that a tenant may have',
  },
  maxQueue: {
    name: 'max_queue',
    default: '10000',
    reader: integer(1, 1_000_000),
    meaning: 'events that wait for one webhook, and as many dead letters; what comes beyond both is dropped',
  },
  maxQueueSize: {
    name: 'max_queue_size',
    default: '64 MiB',
    reader: size,
    meaning:
      'octets of what waits for all webhooks of a tenant, and of their dead letters; what comes beyond is dropped',
  },
  allowedTargets: {
    name: 'allowed_targets',
    default: '',
    reader: orEmpty([], list(network)),
    meaning: 'addresses and networks that are called although they are not public; empty: none',
  },
  allowedPorts: {
    name: 'allowed_ports',
    default: '443, 80, 8443',
    reader: orEmpty([], list(integer(1, 65_535))),
    meaning: 'ports that are called; empty: all',
  },
  allowHttp: {
    name: 'allow_http',
    default: 'False',
    reader: boolean,
    meaning: 'call http:// as well, where everybody on the way can read the events',
  },
  nameServers: {
    name: 'resolvers',
    default: '',
    reader: orEmpty([], list(nameServerAddress)),
    meaning: 'name servers that are asked for the addresses of targets; empty: those of the system',
  },
  requestTimeout: {
    name: 'request_timeout',
    default: '15',
    reader: integer(1, 60),
    meaning: 'seconds in which a target answers',
  },
  firstRetry: {
    name: 'first_retry',
    default: '5',
    reader: integer(1, 3600),
    meaning: 'seconds until the second attempt at most; each next one takes twice as long, up to an hour',
  },
  retryTime: {
    name: 'retry_time',
    default: '86400',
    reader: integer(0, 604_800),
    meaning: 'seconds for which an event is tried; then it is a dead letter',
  },
  rotationTime: {
    name: 'rotation_time',
    default: '86400',
    reader: integer(0, 2_592_000),
    meaning: 'seconds for which the former secret of a webhook goes on to sign',
  },
  deadLetterDays: {
    name: 'dead_letter_days',
    default: '14',
    reader: integer(1, 365),
    meaning: 'days for which dead letters are kept',
  },
});

/** What webhooks need of the configuration. */
export abstract class WebhooksOptions {
  abstract readonly limits: ValuesOf<typeof WEBHOOKS_OPTIONS>;
  /** Of what is queued from now on. */
  abstract readonly form: EventForm;
  abstract readonly events: ChangeEvents;
  abstract readonly sayMessage: SayMessage;
}
