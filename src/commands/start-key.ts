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
export const KEYS_EXIST =
  'API keys exist: "mintscope keys list" shows them, "mintscope keys create" makes one.';
