import { type Labels, labelsOf, readLabels } from '../../common/labels.js';
import { Reads } from '../../database/reads.js';
import { DomainName } from '../../dns/name.js';
import type { CommandContext, Services } from '../../plugins/command.js';
import { AnnotatedSets } from '../../records/annotated-sets.repository.js';
import { RecordChanges } from '../../records/changes/record-changes.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import type { CommandRequest } from '../arguments.js';
import { absoluteName, operatorFor, zoneNamed } from '../operator.js';

interface Labeled {
  readonly labels: Labels;
  readonly change: (labels: Labels) => Promise<unknown>;
}

/** Behaviour 17.13. */
export async function labelZone(
  context: CommandContext,
  { arguments: [name = '', ...edits], options: { set } }: CommandRequest<{ readonly set: string | undefined }>,
): Promise<void> {
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const { labels, change } = set === undefined ? ofZone(services, zone) : await ofSet(services, zone, set);
    const edited = readLabels(editedLabels(labels, edits));
    if (edits.length > 0) await change(edited);
    for (const [key, value] of Object.entries(edited)) console.log(`${key}=${value}`);
  });
}

function ofZone(services: Services, zone: ZoneEntity): Labeled {
  const change = (labels: Labels) => services.get(ZonesService).update(zone.id, { labels }, operatorFor(zone.tenantId));
  return { labels: labelsOf(zone), change };
}

async function ofSet(services: Services, zone: ZoneEntity, text: string): Promise<Labeled> {
  const [, owner, type] = /^(.+)\/([A-Z][A-Z0-9]*)$/.exec(text) ?? [];
  if (owner === undefined || type === undefined)
    throw new Error(`--set ${JSON.stringify(text)}: write name and type, as in www.example.org./A`);
  const name = absoluteName(owner);
  const { key: ownerKey } = DomainName.parse(name);
  const sets = await services.get(Reads).run((tx) => services.get(AnnotatedSets).atOwner(tx, zone.id, ownerKey));
  const found = sets.find((one) => one.type === type);
  if (found === undefined) throw new Error(`${name} has no ${type} records`);
  const change = (labels: Labels) =>
    services
      .get(RecordChanges)
      .apply(zone.id, operatorFor(zone.tenantId), [{ action: 'label set', ownerKey, name, type, labels }]);
  return { labels: found.labels, change };
}

/** `key=value` sets a label, and `key-` removes it. */
function editedLabels(labels: Labels, edits: readonly string[]): Labels {
  const edited = new Map(Object.entries(labels));
  for (const edit of edits) {
    const [, key, value] = /^([^=]+)=(.*)$/.exec(edit) ?? [];
    if (key !== undefined && value !== undefined) edited.set(key, value);
    else if (edit.endsWith('-')) edited.delete(edit.slice(0, -1));
    else throw new Error(`${JSON.stringify(edit)}: write key=value to set a label, and key- to remove it`);
  }
  return Object.fromEntries([...edited].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
