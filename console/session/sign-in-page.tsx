import '../parts/blank.css';
import './sign-in.css';
import { useLocation, useSearchParams } from 'wouter';
import type { SignInMethods } from '../api/types.js';
import { Logo } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { useTitle } from '../frame/title.js';
import { words } from '../words/index.js';
import { returnPath } from './return-path.js';
import { SignInForm } from './sign-in-form.js';

const FIRST_PAGE = returnPath(null);

export function SignInPage({ ways }: { readonly ways: SignInMethods }) {
  const [, navigate] = useLocation();
  const [query] = useSearchParams();
  const path = returnPath(query.get('return'));
  const error = query.get('error');
  useTitle(words.signIn.heading);
  return (
    <main className="sign-in-page">
      <div className="blank">
        <Logo />
        <h1>{words.signIn.title}</h1>
        {path !== FIRST_PAGE && (
          <p>
            <ShownText text={words.signIn.next(readable(path))} longest={200} />
          </p>
        )}
        {error !== null && (
          <div role="alert" className="trouble">
            {error === 'unavailable' ? words.signIn.issuerFailed.unavailable : words.signIn.issuerFailed.other}
          </div>
        )}
        <SignInForm ways={ways} back={`/console${path}`} onSignedIn={() => navigate(path, { replace: true })} />
      </div>
      {ways.token && (
        <p className="sign-in-help">
          {words.signIn.help} <code>{words.signIn.command}</code>
        </p>
      )}
    </main>
  );
}

/** A path without its search, as a person reads it. */
function readable(path: string): string {
  const [address = ''] = path.split(/[?#]/);
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
