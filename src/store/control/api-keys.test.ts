import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../model/errors.ts';
import { KEY_SCOPES, KeyTable } from './api-keys.ts';
import { openControlPlane } from './control-plane.ts';

describe('API keys', () => {
  let folder: string;
  let database: DatabaseSync;
  let nowMs: number;
  let serial: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    database = openControlPlane(join(folder, 'control.sqlite'));
    nowMs = 1_000_000;
    serial = 0;
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const bookOn = (opened: DatabaseSync) =>
    new KeyTable(opened, {
      nowMs: () => nowMs,
      randomBytes: (count) => new Uint8Array(count).fill(++serial),
    });
  const request = {
    accountId: 'acme',
    scopes: ['read', 'triggers:write'] as const,
    label: 'laptop',
    expiresAtMs: null,
  };

  test('authenticate their account with their scopes', () => {
    const keys = bookOn(database);
    const { text, key } = keys.create(request);
    expect(keys.authenticate(text)).toMatchObject({
      keyId: key.keyId,
      accountId: 'acme',
      scopes: ['read', 'triggers:write'],
    });
    expect(key).toEqual({
      keyId: key.keyId,
      accountId: 'acme',
      scopes: ['read', 'triggers:write'],
      label: 'laptop',
      createdAtMs: 1_000_000,
      expiresAtMs: null,
      revokedAtMs: null,
      lastUsedAtMs: null,
    });
    expect(text).toContain(`tik_live_${key.keyId}_`);
  });

  test('are not stored: only their SHA-256 is', () => {
    const { text } = bookOn(database).create(request);
    const row = database.prepare('SELECT hash FROM api_keys').get();
    expect(row?.hash).toEqual(Uint8Array.from(createHash('sha256').update(text).digest()));
    const secret = text.split('_')[3] ?? '';
    for (const file of ['control.sqlite', 'control.sqlite-wal']) {
      expect(readFileSync(join(folder, file)).includes(secret)).toBe(false);
    }
  });

  test('do not match any other text', () => {
    const keys = bookOn(database);
    const { text } = keys.create(request);
    const other = bookOn(openControlPlane(':memory:')).create(request).text;
    expect(other).not.toBe(text);
    for (const presented of ['', 'x', ` ${text}`, text.slice(0, -1), other, 'x'.repeat(1e6)]) {
      expect(keys.authenticate(presented)).toBeNull();
    }
  });

  test('with a wrong checksum are refused without a query', () => {
    const keys = bookOn(database);
    const { text } = keys.create(request);
    database.exec('DROP TABLE api_keys');
    expect(keys.authenticate(text.slice(0, -1) + (text.endsWith('0') ? '1' : '0'))).toBeNull();
    expect(() => keys.authenticate(text)).toThrow('no such table');
  });

  test('expire to the millisecond', () => {
    const keys = bookOn(database);
    const { text } = keys.create({ ...request, expiresAtMs: 1_000_500 });
    nowMs = 1_000_499;
    expect(keys.authenticate(text)).not.toBeNull();
    nowMs = 1_000_500;
    expect(keys.authenticate(text)).toBeNull();
  });

  test('are refused at once after revocation, and within 5 s in another process', () => {
    const keys = bookOn(database);
    const server = bookOn(openControlPlane(join(folder, 'control.sqlite')));
    const { text, key } = keys.create(request);
    expect(keys.authenticate(text)).not.toBeNull();
    expect(server.authenticate(text)).not.toBeNull();
    nowMs += 1_000;
    expect(keys.revoke(key.keyId)).toBe(true);
    expect(keys.authenticate(text)).toBeNull();
    nowMs += 5_000;
    expect(server.authenticate(text)).toBeNull();
  });

  test('keep the time of their first revocation', () => {
    const keys = bookOn(database);
    const { key } = keys.create(request);
    keys.revoke(key.keyId);
    nowMs += 1;
    expect(keys.revoke(key.keyId)).toBe(true);
    expect(keys.list()[0]?.revokedAtMs).toBe(1_000_000);
    expect(keys.revoke('unknown')).toBe(false);
  });

  test('record their use at most once a minute', () => {
    const keys = bookOn(database);
    const { text } = keys.create(request);
    const usedAt = () => keys.list()[0]?.lastUsedAtMs;
    keys.authenticate(text);
    expect(usedAt()).toBe(1_000_000);
    nowMs = 1_059_999;
    keys.authenticate(text);
    expect(usedAt()).toBe(1_000_000);
    nowMs = 1_062_000;
    keys.authenticate(text);
    expect(usedAt()).toBe(1_062_000);
  });

  test('are read from the table once in two seconds', () => {
    const keys = bookOn(database);
    const { text } = keys.create(request);
    keys.authenticate(text);
    database.exec('ALTER TABLE api_keys RENAME TO hidden');
    nowMs += 1_999;
    expect(keys.authenticate(text)).not.toBeNull();
    nowMs += 1;
    expect(() => keys.authenticate(text)).toThrow('no such table');
  });

  test('are listed oldest first, including revoked and expired ones', () => {
    const keys = bookOn(database);
    const first = keys.create({ ...request, label: 'first' });
    nowMs += 1;
    keys.create({ ...request, label: 'second' });
    keys.revoke(first.key.keyId);
    expect(keys.list().map(({ label, revokedAtMs }) => [label, revokedAtMs])).toEqual([
      ['first', 1_000_001],
      ['second', null],
    ]);
  });

  describe('from the configuration', () => {
    const secret = 'my own secret!';

    test('are any printable text, with every scope, on the default account', () => {
      const keys = bookOn(database);
      expect(keys.installBootstrap(secret)).toBe('installed');
      expect(keys.authenticate(secret)).toMatchObject({ accountId: 'default', scopes: KEY_SCOPES });
      expect(database.prepare('SELECT account_id FROM accounts').all()).toEqual([
        { account_id: 'default' },
      ]);
    });

    test('are installed once', () => {
      const keys = bookOn(database);
      keys.installBootstrap(secret);
      expect(keys.installBootstrap(secret)).toBe('present');
      expect(keys.list()).toHaveLength(1);
    });

    test('are revoked when another one replaces them, and other keys are not', () => {
      const keys = bookOn(database);
      const created = keys.create(request);
      keys.installBootstrap(secret);
      expect(keys.installBootstrap('another secret')).toBe('installed');
      expect(keys.authenticate(secret)).toBeNull();
      expect(keys.authenticate('another secret')).not.toBeNull();
      expect(keys.authenticate(created.text)).not.toBeNull();
    });

    test('stay revoked when revoked by hand', () => {
      const keys = bookOn(database);
      keys.installBootstrap(secret);
      keys.revoke(keys.list()[0]?.keyId ?? '');
      expect(keys.installBootstrap(secret)).toBe('revoked');
      expect(keys.authenticate(secret)).toBeNull();
    });

    test('may be a generated key of this service', () => {
      const keys = bookOn(database);
      const { text } = bookOn(openControlPlane(':memory:')).create(request);
      expect(keys.installBootstrap(text)).toBe('installed');
      expect(keys.authenticate(text)).toMatchObject({ accountId: 'default' });
    });

    test.each(['seven..', 'x'.repeat(201), 'line\nbreak', 'nonascií', ' leading space'])(
      'are not %j',
      (text) => {
        expect(() => bookOn(database).installBootstrap(text)).toThrow(UsageError);
      },
    );

    test.each(['x'.repeat(8), '~'.repeat(200)])('may be %j', (text) => {
      const keys = bookOn(database);
      keys.installBootstrap(text);
      expect(keys.authenticate(text)).not.toBeNull();
    });

    test('cannot be a mistyped generated key', () => {
      const keys = bookOn(database);
      const { text } = keys.create(request);
      const mistyped = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
      expect(() => keys.installBootstrap(mistyped)).toThrow('mistyped generated key');
    });
  });
});
