import { type ClipboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { useWhoami } from '../api/queries.js';
import type { RecordTypes } from '../api/types.js';
import { withEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { DataFields } from './data-fields.js';
import { fullName, pastedLine } from './names.js';
import { descriptionsOf, type FormContent, startContent, withType } from './form-content.js';
import type { FormStart } from './form-start.js';
import type { SetMember } from './set-ttl.js';
import { useEntryCheck } from './use-entry-check.js';
import { useSetTtl } from './use-set-ttl.js';

interface Props {
  readonly start: FormStart;
  readonly types: RecordTypes;
  readonly onClose: () => void;
}

/** One record, by the fields of its type. What is entered is only gathered. */
export function RecordForm({ start, types, onClose }: Props) {
  const { zone, etag, place } = useOpenZone();
  const { data: whoami } = useWhoami();
  const { entries } = usePending(place);
  const [content, setContent] = useState<FormContent>(() => startContent(start, types, zone.name));
  const check = useEntryCheck({ start, content, types, entries, zone });
  const set = useSetTtl(memberOf(content, start, zone.name), entries, zone);
  const form = useRef<HTMLFormElement>(null);
  const status = useStatus();
  const change = (changed: Partial<FormContent>): void => setContent((before) => ({ ...before, ...changed }));
  const isNew = start.kind === 'add' || start.before === null;
  const before = start.kind === 'edit' ? start.before : null;
  const type = types.record_types.find(({ name }) => name === content.type);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const entry = await check.judge();
    if (entry === null) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
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
    setContent({
      ...withType(content, line.type, types),
      name: line.name,
      ttl: line.ttl,
      isText: true,
      text: line.data,
    });
    status.show({ content: words.form.pastedLine });
  };
  const faults = check.faults;

  return (
    <DialogFrame title={start.kind === 'add' ? words.form.add : words.form.edit} onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        onBlur={(event) => {
          check.blur(event);
          set.look();
        }}
      >
        {check.general.length > 0 && (
          <div role="alert" className="trouble">
            {check.general.map((message, index) => (
              <p key={index}>
                <ShownText text={message} />
              </p>
            ))}
          </div>
        )}
        <div className="columns">
          <Field label={words.form.type} hint={type?.owner_rule ?? undefined}>
            {(control) => (
              <select
                {...control}
                value={content.type}
                disabled={!isNew}
                onChange={({ target }) => setContent(withType(content, target.value, types))}
              >
                {types.record_types.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
                {type === undefined && <option>{content.type}</option>}
              </select>
            )}
          </Field>
          <Field
            label={words.form.name}
            error={faults.name}
            hint={
              <>
                <ShownText text={words.form.fullName(fullName(content.name, zone.name))} /> {words.form.nameHint}
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
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
        </div>
        <fieldset>
          <legend>{words.form.data}</legend>
          <DataFields
            descriptions={descriptionsOf(type)}
            priority={type?.priority ?? null}
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
        <div className="columns">
          <Field
            label={words.form.ttl}
            error={faults.ttl}
            hint={
              <>
                {words.form.ttlHint(zone.ttl)}
                {set.ttl !== null && <p className="notice">{words.form.ttlOfSet(set.ttl)}</p>}
              </>
            }
          >
            {(control) => (
              <input
                {...control}
                name="ttl"
                inputMode="numeric"
                autoComplete="off"
                value={content.ttl}
                onChange={({ target }) => change({ ttl: target.value })}
              />
            )}
          </Field>
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
        </div>
        {(whoami?.service.expiring_records === true || typeof before?.expires_at === 'string') && (
          <Field label={words.form.expires} error={faults.expires_at} hint={words.form.expiresHint}>
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
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="primary" aria-disabled={check.isJudging || undefined}>
            {check.isJudging ? words.form.checking : words.form.submit}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}

/** What the record is in its set; `null` while no TTL can be read. */
function memberOf({ name, type, ttl }: FormContent, start: FormStart, zone: string): SetMember | null {
  const seconds = ttl.trim() === '' ? null : Number(ttl);
  if (Number.isNaN(seconds)) return null;
  return { key: start.kind === 'edit' ? start.key : '', name: fullName(name, zone), type, ttl: seconds };
}
