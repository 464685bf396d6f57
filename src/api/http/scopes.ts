import type { Scope } from '../api-keys.ts';

/**
 * What a route requires of a key: a scope, or only to read the triggers and webhooks of the key's
 * own account.
 */
export type Permission = Scope | 'own alerts';

/** What each scope allows beside itself (CONTRACT §4.1). */
const ALSO_ALLOWED: Readonly<Record<Scope, readonly Permission[]>> = {
  read: ['own alerts'],
  'triggers:write': ['own alerts'],
  'review:write': [],
  admin: ['read', 'triggers:write', 'review:write', 'own alerts'],
};

/** Whether a key with these scopes has a permission. */
export function isPermitted(scopes: readonly Scope[], permission: Permission): boolean {
  return scopes.some((scope) => scope === permission || ALSO_ALLOWED[scope].includes(permission));
}

/** The least scope with a permission, named when a key does not have it. */
export function scopeFor(permission: Permission): Scope {
  return permission === 'own alerts' ? 'read' : permission;
}
