import { CNAME } from '../dns/rdata/cname.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import type { ReplaceOperation } from '../records/changes/record-operation.js';
import type { RecordContent } from '../records/record-content.js';
import type { ServedState } from './served-state.js';
import { SetDraft } from './set-draft.js';
import type { SetStep } from './typed-update.js';

/** A zone as the steps of a message leave it, each seeing what the ones before it did (RFC 2136 §3.4.2). */
export class ZoneDraft {
  private readonly drafts = new Map<string, Map<string, SetDraft>>();

  constructor(
    private readonly served: ServedState,
    private readonly types: RecordTypes,
  ) {}

  /** What the RFC ignores, and what is the service's own, does nothing (behaviour 20.5). */
  take(step: SetStep): void {
    switch (step.does) {
      case 'add':
        return this.add(step.ownerKey, step.content);
      case 'delete record':
        return this.deleteRecord(step.ownerKey, step.type, step.fingerprint);
      case 'delete set':
        if (!this.served.isApexNs(step.ownerKey, step.type)) this.setAt(step.ownerKey, step.type).clear();
        return;
      case 'delete name':
        for (const type of this.typesAt(step.ownerKey))
          if (!this.served.isApexNs(step.ownerKey, type)) this.setAt(step.ownerKey, type).clear();
    }
  }

  /** What makes the zone this one, in the order of the indexes that it is written into: neighbours share pages. */
  replacements(): ReplaceOperation[] {
    const owners = [...this.drafts].sort(([one], [other]) => (one < other ? -1 : 1));
    return owners.flatMap(([, sets]) => [...sets.values()].flatMap((draft) => draft.replacement() ?? []));
  }

  private add(ownerKey: string, content: RecordContent): void {
    const { type, fingerprint } = content;
    if (this.mayNotStandBeside(ownerKey, type) || this.isGenerated(ownerKey, type, fingerprint)) return;
    const set = this.setAt(ownerKey, type);
    const isSingle = this.types.byName(type)?.placement.isSingle === true;
    if (isSingle && !set.has(fingerprint)) set.clear();
    set.add(content);
  }

  /** The last NS of the apex stays, and so do those of the service. */
  private deleteRecord(ownerKey: string, type: string, fingerprint: string): void {
    if (this.isGenerated(ownerKey, type, fingerprint)) return;
    const set = this.setAt(ownerKey, type);
    const isNs = this.served.isApexNs(ownerKey, type);
    if (isNs && set.size === 1 && this.served.generatedNs.size === 0) return;
    set.delete(fingerprint);
  }

  /** A CNAME where other data is, other data where a CNAME is. */
  private mayNotStandBeside(ownerKey: string, type: string): boolean {
    if (type !== CNAME.name) return this.isThere(ownerKey, CNAME.name);
    if (this.served.isApex(ownerKey)) return true;
    return [...this.typesAt(ownerKey)].some((other) => other !== type && this.isThere(ownerKey, other));
  }

  private isGenerated(ownerKey: string, type: string, fingerprint: string): boolean {
    return this.served.isApexNs(ownerKey, type) && this.served.generatedNs.has(fingerprint);
  }

  private typesAt(ownerKey: string): ReadonlySet<string> {
    const stored = this.served.state.setsAt(ownerKey).keys();
    return new Set([...stored, ...(this.drafts.get(ownerKey)?.keys() ?? [])]);
  }

  private isThere(ownerKey: string, type: string): boolean {
    const draft = this.drafts.get(ownerKey)?.get(type);
    return draft === undefined ? this.served.hasSet(ownerKey, type) : draft.size > 0;
  }

  private setAt(ownerKey: string, type: string): SetDraft {
    const sets = this.drafts.get(ownerKey) ?? new Map<string, SetDraft>();
    this.drafts.set(ownerKey, sets);
    let draft = sets.get(type);
    if (draft === undefined) {
      const { served } = this;
      const members = served.membersOf(ownerKey, type);
      draft = new SetDraft(ownerKey, type, members, served.ttlOf(ownerKey, type), served.zone.ttl);
      sets.set(type, draft);
    }
    return draft;
  }
}
