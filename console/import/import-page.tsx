import { type SubmitEvent, useState } from 'react';
import { useWhoami } from '../api/queries.js';
import { usePlans } from '../changes/plan-provider.js';
import { useTitle } from '../frame/title.js';
import { Field } from '../parts/field.js';
import { permittedTo } from '../session/permitted.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { ChosenFile } from './chosen-file.js';
import { handedOverTo } from './handed-over.js';
import { useReading } from './use-reading.js';

const MODES = ['merge', 'replace'] as const;
type Mode = (typeof MODES)[number];

/** A zone file, chosen or pasted. What it would do is shown as a plan, as every change. */
export function ImportPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.import.heading} – ${zone.name}`);
  const { data: whoami } = useWhoami();
  return (
    <section aria-labelledby="import">
      <h2 id="import">{words.import.heading}</h2>
      {whoami !== undefined && !permittedTo(whoami).create ? (
        <p className="empty">{words.import.notPermitted}</p>
      ) : (
        <ImportForm most={whoami?.service.max_body_size ?? Infinity} />
      )}
    </section>
  );
}

function ImportForm({ most }: { readonly most: number }) {
  const { importFile } = usePlans();
  const { zone } = useOpenZone();
  const [text, setText] = useState(() => handedOverTo(zone.name));
  const [mode, setMode] = useState<Mode>('merge');
  const [fault, setFault] = useState<string | undefined>();
  const reading = useReading();
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (reading.sendsLater(event.currentTarget)) return;
    if (text.trim() === '') setFault(words.import.empty);
    else importFile({ mode, text });
  };
  return (
    <form className="import" onSubmit={submit}>
      <ChosenFile
        most={most}
        fault={fault}
        reading={reading}
        onFault={setFault}
        onText={(read) => {
          setText(read);
          setFault(undefined);
        }}
      />
      <Field label={words.import.text} hint={words.import.textHint}>
        {(control) => (
          <textarea
            {...control}
            rows={10}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend>{words.import.mode}</legend>
        {MODES.map((one) => (
          <label key={one} className="check">
            <input type="radio" name="mode" checked={mode === one} onChange={() => setMode(one)} />
            {words.import[one]}
          </label>
        ))}
      </fieldset>
      <div className="buttons">
        <button type="submit" className="primary">
          {words.import.plan}
        </button>
      </div>
    </form>
  );
}
