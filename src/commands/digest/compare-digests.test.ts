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

test('every slot that both have is compared, the earliest first', () => {
  const stored = [storedAt(900, 'i'), storedAt(600, 'f'), storedAt(300, 'c')];
  const service = serviceWith({ 600: 'f', 300: 'c', 1000: 'now' });
  expect(compareDigests(stored, service)).toEqual({
    slotsCompared: 2,
    oldestSlot: 300,
    newest: { slot: 600, isSame: true, own: 'f', service: 'f', differingParts: null },
    newestSameSlot: 600,
    firstDifferent: null,
  });
});

test('the first slot that differs follows the newest that is equal', () => {
  const stored = [storedAt(1_200, 'l'), storedAt(900, 'i'), storedAt(600, 'f'), storedAt(300, 'c')];
  const service = serviceWith({ 300: 'c', 600: 'f', 900: 'x', 1200: 'y' });
  expect(compareDigests(stored, service)).toMatchObject({
    slotsCompared: 4,
    newest: { slot: 1_200, isSame: false },
    newestSameSlot: 600,
    firstDifferent: { slot: 900, own: 'i', service: 'x' },
  });
});

test('a slot that differs is found before one that is equal', () => {
  const stored = [storedAt(600, 'f'), storedAt(300, 'c')];
  expect(compareDigests(stored, serviceWith({ 300: 'x', 600: 'f' }))).toMatchObject({
    newestSameSlot: 600,
    firstDifferent: { slot: 300 },
  });
});

test('without a slot in common nothing is compared', () => {
  expect(compareDigests([storedAt(300, 'c')], serviceWith({ 600: 'f' }))).toBeNull();
});

test('parts that differ or that only one has are named where both give their parts', () => {
  const stored = [storedAt(300, 'c', { tokens: '1', pools: '2', locks: '3' })];
  const parts = [
    { name: 'tokens', sum: '1' },
    { name: 'pools', sum: '9' },
    { name: 'added', sum: '4' },
  ];
  const service = { ...serviceWith({ 300: 'x' }), state: { slot: 300, digest: 'x', parts } };
  expect(compareDigests(stored, service)?.firstDifferent).toEqual({
    slot: 300,
    isSame: false,
    own: 'c',
    service: 'x',
    differingParts: ['pools', 'locks', 'added'],
  });
  const withoutParts = [{ slot: 300, digest: 'c', parts: null }];
  expect(compareDigests(withoutParts, service)?.newest.differingParts).toBeNull();
  expect(compareDigests(stored, serviceWith({ 300: 'x' }))?.newest.differingParts).toBeNull();
});
