import './form.css';
import { type ClipboardEvent, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useWhoami } from '../api/queries.js';
import type { RecordTypes } from '../api/types.js';
import { withEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import { useStatus } from '../frame/status.js';
import { Field } from '../parts/field.js';
import { SheetFrame } from '../parts/sheet-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { useKeptState } from '../session/kept-state.js';
import { hasRecordSet, type Permitted } from '../session/permitted.js';
import { secondsIn, timeIn } from '../parts/duration.js';
import { ExactMoment, instantOf } from '../parts/moment.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { DataFields } from './data-fields.js';
import { fullName, onlyName, pastedLine, relativeName } from './names.js';
import { contentOf, descriptionsOf, type FormContent, startContent, withLine, withType } from './form-content.js';
import type { FormStart } from './form-start.js';
import { RecordPreview } from './record-preview.js';
import type { SetMember } from './set-ttl.js';
import { TtlField } from './ttl-field.js';
import { TypePicker } from './type-picker.js';
import { useEntryCheck } from './use-entry-check.js';
import { useSetTtl } from './use-set-ttl.js';

interface Props {
  readonly start: FormStart;
  readonly types: RecordTypes;
  readonly onClose: () => void;
}

/** One record, by the fields of its type. Adds to the pending changes only. */
export function RecordForm({ start, types: known, onClose }: Props) {
  const { zone, etag, place } = useOpenZone();
  const { data: whoami } = useWhoami();
  const { entries } = usePending(place);
  const may = usePermitted();
  const types = useMemo(() => permittedTypes(known, may), [known, may]);
  const key = start.kind === 'edit' ? start.key : '';
  const [content, setContent] = useKeptState<FormContent>(`form ${place} ${key}`, () =>
    startContent(start, types, zone.name, onlyName(may.names, zone.name)),
  );
  const [isOutside, setOutside] = useState(false);
  const check = useEntryCheck({ start, content, types, entries, zone });
  const set = useSetTtl(memberOf(content, start, zone.name), entries, zone);
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // Once the faults are shown.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refusals]);
  const status = useStatus();
  const change = (changed: Partial<FormContent>): void => setContent((before) => ({ ...before, ...changed }));
  const isNew = start.kind === 'add' || start.before === null;
  const before = start.kind === 'edit' ? start.before : null;
  const type = types.record_types.find(({ name }) => name === content.type);
  const stored = useMemo(
    () => (before === null ? null : contentOf(before, types, zone.name)),
    [before, types, zone.name],
  );

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const outside = !hasRecordSet(
      { ...may, types: null },
      { name: fullName(content.name, zone.name), type: content.type },
    );
    setOutside(outside);
    const entry = outside ? null : await check.judge();
    if (entry === null) {
      setRefusals((n) => n + 1);
      return;
    }
    changePending(place, (pending) => withEntry(pending, entry, { etag, serial: zone.serial }));
    onClose();
  };
  const paste = (event: ClipboardEvent): void => {
    const names = new Set(types.record_types.map(({ name }) => name));
    const line = isNew ? pastedLine(event.clipboardData.getData('text'), names) : null;
    if (line === null) return;
    event.preventDefault();
    setContent(withLine(content, line, types));
    status.show({ content: words.form.pastedLine });
  };
  const faults = check.faults;

  return (
    <SheetFrame
      title={start.kind === 'add' ? words.form.add : words.form.edit}
      subject={before === null ? zone.name : `${relativeName(before.name, zone.name)} ${before.type}`}
      kind="side"
      onClose={onClose}
    >
      <form
        ref={form}
        className="record-form"
        noValidate
        onSubmit={(event) => void submit(event)}
        onBlur={(event) => {
          check.blur(event);
          set.look();
        }}
      >
        <div className="record-fields">
          {check.general.length > 0 && (
            <div role="alert" className="trouble">
              {check.general.map((message, index) => (
                <p key={index}>
                  <ShownText text={message} />
                </p>
              ))}
            </div>
          )}
          <Field label={words.form.type} hint={type?.owner_rule ?? undefined}>
            {(control) => (
              <TypePicker
                control={control}
                value={content.type}
                types={types}
                isDisabled={!isNew}
                onChange={(name) => setContent(withType(content, name, types))}
              />
            )}
          </Field>
          <Field
            label={words.form.name}
            error={isOutside && may.names !== null ? words.form.allowedNames(may.names) : faults.name}
            hint={
              <>
                <ShownText text={words.form.fullName(fullName(content.name, zone.name))} /> {words.form.nameHint}
                {may.names !== null && !isOutside && (
                  <p>
                    <ShownText text={words.form.allowedNames(may.names)} />
                  </p>
                )}
              </>
            }
          >
            {(control) => (
              <input
                {...control}
                name="name"
                autoFocus
                autoComplete="off"
                spellCheck={false}
                value={content.name}
                onPaste={paste}
                onChange={({ target }) => {
                  change({ name: target.value });
                  setOutside(false);
                }}
              />
            )}
          </Field>
          <fieldset>
            <legend>{words.form.data}</legend>
            <DataFields
              descriptions={descriptionsOf(type)}
              priority={type?.priority ?? null}
              zone={zone.name}
              content={content}
              example={type?.example.data ?? ''}
              faults={faults}
              onChange={change}
            />
            {type !== undefined && (
              <button
                type="button"
                className="quiet"
                onClick={() => void check.swapForm().then((other) => other && change(other))}
              >
                {content.isText ? words.form.asFields : words.form.asText}
              </button>
            )}
          </fieldset>
          <TtlField value={content.ttl} zoneTtl={zone.ttl} error={faults.ttl} onChange={(ttl) => change({ ttl })}>
            {set.ttl !== null && <p className="notice">{words.form.ttlOfSet(content.type, set.ttl)}</p>}
          </TtlField>
          <Field label={words.form.comment} error={faults.description}>
            {(control) => (
              <input
                {...control}
                name="description"
                autoComplete="off"
                value={content.comment}
                onChange={({ target }) => change({ comment: target.value })}
              />
            )}
          </Field>
          {(whoami?.service.expiring_records === true || typeof before?.expires_at === 'string') && (
            <Field label={words.form.expires} error={faults.expires_at} hint={<ExpiryHint typed={content.expires} />}>
              {(control) => (
                <input
                  {...control}
                  name="expires_at"
                  autoComplete="off"
                  value={content.expires}
                  onChange={({ target }) => change({ expires: target.value })}
                />
              )}
            </Field>
          )}
        </div>
        <div className="record-foot">
          <RecordPreview content={content} before={stored} type={type} zone={zone} />
          <div className="buttons">
            <button type="button" onClick={onClose}>
              {words.common.cancel}
            </button>
            <button type="submit" className="primary" aria-disabled={check.isJudging || undefined}>
              {check.isJudging ? words.form.checking : words.form.submit}
            </button>
          </div>
        </div>
      </form>
    </SheetFrame>
  );
}

function permittedTypes(known: RecordTypes, { types }: Permitted): RecordTypes {
  if (types === null) return known;
  return { ...known, record_types: known.record_types.filter(({ name }) => types.includes(name)) };
}

/** The time in local form, once it can be read. */
function ExpiryHint({ typed }: { readonly typed: string }) {
  const at = typed.trim() === '' ? null : timeIn(typed, new Date());
  if (at === null || Number.isNaN(instantOf(at).getTime())) return words.form.expiresHint;
  return (
    <>
      = <ExactMoment at={at} />
    </>
  );
}

/** The record as a member of its set; `null`: invalid TTL. */
function memberOf({ name, type, ttl }: FormContent, start: FormStart, zone: string): SetMember | null {
  const seconds = secondsIn(ttl);
  if (seconds === null && ttl.trim() !== '') return null;
  return { key: start.kind === 'edit' ? start.key : '', name: fullName(name, zone), type, ttl: seconds };
}
