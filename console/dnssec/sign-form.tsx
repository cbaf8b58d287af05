import { type SubmitEvent, useState } from 'react';
import { Field } from '../parts/field.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

const ALGORITHMS = ['ECDSAP256SHA256', 'ECDSAP384SHA384', 'ED25519', 'ED448', 'RSASHA256'] as const;

/** Signs the zone; unset options use the service configuration. */
export function SignForm() {
  const { act, fault } = useDnssecAction();
  const [algorithm, setAlgorithm] = useState('');
  const [denial, setDenial] = useState('');
  const [keys, setKeys] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const json = {
      enabled: true,
      ...(algorithm !== '' && { algorithm }),
      ...(denial !== '' && { denial }),
      ...(keys !== '' && { single_key: keys === 'one' }),
    };
    void act('', { method: 'PUT', json }, words.dnssec.signed);
  };
  return (
    <form className="settings" onSubmit={submit}>
      {fault !== null && <Trouble error={fault} />}
      <div className="columns">
        <Choice
          label={words.dnssec.algorithm}
          value={algorithm}
          options={ALGORITHMS.map((name) => [name, name])}
          onChange={setAlgorithm}
        />
        <Choice
          label={words.dnssec.denial}
          value={denial}
          options={Object.entries(words.dnssec.denials)}
          onChange={setDenial}
        />
        <Choice
          label={words.dnssec.keys}
          value={keys}
          options={Object.entries(words.dnssec.keyWays)}
          onChange={setKeys}
        />
      </div>
      <div className="buttons">
        <button type="submit" className="primary">
          {words.dnssec.sign}
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{words.dnssec.usual}</option>
          {options.map(([name, shown]) => (
            <option key={name} value={name}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
