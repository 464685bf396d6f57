import { describe, expect, test } from 'vitest';
import type { Scope } from '../api-keys.ts';
import { isPermitted, type Permission } from './scopes.ts';

const PERMISSIONS = ['read', 'own alerts', 'triggers:write', 'review:write', 'admin'] as const;

describe('the permissions of a scope', () => {
  test.each<[Scope, readonly Permission[]]>([
    ['read', ['read', 'own alerts']],
    ['triggers:write', ['own alerts', 'triggers:write']],
    ['review:write', ['review:write']],
    ['admin', PERMISSIONS],
  ])('of %s', (scope, permitted) => {
    expect(PERMISSIONS.filter((permission) => isPermitted([scope], permission))).toEqual(permitted);
  });

  test('add up, and none has any', () => {
    expect(isPermitted(['review:write', 'read'], 'read')).toBe(true);
    expect(PERMISSIONS.filter((permission) => isPermitted([], permission))).toEqual([]);
  });
});
