import { afterEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import type { Config } from '../config/config-settings.ts';
import type { Service } from '../service/app.ts';
import { KeyTable } from '../store/control/api-keys.ts';
import { openControlPlane } from '../store/control/control-plane.ts';
import { ensureKey, hostInUrl, welcome } from './welcome.ts';

let database = openControlPlane(':memory:');
afterEach(() => {
  database.close();
  database = openControlPlane(':memory:');
});

function ensure(settings: Partial<Config> = {}) {
  const keys = new KeyTable(database);
  const service = { store: { keys } } as Pick<Service, 'store'> as Service;
  return { keys, key: ensureKey(service, { ...readConfig({}, {}), ...settings }) };
}

/** The welcome text for a key, and its placeholder in command lines. */
function greeting(key: Parameters<typeof welcome>[1]) {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const inCommand = welcome('http://127.0.0.1:3000', key, '/data', null);
  write.mockRestore();
  return { inCommand, text: written.join('') };
}

test('the address of the dashboard is printed first', () => {
  expect(greeting({ kind: 'existing' }).text).toMatch(/^Dashboard: http:\/\/127\.0\.0\.1:3000\/\n/);
});

test('that keys exist is said with the folder in which they are, as a word of a shell', () => {
  expect(greeting({ kind: 'existing' }).text).toContain('"mintscope keys list --data-dir /data"');
});

describe('the key of a first start', () => {
  test('is valid and shown once', () => {
    const { keys, key } = ensure();
    if (key.kind !== 'created') throw new Error(`no key was made, but ${key.kind}`);
    expect(keys.authenticate(key.text)?.accountId).toBe('default');
    expect(greeting(key)).toEqual({
      inCommand: key.text,
      text: expect.stringContaining(`shown this once: ${key.text}\n`),
    });
    expect(ensure().key).toEqual({ kind: 'existing' });
    expect(keys.list()).toHaveLength(1);
  });

  test('is the configured one, and never shown', () => {
    const bootstrapKey = 'x7Kq2pLm9ZtR4bwQ';
    const { keys, key } = ensure({ bootstrapKey });
    expect(key).toEqual({ kind: 'bootstrap' });
    expect(keys.authenticate(bootstrapKey)?.accountId).toBe('default');
    expect(keys.list()).toHaveLength(1);
    const { inCommand, text } = greeting(key);
    expect(inCommand).toBe('$MINTSCOPE_BOOTSTRAP_KEY');
    expect(text).toContain('The bootstrap key is installed.');
    expect(text).not.toContain(bootstrapKey);
  });

  test('that is configured and was revoked is not reported as installed', () => {
    const bootstrapKey = 'x7Kq2pLm9ZtR4bwQ';
    const { keys } = ensure({ bootstrapKey });
    for (const { keyId } of keys.list()) keys.revoke(keyId);
    const { key } = ensure({ bootstrapKey });
    expect(key).toEqual({ kind: 'revoked' });
    const { inCommand, text } = greeting(key);
    expect(inCommand).toBe('your-key');
    expect(text).toContain('The bootstrap key was revoked and opens nothing: configure another.');
    expect(text).not.toContain('installed');
    expect(keys.authenticate(bootstrapKey)).toBeNull();
  });
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '[::1]'],
  ['example.com', 'example.com'],
])('a service on %s is reached at %s', (host, shown) => {
  expect(hostInUrl(host)).toBe(shown);
});
