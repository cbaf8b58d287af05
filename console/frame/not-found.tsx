import { Link } from 'wouter';
import { words } from '../words/index.js';
import { useTitle } from './title.js';

export function NotFound() {
  useTitle(words.frame.notFound);
  return (
    <>
      <h1>{words.frame.notFound}</h1>
      <Link href="/zones">{words.frame.toZones}</Link>
    </>
  );
}
