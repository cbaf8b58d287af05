import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useWhoami } from '../api/queries.js';
import { usePlans } from '../changes/plan-provider.js';
import { LineEditor, selectLine } from '../import/line-editor.js';
import { Field } from '../parts/field.js';
import { Trouble } from '../parts/trouble.js';
import { useKeptState } from '../session/kept-state.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { FileProblems } from './file-problems.js';
import { type Move, moveAddress } from './move.js';
import { isTooLong } from './move-store.js';
import { StepFrame } from './step-frame.js';
import { useFileCheck } from './use-file-check.js';
import { useKeptText } from './use-kept-text.js';

interface Props {
  readonly move: Move;
  readonly onChange: (change: Partial<Move>) => void;
  readonly onDone: () => void;
}

/** The zone file of the old provider: corrected here, reviewed as a plan, and imported. */
export function RecordsStep({ move, onChange, onDone }: Props) {
  const { zone } = useOpenZone();
  const { data: whoami } = useWhoami();
  const { importFile } = usePlans();
  const [, navigate] = useLocation();
  const { text, change: setText, release } = useKeptText(move.text, (kept) => onChange({ text: kept }));
  const [skipsNameServers, setSkips] = useKeptState(`move NS ${zone.id}`, () => true);
  const [isPlanned, setPlanned] = useKeptState(`move plan ${zone.id}`, () => false);
  const [fault, setFault] = useState<string | undefined>();
  const area = useRef<HTMLTextAreaElement>(null);
  const { check, error, isChecking } = useFileCheck(zone.id, text, skipsNameServers);
  const isDone = move.done.includes('records');
  const most = whoami?.service.max_body_size ?? Infinity;
  // The dialog that closes gives the focus back first.
  const show = (line: number): void => void setTimeout(() => area.current && selectLine(area.current, line));
  const change = (next: string): void => {
    setText(next);
    setFault(undefined);
  };
  const review = (): void => {
    if (text.trim() === '') return setFault(words.import.empty);
    if (text.length > most) return setFault(words.import.tooLarge(most));
    setPlanned(true);
    importFile(
      { mode: 'merge', text, skipsNameServers },
      {
        change: (file) => {
          change(file.text);
          setSkips(file.skipsNameServers === true);
        },
        refuse: () => {},
        show,
        applied: () => {
          release();
          onDone();
          navigate(moveAddress(move.domain, 'compare'));
        },
      },
      () => setPlanned(false),
    );
  };
  useEffect(() => {
    if (isPlanned) review();
  }, []);
  const faulty = new Set(check?.lines.map(({ line }) => line));
  const warned = new Set(check?.findings.flatMap(({ line }) => (line === undefined ? [] : [line])));
  return (
    <StepFrame
      domain={move.domain}
      step="records"
      intro={moveIn.records.intro}
      onDone={isDone && text.trim() === '' ? () => {} : null}
      action={
        text.trim() !== '' && (
          <button type="button" className="primary" onClick={review}>
            {moveIn.records.review}
          </button>
        )
      }
    >
      {isDone && (
        <p>
          {moveIn.records.stored} <Link href={zoneAddress(zone.name, 'records')}>{moveIn.records.show}</Link>
        </p>
      )}
      {isTooLong({ ...move, text }) && <p className="notice">{moveIn.records.notKept}</p>}
      <Field label={moveIn.records.file} hint={words.import.textHint} error={fault}>
        {(control) => (
          <LineEditor control={control} area={area} text={text} faulty={faulty} warned={warned} onText={change} />
        )}
      </Field>
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
      {error !== null && <Trouble error={error} />}
      {check === null && isChecking && <p role="status">{moveIn.records.checking}</p>}
      {check !== null && text.trim() !== '' && (
        <FileProblems
          zone={zone.name}
          check={check}
          text={text}
          onShow={show}
          onFix={(fix) => (fix.kind === 'skipNameServers' ? setSkips(true) : change(fix.text))}
        />
      )}
    </StepFrame>
  );
}
