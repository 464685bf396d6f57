import { describe, expect, it } from 'vitest';
import { aLiquidityChange, sol } from '../../../tests/support/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { findOneSidedPositions } from './liquidity-exits.ts';

const change = (slot: number, baseRaw: number, whole: number, rest: { pool?: string } = {}) => {
  const { pool = 'pool' } = rest;
  const made = aLiquidityChange('p', {
    slot,
    baseRaw: asRawAmount(BigInt(baseRaw)),
    lamports: sol(whole),
  });
  return { ...made, pool: pool as typeof made.pool };
};
const positionsOf = (...changes: ReturnType<typeof change>[]) =>
  findOneSidedPositions(changes, () => true);

describe('one-sided liquidity', () => {
  it('is sold to the extent that it is withdrawn as quote', () => {
    const [position] = positionsOf(change(1, 1_000, 0), change(5, -200, -8));
    expect(position).toMatchObject({ firstSlot: 1, soldRaw: 800n });
    expect(position?.exits.map(({ slot, baseRaw, lamports }) => [slot, baseRaw, lamports])).toEqual(
      [[5, 800n, sol(8)]],
    );
  });

  it('is distributed over withdrawals by their quote', () => {
    const [position] = positionsOf(change(1, 1_000, 0), change(5, 0, -6), change(6, 0, -2));
    expect(position?.exits.map(({ baseRaw }) => baseRaw)).toEqual([750n, 250n]);
  });

  it.each([
    ['no quote was withdrawn', [change(1, 1_000, 0), change(5, -1_000, 0)]],
    ['all tokens were withdrawn', [change(1, 1_000, 0), change(5, -1_000, -1)]],
    ['both sides were deposited', [change(1, 1_000, 10), change(5, -500, -20)]],
    [
      'more than a tenth of the quote was its own',
      [change(1, 1_000, 0), change(2, 0, 1.1), change(5, 0, -10)],
    ],
  ])('is not a position if %s', (_, changes) => {
    expect(positionsOf(...changes)).toEqual([]);
  });

  it('is read per pool, for the given providers', () => {
    const changes = [change(1, 1_000, 0), change(5, 0, -6, { pool: 'other' })];
    expect(positionsOf(...changes)).toEqual([]);
    const own = [change(1, 1_000, 0), change(5, 0, -6)];
    expect(findOneSidedPositions(own, () => false)).toEqual([]);
  });
});
