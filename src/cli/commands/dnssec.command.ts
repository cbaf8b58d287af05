import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../common/caller.js';
import { formatInstant, SECOND } from '../../common/clock.js';
import { NAMES_OF_NEW_KEYS, numberForNewKeys, signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { KeyFileError, readDnskeyRecord, type ReadKey, readKeyFiles } from '../../dns/dnssec/key-files.js';
import { KeyExchangeError } from '../../dns/dnssec/key-exchange.js';
import { EncryptedKeys } from '../../dnssec/keys/encrypted-keys.js';
import { DnssecService, type EnableRequest } from '../../dnssec/dnssec.service.js';
import { rolloverAt } from '../../dnssec/rollovers/key-lifetimes.js';
import type { RolloverRequest } from '../../dnssec/rollovers/key-rollover.js';
import { ROLLOVER_KINDS } from '../../dnssec/rollovers/zone-rollover.entity.js';
import { RolloversService } from '../../dnssec/rollovers/rollovers.service.js';
import { delegationSigners, shownState, waitsFor, type ZoneDnssec } from '../../dnssec/zone-dnssec.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { IN_TOKEN } from '../../dns/dnssec/key-token.js';
import { type FormerKey, ZoneKeys } from '../../dnssec/keys/zone-keys.js';
import { SignedZoneCheck } from '../../dnssec/signed-zone-check.js';
import type { CommandContext, Services } from '../../plugins/command.js';
import { zoneNamed, operatorFor } from '../operator.js';
import type { CommandRequest } from '../arguments.js';

const TTL = /^[1-9]\d{0,5}$/;

interface EnableArguments {
  readonly arguments: readonly string[];
  readonly options: {
    readonly algorithm?: string | undefined;
    readonly denial?: string | undefined;
    readonly splitsKeys: boolean;
    readonly keys?: readonly string[] | undefined;
    readonly offlineKsk?: string | undefined;
  };
}

export async function enableDnssec(
  context: CommandContext,
  { arguments: [name = ''], options }: EnableArguments,
): Promise<void> {
  const { keys: files = [], offlineKsk: file } = options;
  if (file !== undefined && files.length > 0) throw new Error('--offline-ksk goes without --key');
  const offlineKsk = file === undefined ? undefined : await readDnskeyFile(file);
  show(
    await context.withServices(async (services) => {
      const { id } = await zoneNamed(services, name);
      const keys = await Promise.all(files.map((path) => formerKey(services, path)));
      const wish = { ...readWish(options), keys, offlineKsk };
      return services.get(DnssecService).enable(id, wish, operatorFor('admin'));
    }),
  );
}

/** @param path of both files, with or without extension */
export async function readKey(path: string): Promise<ReadKey> {
  const { stem, publicText, privateText } = await textsOfKey(path);
  if (privateText === null) throw missingPrivateKey(stem, 'one');
  return inFile(stem, () => readKeyFiles(publicText, privateText));
}

/** A private key that is in no file is in the token of the service. */
async function formerKey(services: Services, path: string): Promise<FormerKey> {
  const { stem, publicText, privateText } = await textsOfKey(path);
  if (privateText !== null) return inFile(stem, () => readKeyFiles(publicText, privateText));
  const found = await services.get(ZoneKeys).fromToken(inFile(stem, () => readDnskeyRecord(publicText)));
  if (found === null) throw missingPrivateKey(stem, 'one, or into the token');
  return found;
}

function missingPrivateKey(stem: string, places: string): Error {
  return new Error(`${stem}.private and ${stem}.pem are missing: write the private key into ${places}`);
}

async function textsOfKey(
  path: string,
): Promise<{ readonly stem: string; readonly publicText: string; readonly privateText: string | null }> {
  const stem = path.replace(/\.(?:key|private|pem)?$/, '');
  const publicText = await textOf(`${stem}.key`);
  if (publicText === null)
    throw new Error(`${stem}.key is missing: write the DNSKEY record of the key into it (docs/dnssec.md)`);
  return { stem, publicText, privateText: (await textOf(`${stem}.private`)) ?? (await textOf(`${stem}.pem`)) };
}

/** Names the file of an unusable key, request or response. */
export function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof KeyFileError || error instanceof KeyExchangeError
      ? new Error(`${file}: ${error.message}`)
      : error;
  }
}

/** Returns `null` for a missing file. */
export async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

type ExportRequest = CommandRequest<{
  readonly directory?: string | undefined;
  readonly format?: string | undefined;
}>;

/** Writes key files. @throws Error for unreadable keys and existing files */
export async function exportKeys(
  context: CommandContext,
  { arguments: [name = ''], options: { directory = '.', format = 'bind' } }: ExportRequest,
): Promise<void> {
  if (format !== 'bind' && format !== 'pem') throw new Error('--format is bind or pem');
  const keys = await context.withServices(async (services) =>
    services.get(EncryptedKeys).export(await zoneNamed(services, name)),
  );
  if (keys.length === 0) throw new Error(`${name} is not signed`);
  for (const { name: file, publicText, privateText, pemText } of keys) {
    const stem = join(directory, file);
    await writeFile(`${stem}.key`, publicText, { flag: 'wx' });
    const [extension, text] = format === 'bind' ? ['private', privateText] : ['pem', pemText];
    await writeFile(`${stem}.${extension}`, text, { flag: 'wx', mode: 0o600 });
    console.log(stem);
  }
}

export async function rewrapKeys(context: CommandContext): Promise<void> {
  const count = await context.withServices((services) => services.get(EncryptedKeys).rewrap());
  console.log(`${count} ${count === 1 ? 'key is' : 'keys are'} encrypted with the first of key_encryption_keys now`);
}

export async function disableDnssec(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  show(await onZone(context, name, (dnssec, id, caller) => dnssec.disable(id, caller)));
}

function isKind(kind: string | undefined): kind is RolloverRequest['kind'] {
  return ROLLOVER_KINDS.some((one) => one === kind);
}

interface SignerOptions {
  readonly signer?: string | undefined;
  readonly dnskeys?: readonly string[] | undefined;
  readonly ttl?: string | undefined;
}

/** What another signer joins or leaves with, and an offline KSK. */
async function readSigner(
  kind: RolloverRequest['kind'],
  { isEmergency }: Pick<RolloverRequest, 'isEmergency'>,
  { signer, dnskeys = [], ttl }: SignerOptions,
): Promise<Pick<RolloverRequest, 'signer' | 'dnskeys' | 'ttl'>> {
  const isOfSigner = kind === 'join' || kind === 'leave';
  if ((signer !== undefined) !== isOfSigner || (isOfSigner && isEmergency))
    throw new Error('join and leave take --signer and no --emergency, the others no --signer');
  if (dnskeys.length > 0 !== (kind === 'join') && (kind !== 'ksk' || dnskeys.length > 1))
    throw new Error('join takes --dnskey for each key, ksk one for a KSK that is kept offline, the others none');
  if (ttl !== undefined && (kind !== 'leave' || !TTL.test(ttl)))
    throw new Error('--ttl is a number of seconds, with leave');
  const found = dnskeys.length > 0 ? { dnskeys: await Promise.all(dnskeys.map(readDnskeyFile)) } : {};
  if (!isOfSigner) return found;
  return { signer, ...found, ...(ttl !== undefined && { ttl: Number(ttl) }) };
}

async function readDnskeyFile(path: string): Promise<Uint8Array> {
  const text = await textOf(path);
  if (text === null) throw new Error(`${path} is missing: write a DNSKEY record into it`);
  return inFile(path, () => readDnskeyRecord(text).dnskey);
}

export async function rollKey(
  context: CommandContext,
  {
    arguments: [name = '', kind],
    options: { algorithm, isEmergency, ...ofSigner },
  }: CommandRequest<SignerOptions & { readonly algorithm?: string | undefined; readonly isEmergency: boolean }>,
): Promise<void> {
  if (!isKind(kind)) throw new Error(`say ${ROLLOVER_KINDS.join(', ')}`);
  if ((kind === 'algorithm') !== (algorithm !== undefined))
    throw new Error('algorithm takes --algorithm, the others none');
  if (isEmergency && kind === 'algorithm') throw new Error('--emergency is of one key: roll that first');
  const own = { kind, algorithm: readAlgorithm(algorithm), isEmergency };
  const wish: RolloverRequest = { ...own, ...(await readSigner(kind, own, ofSigner)) };
  show(
    await context.withServices(async (services) => {
      const { id } = await zoneNamed(services, name);
      return services.get(RolloversService).begin(id, wish, operatorFor('admin'));
    }),
  );
}

export async function resign(
  context: CommandContext,
  { arguments: [name], options: { all } }: CommandRequest<{ readonly all: boolean }>,
): Promise<void> {
  const count = await context.withServices(async (services) => {
    let resigned = 0;
    for await (const { id } of namedZones(services, name, all)) {
      await services.get(DnssecService).resign(id, operatorFor('admin'));
      resigned += 1;
    }
    return resigned;
  });
  console.log(`${count} ${count === 1 ? 'domain is' : 'domains are'} going to be signed anew`);
}

export async function noteParent(
  context: CommandContext,
  { arguments: [name = '', ds], options: { ttl = '86400' } }: CommandRequest<{ readonly ttl?: string | undefined }>,
): Promise<void> {
  if (ds !== 'published' && ds !== 'removed') throw new Error('say published or removed');
  if (!TTL.test(ttl)) throw new Error('--ttl is a number of seconds');
  const statement = { hasDs: ds === 'published', ttl: Number(ttl) };
  show(await onZone(context, name, (dnssec, id, caller) => dnssec.noteParent(id, statement, caller)));
}

export async function showDnssec(
  context: CommandContext,
  { arguments: [name], options: { isBroken } }: CommandRequest<{ readonly isBroken: boolean }>,
): Promise<void> {
  if ((name === undefined) !== isBroken) throw new Error('name one domain, or say --broken');
  if (name !== undefined) {
    show(await onZone(context, name, (dnssec, id, caller) => dnssec.of(id, caller)));
    return;
  }
  const count = await context.withServices(async (services) => {
    const dnssec = services.get(DnssecService);
    let broken = 0;
    for await (const { id } of pagesOf((marker) => dnssec.brokenZones(marker))) {
      show(await dnssec.of(id, operatorFor('admin')));
      broken += 1;
    }
    return broken;
  });
  if (count > 0) throw new Error(`${count} ${count === 1 ? 'domain is' : 'domains are'} broken`);
  console.log('no signed domain is halted or late');
}

/** Prints the DS records only. @throws Error while the parent must not have them */
export async function showDs(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  const found = await onZone(context, name, (dnssec, id, caller) => dnssec.of(id, caller));
  const state = shownState(found.signing);
  if (state !== 'ready' && state !== 'secure')
    throw new Error(`${found.zone.name} is not ready for a DS: ${waitsFor(found) ?? 'it is not signed'}`);
  for (const ds of delegationSigners(found)) console.log(`${found.zone.name} IN DS ${ds}`);
}

export async function checkDnssec(
  context: CommandContext,
  { arguments: [name], options: { all } }: CommandRequest<{ readonly all: boolean }>,
): Promise<void> {
  const [zones, faults] = await context.withServices(async (services) => {
    const check = services.get(SignedZoneCheck);
    let [checked, found] = [0, 0];
    for await (const { id, name: zone } of namedZones(services, name, all)) {
      const faultsOfZone = await check.faultsOf(id, services.get(ZoneKeys).canSign);
      for (const fault of faultsOfZone) console.log(`${zone}: ${fault}`);
      checked += 1;
      found += faultsOfZone.length;
    }
    return [checked, found];
  });
  console.log(
    `checked ${zones} ${zones === 1 ? 'domain' : 'domains'}: ${faults === 0 ? 'nothing is wrong' : `${faults} faults`}`,
  );
  if (faults > 0) throw new Error('signed domains are not as they must be');
}

type NamedZone = Pick<ZoneEntity, 'id' | 'name'>;

async function* namedZones(services: Services, name: string | undefined, all: boolean): AsyncGenerator<NamedZone> {
  if ((name === undefined) !== all) throw new Error('name one domain, or say --all');
  if (name === undefined) yield* pagesOf((marker) => services.get(DnssecService).signedZones(marker));
  else yield await zoneNamed(services, name);
}

async function* pagesOf(read: (marker: string) => Promise<readonly NamedZone[]>): AsyncGenerator<NamedZone> {
  for (let marker: string | undefined = ''; marker !== undefined;) {
    const page: readonly NamedZone[] = await read(marker);
    yield* page;
    marker = page.at(-1)?.id;
  }
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

function readWish({ algorithm, denial, splitsKeys }: EnableArguments['options']): EnableRequest {
  if (denial !== undefined && denial !== 'nsec' && denial !== 'nsec3') throw new Error('--denial is nsec or nsec3');
  return { algorithm: readAlgorithm(algorithm), denial, ...(splitsKeys && { isSingleKey: false }) };
}

function readAlgorithm(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const known = numberForNewKeys(name);
  if (known === undefined) throw new Error(`--algorithm is one of ${NAMES_OF_NEW_KEYS.join(', ')}`);
  return known;
}

export function show(found: ZoneDnssec): void {
  const { zone, signing, keys, lifetimes, rollover, parent, nextRenewal } = found;
  const wait = waitsFor(found);
  console.log(`${zone.name} ${shownState(signing)}${wait === null ? '' : `: ${wait}`}`);
  if (signing === null) return;
  for (const key of keys) {
    const at = rolloverAt(key, lifetimes, rollover);
    const schedule = at === null ? '' : `, rollover due ${formatInstant(at)}`;
    const elsewhere = key.sealedWith === IN_TOKEN ? ', in the token' : '';
    const place = key.sealed === null ? ', offline' : elsewhere;
    const signer = key.signer === null ? place : ` of ${key.signer}`;
    console.log(
      `key ${key.tag} ${key.role}${signer} ${signingAlgorithm(key.algorithm).mnemonic}, ${signing.denial}${schedule}`,
    );
  }
  for (const ds of delegationSigners(found)) console.log(`DS ${ds}`);
  const until = found.response?.until ?? null;
  if (until !== null) console.log(`signatures of the offline KSK until ${formatInstant(until * SECOND)}`);
  if (rollover !== null)
    console.log(`rollover of the ${rollover.kind}: ${rollover.step} since ${formatInstant(rollover.stepSince)}`);
  for (const { name, ds, error } of parent?.observation.servers ?? [])
    console.log(
      `parent ${name} ${ds === null ? `says nothing: ${error ?? 'it lacks the latest change'}` : `DS ${ds.join(', ') || 'none'}`}`,
    );
  if (nextRenewal !== null) console.log(`next renewal ${formatInstant(nextRenewal * SECOND)}`);
}
