/** Permission of an API key. */
export type Scope = 'read' | 'triggers:write' | 'review:write' | 'admin';

/** A valid API key. An account may have several. */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  /** The name its owner gave it; may be empty. */
  readonly label: string;
  /** Null if it never expires. */
  readonly expiresAtMs: number | null;
}

/** Verifies the API keys that clients present. */
export interface ApiKeys {
  /** The valid key with this text, or null. Runs in constant time with respect to the secret. */
  authenticate(presented: string): ApiKey | null;
}
