import { englishMoveIn } from './english-move-in.js';

/** The texts of the wizard in the language that is shown. They are loaded with the wizard, not with the catalogue. */
export const moveIn: typeof englishMoveIn = englishMoveIn;
