import { useLocation, useSearchParams } from 'wouter';
import type { SignInMethods } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { words } from '../words/index.js';
import { returnPath } from './return-path.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage({ ways }: { readonly ways: SignInMethods }) {
  const [, navigate] = useLocation();
  const [query] = useSearchParams();
  const path = returnPath(query.get('return'));
  const error = query.get('error');
  useTitle(words.signIn.heading);
  return (
    <main className="sign-in-page">
      <p className="product">{words.product}</p>
      <h1>{words.signIn.heading}</h1>
      {error !== null && (
        <div role="alert" className="trouble">
          {error === 'unavailable' ? words.signIn.issuerFailed.unavailable : words.signIn.issuerFailed.other}
        </div>
      )}
      <SignInForm ways={ways} back={`/console${path}`} onSignedIn={() => navigate(path, { replace: true })} />
    </main>
  );
}
