import './sign-in.css';
import { PREFIX } from '../api/prefix.js';
import { type SubmitEvent, useState } from 'react';
import { Refusal } from '../api/errors.js';
import type { SignInMethods } from '../api/types.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { leaveTo } from './leaving.js';
import { signIn } from './sign-in.js';

interface Props {
  readonly ways: SignInMethods;
  /** Where an issuer leads back to, a path of this service. */
  readonly back: string;
  readonly onSignedIn: () => void;
}

/** Asks for a credential. The page keeps no typed secret in its state. */
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
  const button = (isLikely: boolean) => (
    <div className="buttons">
      <button type="submit" className={isLikely ? 'primary' : undefined} aria-disabled={isTrying || undefined}>
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
      {ways.oidc !== null && ways.token && <Or />}
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
          {button(ways.oidc === null)}
        </form>
      )}
      {ways.keystone && (ways.oidc !== null || ways.token) && <Or />}
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
          {button(ways.oidc === null && !ways.token)}
        </form>
      )}
    </div>
  );
}

const Or = () => <p className="or">{words.signIn.or}</p>;

type Kind = 'token' | 'user';

const kindOf = ([first]: readonly HTMLInputElement[]): Kind => (first?.name === 'token' ? 'token' : 'user');

/** The service error tells programs where a token belongs; the form has only one place for it. */
function saysOf(error: unknown, kind: Kind): string {
  if (error instanceof Refusal && error.status === 401) return words.signIn.refused[kind];
  return error instanceof Error ? error.message : words.common.failed;
}

/** The service itself goes to the issuer and comes back. */
function AtIssuer({ name, back }: { readonly name: string; readonly back: string }) {
  const start = (): void => leaveTo(`${PREFIX}/console/oidc/start?return=${encodeURIComponent(back)}`);
  return (
    <div className="buttons">
      <button type="button" className="primary" onClick={start}>
        <ShownText text={words.signIn.at(name)} />
      </button>
    </div>
  );
}
