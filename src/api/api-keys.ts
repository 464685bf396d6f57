/** What a key may be used for. */
export type Scope = 'read' | 'triggers:write' | 'review:write' | 'admin';

/** A live key; an account may have several. */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
}

/** The keys that clients present. */
export interface ApiKeys {
  /** The live key a client presents, or null for anything else. Constant time in the secret. */
  authenticate(presented: string): ApiKey | null;
}
