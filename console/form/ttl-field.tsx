import type { ReactNode } from 'react';
import { secondsIn } from '../parts/duration.js';
import { Field } from '../parts/field.js';
import { words } from '../words/index.js';

interface Props {
  readonly value: string;
  readonly zoneTtl: number;
  readonly error: string | undefined;
  /** Below the hint. */
  readonly children?: ReactNode;
  readonly onChange: (ttl: string) => void;
}

/** A TTL, typed or by one of the usual values. */
export function TtlField({ value, zoneTtl, error, children, onChange }: Props) {
  const { presets, presetsLabel, ttl, ttlHint } = words.form;
  const seconds = secondsIn(value);
  return (
    <div className="ttl-field">
      <Field
        label={ttl}
        error={error}
        hint={
          <>
            {ttlHint(seconds, zoneTtl)}
            {children}
          </>
        }
      >
        {(control) => (
          <input
            {...control}
            name="ttl"
            autoComplete="off"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <div role="group" aria-label={presetsLabel} className="presets">
        {Object.entries(presets).map(([preset, label]) => (
          <button
            key={preset}
            type="button"
            aria-pressed={preset === '' ? value.trim() === '' : seconds === secondsIn(preset)}
            onClick={() => onChange(preset)}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
