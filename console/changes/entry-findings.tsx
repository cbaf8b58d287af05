import { useEffect, useRef, useState } from 'react';
import { useRecordTypes } from '../api/queries.js';
import type { PlanFinding } from '../api/types.js';
import type { FormStart } from '../form/form-start.js';
import { relativeName } from '../form/names.js';
import { RecordForm } from '../form/record-form.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { type Fix, fixesOf } from './entry-fixes.js';
import { type Entry, subjectOf } from './pending.js';
import { pendingAt } from './pending-store.js';
import { PlanFindings } from './plan-findings.js';

interface Props {
  readonly findings: readonly PlanFinding[];
  readonly entries: readonly Entry[];
  readonly onEntries: (entries: readonly Entry[]) => void;
}

/** The findings of pending changes. Each has buttons that correct the changes. */
export function EntryFindings({ findings, entries, onEntries }: Props) {
  const { zone, place: gathered } = useOpenZone();
  const { data: types } = useRecordTypes();
  const [form, setForm] = useState<FormStart | null>(null);
  const action = (finding: PlanFinding) =>
    fixesOf(finding, entries).map((fix) => {
      const { label, short } = textsOf(fix, zone.name);
      const act = (): void =>
        fix.kind === 'keep' ? onEntries(entries.filter(({ key }) => key !== fix.entry.key)) : setForm(startOf(fix));
      return (
        <button key={label} type="button" aria-label={label} onClick={act}>
          {short}
        </button>
      );
    });
  const close = (): void => {
    setForm(null);
    const { entries: changed } = pendingAt(gathered);
    if (changed !== entries) onEntries(changed);
  };
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button of a corrected finding leaves with it.
    if (document.activeElement === document.body) place.current?.focus();
  }, [findings]);
  return (
    <>
      <div ref={place} tabIndex={-1} role="group" aria-label={words.file.left(findings.length)}>
        <PlanFindings zone={zone.name} findings={findings} action={action} />
      </div>
      {form !== null && types !== undefined && <RecordForm start={form} types={types} onClose={close} />}
    </>
  );
}

function textsOf(fix: Fix, zone: string): { readonly label: string; readonly short: string } {
  const { fixes } = words.plan;
  if (fix.kind === 'add')
    return { label: fixes.addAddress(relativeName(fix.name, zone)), short: fixes.addAddressShort };
  const { name, type } = subjectOf(fix.entry);
  const { edit, keep, short } = words.records;
  return fix.kind === 'edit'
    ? { label: edit(relativeName(name, zone), type), short: short.edit }
    : { label: keep(relativeName(name, zone), type), short: short.keep };
}

function startOf(fix: Exclude<Fix, { kind: 'keep' }>): FormStart {
  if (fix.kind === 'add')
    return {
      kind: 'add',
      draft: { name: fix.name, type: 'A', data: '', fields: {}, priority: null, ttl: null, description: null },
    };
  const { entry } = fix;
  const before = entry.action === 'create' ? null : entry.before;
  return { kind: 'edit', key: entry.key, before, draft: subjectOf(entry) };
}
