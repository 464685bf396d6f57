import { displayText } from '../lib/terminal/display-text.ts';
import { shellWord } from '../lib/terminal/shell-word.ts';

/** State of the API keys after a start. */
export type StartKey =
  /** A new key was created; it is shown only once. */
  | { readonly kind: 'created'; readonly text: string }
  /** The configured key is valid. */
  | { readonly kind: 'bootstrap' }
  /** The configured key was revoked; other keys exist or existed. */
  | { readonly kind: 'revoked' }
  /** No key is configured; keys exist or existed. */
  | { readonly kind: 'existing' };

export const REVOKED = 'The bootstrap key was revoked and opens nothing: configure another.';

/** How to see the keys of a data folder and to make another one. */
export function keysExist(dataDir: string): string {
  const folder = `--data-dir ${shellWord(displayText(dataDir))}`;
  return `API keys exist: "mintscope keys list ${folder}" shows them, "mintscope keys create ${folder}" makes one.`;
}
