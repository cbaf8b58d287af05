import { TextPattern } from '../../common/text-pattern.js';
import { refuse } from '../input.js';

/** What it costs to look for a `?` grows with the pattern as well. */
const LONGEST_WITH_MARKS = 100;

/**
 * Whether a text is like a pattern, in any case: `*` stands for any text, `?` for one character.
 * @throws ServiceError for a pattern that is too long
 */
export function wildcards(pattern: string): (text: string) => boolean {
  if (!pattern.includes('?')) {
    const plain = new TextPattern(pattern);
    return (text) => plain.matches(text);
  }
  if (pattern.length > LONGEST_WITH_MARKS) refuse(`A query with ? has at most ${LONGEST_WITH_MARKS} characters`);
  const wanted = pattern.toLowerCase();
  return (text) => isLike(text.toLowerCase(), wanted);
}

function isLike(text: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let behindStar = 0;
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place;
      behindStar = at;
      place += 1;
    } else if (pattern[place] === '?' || pattern[place] === text[at]) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      // The last `*` takes one character more.
      place = star + 1;
      behindStar += 1;
      at = behindStar;
    } else return false;
  }
  while (pattern[place] === '*') place += 1;
  return place === pattern.length;
}
