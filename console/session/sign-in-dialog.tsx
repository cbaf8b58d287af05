import { pathOfScreen } from '../api/prefix.js';
import { useQueryClient } from '@tanstack/react-query';
import type { SignInMethods } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { words } from '../words/index.js';
import { SignInForm } from './sign-in-form.js';

/** Opens above other dialogs, so that an expired session loses no work. */
export function SignInDialog({ ways }: { readonly ways: SignInMethods }) {
  const queries = useQueryClient();
  return (
    <DialogFrame title={words.signIn.heading} mayClose={false} onClose={() => {}}>
      <p role="alert">{words.signIn.expired}</p>
      <SignInForm ways={ways} back={pathOfScreen()} onSignedIn={() => void queries.invalidateQueries()} />
    </DialogFrame>
  );
}
