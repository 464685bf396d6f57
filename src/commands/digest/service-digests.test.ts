import { expect, test } from 'vitest';
import { fetchServiceDigests, parseServiceDigests } from './service-digests.ts';

const STATE = { slot: 900, digest: 'i', parts: [{ name: 'tokens', sum: '1' }], blockhash: null };

test('a coverage has the digests of its state and of earlier slots', () => {
  const text = JSON.stringify({ state: STATE, state_digests: [{ slot: 600, digest: 'f' }] });
  const found = parseServiceDigests(text);
  expect(found?.state).toMatchObject({ slot: 900, digest: 'i' });
  expect([...(found?.digests ?? [])]).toEqual([
    [600, 'f'],
    [900, 'i'],
  ]);
});

test('a service without a slot has no digest', () => {
  const found = parseServiceDigests('{"state": null, "state_digests": []}');
  expect(found).toEqual({ state: null, digests: new Map() });
});

test.each([
  'text',
  'null',
  '[]',
  '{}',
  '{"state": null}',
  '{"state_digests": []}',
  '{"state": 1, "state_digests": []}',
  '{"state": null, "state_digests": [{"slot": "1", "digest": "a"}]}',
  '{"state": null, "state_digests": [null]}',
  '{"state": {"slot": 1, "digest": "a"}, "state_digests": []}',
  '{"state": {"slot": 1, "digest": "a", "parts": [{"name": "a"}]}, "state_digests": []}',
])('%s is no coverage with digests', (text) => {
  expect(parseServiceDigests(text)).toBeNull();
});

test('an address that is none of a service is refused', async () => {
  await expect(fetchServiceDigests('ftp://host', null)).rejects.toThrow(
    '--url takes an http or https address, not "ftp://host".',
  );
});
