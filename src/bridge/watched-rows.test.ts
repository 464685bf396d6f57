import { describe, expect, test } from 'vitest';
import {
  fakePool,
  fakeToken,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
} from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import { named } from '../../tests/support/made-up-units.ts';
import type { HolderBalance } from '../model/derived.ts';
import { type Address, asRawAmount } from '../model/units.ts';
import type { LiveRowName } from './live-rows.ts';
import { WatchedRows } from './watched-rows.ts';

const NOTHING = { tokens: [], pools: [], balances: [] };
const balanceOf = (mint: Address) => ({ mint }) as HolderBalance;

function watching(...names: LiveRowName[]) {
  const engine = new FakeLiveEngine();
  const watched = new WatchedRows(100);
  const { watchId } = watched.watch(engine, names);
  engine.asked.length = 0;
  const changedBy = (changes: Partial<Parameters<WatchedRows['note']>[0]>) => {
    watched.note({ ...NOTHING, ...changes });
    return watched.takeChanged(engine).map(({ kind, address }) => `${kind} ${address}`);
  };
  return { engine, watched, watchId, changedBy };
}

describe('watched rows', () => {
  test('are returned once per change, and only while they are watched', () => {
    const { changedBy, watched, watchId } = watching(
      { kind: 'pool', address: POOL },
      { kind: 'token', address: MINT },
    );
    const changes = {
      pools: [fakePool(), fakePool({ pool: OTHER_POOL })],
      tokens: [fakeToken(), fakeToken({ mint: OTHER_MINT })],
    };
    expect(changedBy(changes)).toEqual([`pool ${POOL}`, `token ${MINT}`]);
    expect(changedBy({})).toEqual([]);
    watched.unwatch({ kind: 'pool', address: POOL, watchId });
    watched.unwatch({ kind: 'token', address: MINT, watchId });
    expect(changedBy(changes)).toEqual([]);
    expect(watched.size).toBe(0);
  });

  test('are read once for merged slots', () => {
    const { watched, changedBy, engine } = watching({ kind: 'pool', address: POOL });
    watched.note({ ...NOTHING, pools: [fakePool()] });
    expect(changedBy({ pools: [fakePool()] })).toEqual([`pool ${POOL}`]);
    expect(engine.asked).toEqual([`pool ${POOL}`]);
  });

  test('include the holders of a mint when a balance changes', () => {
    const { changedBy, engine } = watching({ kind: 'holders', address: MINT });
    const changed = changedBy({ balances: [balanceOf(MINT), balanceOf(OTHER_MINT)] });
    expect(changed).toEqual([`holders ${MINT}`]);
    expect(engine.asked).toEqual([`100 holders ${MINT}`]);
  });

  test('include the holders of a mint when its supply changes, which moves the dust limit', () => {
    const { changedBy, engine } = watching({ kind: 'holders', address: MINT });
    expect(changedBy({ tokens: [fakeToken()] })).toEqual([]);
    engine.supplies.set(MINT, asRawAmount(5n));
    expect(changedBy({ tokens: [fakeToken()] })).toEqual([`holders ${MINT}`]);
    expect(changedBy({ tokens: [fakeToken()] })).toEqual([]);
  });

  test('cost nothing when a slot changes other rows', () => {
    const mints = Array.from({ length: 1_000 }, (_, index) => named(`mint ${index}`));
    const { changedBy, engine } = watching(
      ...mints.map((address) => ({ kind: 'holders', address }) as const),
    );
    expect(changedBy({ balances: [balanceOf(MINT)], pools: [fakePool()] })).toEqual([]);
    expect(engine.asked).toEqual([]);
  });

  test('include pool indicators with every slot, and not without one', () => {
    const { watched, watchId, engine } = watching({ kind: 'indicators', address: POOL });
    const changed = () =>
      watched.takeChanged(engine).map(({ kind, address }) => `${kind} ${address}`);
    expect(changed()).toEqual([]);
    watched.note(NOTHING);
    watched.note(NOTHING);
    expect(changed()).toEqual([`indicators ${POOL}`]);
    expect(changed()).toEqual([]);
    watched.unwatch({ kind: 'indicators', address: POOL, watchId });
    watched.note(NOTHING);
    expect(changed()).toEqual([]);
    expect(watched.size).toBe(0);
  });

  test('stay watched when a copy is dropped while a later answer is in transit', () => {
    const pool = { kind: 'pool', address: POOL } as const;
    const { engine, watched, watchId, changedBy } = watching(pool);
    const later = watched.watch(engine, [pool]);
    watched.unwatch({ ...pool, watchId });
    expect(changedBy({ pools: [fakePool()] })).toEqual([`pool ${POOL}`]);
    watched.unwatch({ ...pool, watchId: later.watchId });
    expect(changedBy({ pools: [fakePool()] })).toEqual([]);
  });

  test('are cleared when the engine is replaced', () => {
    const { watched, changedBy } = watching({ kind: 'pool', address: POOL });
    watched.note({ ...NOTHING, pools: [fakePool()] });
    watched.clear();
    expect(changedBy({ pools: [fakePool()] })).toEqual([]);
  });
});
