import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import type { LabeledSets, StoredRecord } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { labelLines, labelsIn, ShownLabels } from '../parts/label-lines.js';
import type { Labels } from '../parts/labels.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

interface Props {
  readonly record: Pick<StoredRecord, 'name' | 'type'>;
  readonly mayEdit: boolean;
}

/** The labels of the record set, which are not published: they are saved without a plan. */
export function RecordLabels({ record, mayEdit }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { labels } = useLabels(record);
  if (labels === undefined || (Object.keys(labels).length === 0 && !mayEdit)) return null;
  return (
    <section aria-labelledby="labels">
      <div className="heading">
        <h3 id="labels">{words.labels.heading}</h3>
        {mayEdit && (
          <button type="button" onClick={() => setOpen(true)}>
            {words.labels.edit}
          </button>
        )}
      </div>
      <p>{Object.keys(labels).length === 0 ? words.labels.none : <ShownLabels labels={labels} />}</p>
      {isOpen && <LabelsDialog record={record} before={labels} onClose={() => setOpen(false)} />}
    </section>
  );
}

function useLabels({ name, type }: Props['record']): { readonly labels: Labels | undefined } {
  const { zone, etag } = useOpenZone();
  const { data } = useQuery({
    queryKey: ['labels', zone.id, name, etag],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ name }).toString();
      return (await ask<LabeledSets>(`/v1/domains/${zone.id}/labels?${query}`, { signal })).body.record_sets;
    },
    retry: false,
    placeholderData: (before) => before,
  });
  return { labels: data && (data.find((set) => set.type === type)?.labels ?? {}) };
}

interface DialogProps {
  readonly record: Props['record'];
  readonly before: Labels;
  readonly onClose: () => void;
}

function LabelsDialog({ record: { name, type }, before, onClose }: DialogProps) {
  const { zone } = useOpenZone();
  const [lines, setLines] = useState(labelLines(before));
  const [trouble, setTrouble] = useState<unknown>(null);
  const queries = useQueryClient();
  const status = useStatus();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      const changes = [{ action: 'label', name, type, labels: labelsIn(lines) }];
      await ask(`/v1/domains/${zone.id}/changes`, { method: 'POST', json: { changes } });
      await queries.invalidateQueries({ queryKey: ['labels', zone.id] });
      status.show({ content: words.labels.saved });
      onClose();
    } catch (error) {
      setTrouble(error);
    }
  };
  const fault = trouble instanceof Refusal ? trouble.fields.find(({ path }) => path.includes('.labels')) : undefined;
  return (
    <DialogFrame title={words.labels.edit} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {trouble !== null && fault === undefined && <Trouble error={trouble} />}
        <Field label={words.labels.heading} hint={words.labels.setHint(name, type)} error={fault?.message}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={lines}
              spellCheck={false}
              onChange={({ target }) => setLines(target.value)}
            />
          )}
        </Field>
        <DialogButtons submit={words.labels.save} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}
