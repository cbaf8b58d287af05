import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useWhoami } from '../api/queries.js';
import type { LineFault } from '../changes/line-faults.js';
import { LineFaults } from '../changes/line-faults-table.js';
import { usePlans } from '../changes/plan-provider.js';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import { Field } from '../parts/field.js';
import { useKeptState } from '../session/kept-state.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { ChosenFile } from './chosen-file.js';
import { handedOverTo, takeOver } from './handed-over.js';
import { LineEditor, selectLine } from './line-editor.js';
import { useReading } from './use-reading.js';

const MODES = ['merge', 'replace'] as const;
type Mode = (typeof MODES)[number];

/** A zone file, chosen or pasted. Its effect is shown as a plan. */
export function ImportPage() {
  const { zone, secondary } = useOpenZone();
  const may = usePermitted();
  useTitle(`${words.import.heading} – ${zone.name}`);
  const { data: whoami } = useWhoami();
  return (
    <section aria-labelledby="import">
      <h2 id="import">{words.import.heading}</h2>
      {whoami !== undefined && !may.create ? (
        <Empty
          icon="managed"
          actions={[
            { label: words.states.go.records, to: zoneAddress(zone.name, 'records') },
            { label: words.states.go.changes, to: zoneAddress(zone.name, 'history') },
          ]}
        >
          {secondary === null ? words.import.notPermitted : words.secondary.readOnly}
        </Empty>
      ) : (
        <ImportForm most={whoami?.service.max_body_size ?? Infinity} />
      )}
    </section>
  );
}

const NO_FAULTS: readonly LineFault[] = [];

function ImportForm({ most }: { readonly most: number }) {
  const { importFile } = usePlans();
  const { zone, place } = useOpenZone();
  const [text, setText] = useKeptState(`import ${place}`, () => handedOverTo(zone.name));
  const [mode, setMode] = useKeptState<Mode>(`import mode ${place}`, () => 'merge');
  const [skipsNameServers, setSkips] = useKeptState(`import NS ${place}`, () => true);
  const [isPlanned, setPlanned] = useKeptState(`import plan ${place}`, () => false);
  const [fault, setFault] = useState<string | undefined>();
  const [lines, setLines] = useState(NO_FAULTS);
  const area = useRef<HTMLTextAreaElement>(null);
  const reading = useReading();
  const change = (next: string): void => {
    setText(next);
    setFault(undefined);
    setLines(NO_FAULTS);
  };
  // The dialog that closes gives the focus back first.
  const show = (line: number): void => void setTimeout(() => area.current && selectLine(area.current, line));
  const plan = (planned: string): void => {
    setPlanned(true);
    importFile(
      { mode, text: planned, skipsNameServers },
      {
        change: (file) => {
          change(file.text);
          setSkips(file.skipsNameServers === true);
        },
        refuse: setLines,
        show,
      },
      () => setPlanned(false),
    );
  };
  // A file for a new zone is planned as soon as the zone is there, and a plan that a sign-in at the issuer closed opens again.
  const latest = useRef(plan);
  useEffect(() => {
    const handedOver = handedOverTo(zone.name);
    takeOver();
    if (handedOver !== '') latest.current(handedOver);
    else if (isPlanned && text !== '') latest.current(text);
  }, [zone.name]);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // The file is planned once it is read.
    if (reading.isUnderWay()) return;
    if (text.trim() === '') setFault(words.import.empty);
    else plan(text);
  };
  return (
    <form className="import" onSubmit={submit}>
      <ChosenFile
        most={most}
        fault={fault}
        reading={reading}
        onFault={setFault}
        onText={(read) => {
          change(read);
          if (read.trim() === '') setFault(words.import.empty);
          else plan(read);
        }}
      />
      <Field
        label={words.import.text}
        hint={words.import.textHint}
        error={lines.length === 0 ? undefined : words.import.faulty(lines.length)}
      >
        {(control) => (
          <LineEditor
            control={control}
            area={area}
            text={text}
            faulty={new Set(lines.map(({ line }) => line))}
            onText={change}
          />
        )}
      </Field>
      {lines.length > 0 && <LineFaults lines={lines} onShow={show} />}
      <fieldset>
        <legend>{words.import.mode}</legend>
        {MODES.map((one) => (
          <label key={one} className="check">
            <input type="radio" name="mode" checked={mode === one} onChange={() => setMode(one)} />
            {words.import[one]}
          </label>
        ))}
      </fieldset>
      <label className="check">
        <input
          type="checkbox"
          aria-describedby="name-servers-hint"
          checked={!skipsNameServers}
          onChange={({ target }) => setSkips(!target.checked)}
        />
        {words.file.nameServers}
      </label>
      <div id="name-servers-hint" className="hint">
        {words.file.nameServersHint}
      </div>
      <div className="buttons">
        <button type="submit" className="primary">
          {words.import.plan}
        </button>
      </div>
    </form>
  );
}
