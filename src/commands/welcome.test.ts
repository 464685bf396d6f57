import { afterEach, describe, expect, test } from 'vitest';
import type { Service } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Config } from '../config-settings.ts';
import { KeyBook } from '../store/control/api-keys.ts';
import { openControlPlane } from '../store/control/control-plane.ts';
import { ensureKey, hostInUrl } from './welcome.ts';

let database = openControlPlane(':memory:');
afterEach(() => {
  database.close();
  database = openControlPlane(':memory:');
});

function ensure(settings: Partial<Config> = {}) {
  const keys = new KeyBook(database);
  const service = { store: { keys } } as Pick<Service, 'store'> as Service;
  return { keys, text: ensureKey(service, { ...readConfig({}, {}), ...settings }) };
}

describe('the key of a first start', () => {
  test('opens the service and is shown once', () => {
    const { keys, text } = ensure();
    expect(keys.authenticate(text ?? '')?.accountId).toBe('default');
    expect(ensure().text).toBeNull();
    expect(keys.list()).toHaveLength(1);
  });

  test('is the one that the configuration names, and never shown', () => {
    const bootstrapKey = 'x7Kq2pLm9ZtR4bwQ';
    const { keys, text } = ensure({ bootstrapKey });
    expect(text).toBeNull();
    expect(keys.authenticate(bootstrapKey)?.accountId).toBe('default');
    expect(keys.list()).toHaveLength(1);
  });
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '[::1]'],
  ['example.com', 'example.com'],
])('a service on %s is asked at %s', (host, shown) => {
  expect(hostInUrl(host)).toBe(shown);
});
