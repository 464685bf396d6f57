import { expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { compareDigests } from './compare-digests.ts';
import type { ServiceDigests } from './service-digests.ts';

function storedAt(slot: number, digest: string, sums: Readonly<Record<string, string>> = {}) {
  const parts = Object.entries(sums).map(([name, sum]) => ({ name, sum }));
  return { slot: asSlot(slot), blockhash: null, digest, parts };
}

function serviceWith(digests: Readonly<Record<number, string>>): ServiceDigests {
  const entries = Object.entries(digests).map(([slot, text]) => [Number(slot), text] as const);
  return { state: null, digests: new Map(entries) };
}

test('the newest slot that both have is compared', () => {
  const stored = [storedAt(300, 'c'), storedAt(600, 'f'), storedAt(900, 'i')];
  const service = serviceWith({ 300: 'other', 600: 'f', 1000: 'now' });
  expect(compareDigests(stored, service)).toMatchObject({ slot: 600, isSame: true });
});

test('without a slot in common nothing is compared', () => {
  expect(compareDigests([storedAt(300, 'c')], serviceWith({ 600: 'f' }))).toBeNull();
});

test('parts that differ or that only one has are named where the service gives its parts', () => {
  const stored = [storedAt(300, 'c', { tokens: '1', pools: '2', locks: '3' })];
  const parts = [
    { name: 'tokens', sum: '1' },
    { name: 'pools', sum: '9' },
    { name: 'added', sum: '4' },
  ];
  const service = { ...serviceWith({ 300: 'x' }), state: { slot: 300, digest: 'x', parts } };
  expect(compareDigests(stored, service)).toEqual({
    slot: 300,
    isSame: false,
    stored: 'c',
    service: 'x',
    differingParts: ['pools', 'locks', 'added'],
  });
  expect(compareDigests(stored, serviceWith({ 300: 'x' }))?.differingParts).toBeNull();
});
