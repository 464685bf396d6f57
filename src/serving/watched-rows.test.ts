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
import type { HolderBalance } from '../model/derived.ts';
import type { Address, RawAmount } from '../model/units.ts';
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
  test('are those that a slot changed, once each, and only while they are watched', () => {
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

  test('are read once for slots that are told together', () => {
    const { watched, changedBy, engine } = watching({ kind: 'pool', address: POOL });
    watched.note({ ...NOTHING, pools: [fakePool()] });
    expect(changedBy({ pools: [fakePool()] })).toEqual([`pool ${POOL}`]);
    expect(engine.asked).toEqual([`pool ${POOL}`]);
  });

  test('are a mint’s holders when somebody holds more or less of it', () => {
    const { changedBy, engine } = watching({ kind: 'holders', address: MINT });
    const changed = changedBy({ balances: [balanceOf(MINT), balanceOf(OTHER_MINT)] });
    expect(changed).toEqual([`holders ${MINT}`]);
    expect(engine.asked).toEqual([`100 holders ${MINT}`]);
  });

  test('are a mint’s holders when its supply is another, which moves what is dust', () => {
    const { changedBy, engine } = watching({ kind: 'holders', address: MINT });
    expect(changedBy({ tokens: [fakeToken()] })).toEqual([]);
    engine.supplies.set(MINT, 5n as RawAmount);
    expect(changedBy({ tokens: [fakeToken()] })).toEqual([`holders ${MINT}`]);
    expect(changedBy({ tokens: [fakeToken()] })).toEqual([]);
  });

  test('cost nothing where a slot changes others', () => {
    const mints = Array.from({ length: 1_000 }, (_, index) => `mint ${index}` as Address);
    const { changedBy, engine } = watching(
      ...mints.map((address) => ({ kind: 'holders', address }) as const),
    );
    expect(changedBy({ balances: [balanceOf(MINT)], pools: [fakePool()] })).toEqual([]);
    expect(engine.asked).toEqual([]);
  });

  test('are figures of pools with every slot, whatever it changed, and not without one', () => {
    const { watched, watchId, engine } = watching({ kind: 'indicators', address: POOL });
    const told = () => watched.takeChanged(engine).map(({ kind, address }) => `${kind} ${address}`);
    expect(told()).toEqual([]);
    watched.note(NOTHING);
    watched.note(NOTHING);
    expect(told()).toEqual([`indicators ${POOL}`]);
    expect(told()).toEqual([]);
    watched.unwatch({ kind: 'indicators', address: POOL, watchId });
    watched.note(NOTHING);
    expect(told()).toEqual([]);
    expect(watched.size).toBe(0);
  });

  test('stay watched when a copy is let go while a later answer is on its way', () => {
    const pool = { kind: 'pool', address: POOL } as const;
    const { engine, watched, watchId, changedBy } = watching(pool);
    const later = watched.watch(engine, [pool]);
    watched.unwatch({ ...pool, watchId });
    expect(changedBy({ pools: [fakePool()] })).toEqual([`pool ${POOL}`]);
    watched.unwatch({ ...pool, watchId: later.watchId });
    expect(changedBy({ pools: [fakePool()] })).toEqual([]);
  });

  test('are none once everything is another', () => {
    const { watched, changedBy } = watching({ kind: 'pool', address: POOL });
    watched.note({ ...NOTHING, pools: [fakePool()] });
    watched.clear();
    expect(changedBy({ pools: [fakePool()] })).toEqual([]);
  });
});
