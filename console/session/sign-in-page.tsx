import { useLocation, useSearchParams } from 'wouter';
import type { SignInWays } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { words } from '../words/index.js';
import { returnPath } from './return-path.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage({ ways }: { readonly ways: SignInWays }) {
  const [, navigate] = useLocation();
  const [query] = useSearchParams();
  useTitle(words.signIn.heading);
  return (
    <main className="sign-in-page">
      <h1>{words.signIn.heading}</h1>
      <SignInForm ways={ways} onSignedIn={() => navigate(returnPath(query.get('return')), { replace: true })} />
    </main>
  );
}
