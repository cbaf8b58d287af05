import { formatInstant } from '../../common/clock.js';
import { readRequests, signRequests } from '../../dns/dnssec/key-exchange.js';
import { SECURE_ENTRY_POINT, SigningKey } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import { MOST_DAYS, OfflineKeysService, USUAL_DAYS } from '../../dnssec/keys/offline-keys.service.js';
import type { CommandContext } from '../../plugins/command.js';
import type { CommandRequest } from '../arguments.js';
import { operatorFor, zoneNamed } from '../operator.js';
import { inFile, readKey, show, textOf } from './dnssec.command.js';

const DAY_SECONDS = 86_400;

export async function printKeyRequest(
  context: CommandContext,
  { arguments: [name = ''], options: { days } }: CommandRequest<{ readonly days?: string | undefined }>,
): Promise<void> {
  const count = daysIn('--days', days, { least: 1, most: MOST_DAYS, usual: USUAL_DAYS });
  const request = await context.withServices(async (services) => {
    const { id } = await zoneNamed(services, name);
    return services.get(OfflineKeysService).request(id, count, operatorFor('admin'));
  });
  process.stdout.write(request);
}

type SignRequest = CommandRequest<{
  readonly keys?: readonly string[] | undefined;
  readonly days?: string | undefined;
}>;

/** Runs where the private key of the KSK is, without configuration and database. */
export async function signKeyRequest({
  arguments: [name = '', file = ''],
  options: { keys: paths = [], days },
}: SignRequest): Promise<void> {
  const validity = daysIn('--validity', days, { least: 8, most: 90, usual: 14 }) * DAY_SECONDS;
  const apex = DomainName.parse(name.endsWith('.') ? name : `${name}.`);
  const text = await needed(file, 'write the key signing request into it');
  const found = await Promise.all(paths.map(readKey));
  if (found.length === 0) throw new Error('say --key for each KSK');
  const keys = found.map(({ owner, dnskey, privateKey }) => {
    const key = new SigningKey(dnskey, privateKey);
    if (!owner.equals(apex) || key.flags !== SECURE_ENTRY_POINT)
      throw new Error(`the key ${key.tag} is no KSK of ${apex.toString()}`);
    return key;
  });
  const writtenAt = formatInstant(Date.now() * 1000);
  const response = inFile(file, () => signRequests(apex, readRequests(text, apex), keys, validity, writtenAt));
  process.stdout.write(response);
}

export async function importKeyResponse(
  context: CommandContext,
  { arguments: [name = '', file = ''] }: CommandRequest<object>,
): Promise<void> {
  const text = await needed(file, 'write the signed key response into it');
  const found = await context.withServices(async (services) => {
    const { id } = await zoneNamed(services, name);
    return services.get(OfflineKeysService).respond(id, text, operatorFor('admin'));
  });
  show(found);
}

async function needed(file: string, remedy: string): Promise<string> {
  const text = await textOf(file);
  if (text === null) throw new Error(`${file} is missing: ${remedy}`);
  return text;
}

function daysIn(
  option: string,
  text: string | undefined,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  const days = text === undefined ? usual : Number(text);
  if (Number.isInteger(days) && days >= least && days <= most) return days;
  throw new Error(`${option} is ${least} to ${most} days`);
}
