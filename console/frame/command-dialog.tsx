import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import { useZones } from '../api/queries.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { AREAS, FURTHER_AREAS } from './areas.js';

const SHOWN_ZONES = 10;

interface Command {
  readonly label: string;
  readonly address: string;
}

/** Leads to a zone or a screen by a part of its name. */
export function CommandDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const q = useDeferredValue(typed.trim());
  const { data } = useZones(q, 'name');
  const zones = (data?.pages[0]?.domains ?? []).slice(0, SHOWN_ZONES);
  const commands: Command[] = [
    ...[...AREAS, ...FURTHER_AREAS]
      .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
      .map(({ at, name }) => {
        return { label: name, address: at };
      }),
    ...zones.map(({ name }) => ({ label: name, address: zoneAddress(name, 'records') })),
    ...(q === '' ? [] : [{ label: words.commands.search(q), address: `/search?q=${encodeURIComponent(q)}` }]),
  ];
  const go = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    navigate(command.address);
  };
  return (
    <DialogFrame title={words.commands.title} onClose={onClose}>
      <form
        className="commands"
        onKeyDown={moveInList}
        onSubmit={(event) => {
          event.preventDefault();
          go(commands[0]);
        }}
      >
        <Field label={words.commands.label} hint={words.commands.hint}>
          {(control) => (
            <input
              {...control}
              value={typed}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={255}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <ul className="choices" aria-label={words.commands.title}>
          {commands.map((command) => (
            <li key={command.address}>
              <button type="button" className="quiet" onClick={() => go(command)}>
                <ShownText text={command.label} longest={100} />
              </button>
            </li>
          ))}
        </ul>
      </form>
    </DialogFrame>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys lead from what is typed to what was found, and back. */
function moveInList(event: KeyboardEvent<HTMLFormElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const to = stops[stops.findIndex((stop) => stop === document.activeElement) + step];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
