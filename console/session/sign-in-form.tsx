import { PREFIX } from '../api/prefix.js';
import { type SubmitEvent, useState } from 'react';
import { Refusal } from '../api/errors.js';
import type { SignInMethods } from '../api/types.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { signIn } from './sign-in.js';

interface Props {
  readonly ways: SignInMethods;
  /** Where an issuer leads back to, a path of this service. */
  readonly back: string;
  readonly onSignedIn: () => void;
}

/** Asks for a credential. What is typed into it is in no state of the page. */
export function SignInForm({ ways, back, onSignedIn }: Props) {
  const [fault, setFault] = useState<string | null>(null);
  const [isTrying, setTrying] = useState(false);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const inputs = [...event.currentTarget.querySelectorAll('input')];
    const empty = inputs.find(({ value, required }) => required && value.trim() === '');
    if (empty !== undefined) {
      setFault(words.signIn.empty[kindOf(inputs)]);
      empty.focus();
      return;
    }
    setTrying(true);
    try {
      await signIn(
        Object.fromEntries(inputs.filter(({ value }) => value !== '').map(({ name, value }) => [name, value.trim()])),
      );
      onSignedIn();
    } catch (error) {
      setFault(saysOf(error, kindOf(inputs)));
      inputs[0]?.focus();
    } finally {
      setTrying(false);
    }
  };
  const button = (
    <div className="buttons">
      <button type="submit" className="primary" aria-disabled={isTrying || undefined}>
        {isTrying ? words.signIn.trying : words.signIn.button}
      </button>
    </div>
  );

  return (
    <div className="sign-in">
      {fault !== null && (
        <div role="alert" className="trouble">
          <ShownText text={fault} />
        </div>
      )}
      {ways.oidc !== null && <AtIssuer name={ways.oidc.name} back={back} />}
      {ways.token && (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Field label={words.signIn.token} hint={words.signIn.hint}>
            {(control) => (
              <input
                {...control}
                name="token"
                type="password"
                required
                autoComplete="off"
                spellCheck={false}
                autoFocus
              />
            )}
          </Field>
          {button}
        </form>
      )}
      {ways.keystone && (
        <form onSubmit={(event) => void submit(event)} noValidate aria-label={words.signIn.keystone.heading}>
          <h2>{words.signIn.keystone.heading}</h2>
          {(['username', 'password', 'project', 'user_domain', 'project_domain'] as const).map((name) => (
            <Field key={name} label={words.signIn.keystone[name]}>
              {(control) => (
                <input
                  {...control}
                  name={name}
                  type={name === 'password' ? 'password' : 'text'}
                  required={name === 'username' || name === 'password'}
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
          ))}
          {button}
        </form>
      )}
    </div>
  );
}

type Kind = 'token' | 'user';

const kindOf = ([first]: readonly HTMLInputElement[]): Kind => (first?.name === 'token' ? 'token' : 'user');

/** The service tells programs where a token goes; people have typed it into the only place there is. */
function saysOf(error: unknown, kind: Kind): string {
  if (error instanceof Refusal && error.status === 401) return words.signIn.refused[kind];
  return error instanceof Error ? error.message : words.common.failed;
}

/** The service itself goes to the issuer and comes back. */
function AtIssuer({ name, back }: { readonly name: string; readonly back: string }) {
  const start = (): void => window.location.assign(`${PREFIX}/console/oidc/start?return=${encodeURIComponent(back)}`);
  return (
    <div className="buttons">
      <button type="button" className="primary" onClick={start}>
        <ShownText text={words.signIn.at(name)} />
      </button>
    </div>
  );
}
