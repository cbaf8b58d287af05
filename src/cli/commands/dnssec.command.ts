import type { Caller } from '../../common/caller.js';
import { formatInstant } from '../../common/clock.js';
import { SIGNING_ALGORITHMS, signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { DnssecService, type SigningWish, type ZoneDnssec } from '../../dnssec/dnssec.service.js';
import { delegationSigners, waitsFor } from '../../dnssec/zone-dnssec.js';
import type { CommandContext } from '../../plugins/command.js';
import { zoneNamed } from '../named-zone.js';
import { operatorFor } from '../operator.js';

interface EnableRequest {
  readonly arguments: readonly string[];
  readonly options: {
    readonly algorithm?: string | undefined;
    readonly denial?: string | undefined;
    readonly splitsKeys: boolean;
  };
}

/** @throws Error where the zone cannot be signed so */
export async function enableDnssec(context: CommandContext, { arguments: [name = ''], options }: EnableRequest): Promise<void> {
  const wish = readWish(options);
  show(await onZone(context, name, (dnssec, id, caller) => dnssec.enable(id, wish, caller)));
}

/** @throws Error where a DS may refer to its keys */
export async function disableDnssec(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  show(await onZone(context, name, (dnssec, id, caller) => dnssec.disable(id, caller)));
}

export async function showDnssec(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  show(await onZone(context, name, (dnssec, id, caller) => dnssec.of(id, caller)));
}

/** The records for the parent zone, and nothing else. @throws Error where they must not be set yet */
export async function showDs(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  const found = await onZone(context, name, (dnssec, id, caller) => dnssec.of(id, caller));
  if (found.signing?.state !== 'ready' && found.signing?.state !== 'secure')
    throw new Error(`${found.zone.name} is not ready for a DS: ${waitsFor(found.signing) ?? 'it is not signed'}`);
  for (const ds of delegationSigners(found)) console.log(`${found.zone.name} IN DS ${ds}`);
}

function onZone(
  context: CommandContext,
  name: string,
  ask: (dnssec: DnssecService, zoneId: string, caller: Caller) => Promise<ZoneDnssec>,
): Promise<ZoneDnssec> {
  return context.withServices(async (services) => {
    const { id } = await zoneNamed(services, name);
    return ask(services.get(DnssecService), id, operatorFor('admin'));
  });
}

function readWish({ algorithm, denial, splitsKeys }: EnableRequest['options']): SigningWish {
  const known = SIGNING_ALGORITHMS.find(({ mnemonic }) => mnemonic === algorithm?.toUpperCase());
  if (algorithm !== undefined && known === undefined)
    throw new Error(`--algorithm is one of ${SIGNING_ALGORITHMS.map(({ mnemonic }) => mnemonic).join(', ')}`);
  if (denial !== undefined && denial !== 'nsec' && denial !== 'nsec3') throw new Error('--denial is nsec or nsec3');
  return { algorithm: known?.number, denial, ...(splitsKeys && { isSingleKey: false }) };
}

function show(found: ZoneDnssec): void {
  const { zone, signing, keys, nextRenewal } = found;
  const wait = waitsFor(signing);
  console.log(`${zone.name} ${signing?.state ?? 'insecure'}${wait === null ? '' : `: ${wait}`}`);
  if (signing === null) return;
  for (const { role, algorithm, tag } of keys)
    console.log(`key ${tag} ${role} ${signingAlgorithm(algorithm).mnemonic}, ${signing.denial}`);
  for (const ds of delegationSigners(found)) console.log(`DS ${ds}`);
  if (nextRenewal !== null) console.log(`next renewal ${formatInstant(nextRenewal * 1_000_000)}`);
}
