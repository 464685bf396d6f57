import { describe, expect, test } from 'vitest';
import { balanceChange, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { fold, launch, mint, pool, second } from '../../../tests/support/master-fixture.ts';
import type { TokenLock } from '../../model/chain-event.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import { type Address, asAddress, asRawAmount } from '../../model/units.ts';

const INCINERATOR = asAddress('1nc1nerator11111111111111111111111111111111');
const ann = address('ann');
const bob = address('bob');
const locker = address('locker');
const escrow = address('escrow');

const held = (owner: Address, account: Address, amountRaw: bigint) =>
  balanceChange(owner, 0n, amountRaw, { account });

const lock: TokenLock = {
  kind: 'tokenLock',
  outerIx: 0,
  innerIx: -1,
  locker: 'streamflow',
  escrow,
  mint,
  owner: ann,
  escrowDelta: asRawAmount(400_000_000_000n),
  terms: null,
};

describe('pages of holders', () => {
  const { engine } = fold([
    second(0, launch()),
    second(
      1,
      transactionFacts({
        txIndex: 0,
        events: [lock],
        tokenBalances: [
          held(ann, address('ann account'), 9_000_000_000n),
          held(bob, address('bob account'), 9_000_000_000n),
          held(locker, escrow, 400_000_000_000n),
          held(INCINERATOR, address('burned'), 7_000_000_000n),
        ],
      }),
    ),
  ]);

  test('list pools, lockers and burn addresses, but do not count them', () => {
    const page = engine.holderPage({ mint, after: null, limit: 100 });
    const kinds = new Map(page.holders.map(({ owner, holderKind }) => [owner, holderKind]));
    expect([ann, bob, locker, INCINERATOR, pool].map((owner) => kinds.get(owner))).toEqual([
      'wallet',
      'wallet',
      'locker',
      'burn',
      'pool',
    ]);
    expect(page.count).toBe([...kinds.values()].filter((kind) => kind === 'wallet').length);
    expect(page.next).toBeNull();
  });

  test('together list every holder once, largest first, for any page size', () => {
    const whole = engine.holderPage({ mint, after: null, limit: 100 }).holders;
    expect(whole).toEqual(
      [...whole].sort((one, other) =>
        one.balanceRaw === other.balanceRaw
          ? one.owner < other.owner
            ? -1
            : 1
          : Number(other.balanceRaw - one.balanceRaw),
      ),
    );
    for (const limit of [1, 2, 3, whole.length]) {
      const read: unknown[] = [];
      let after: HolderCursor | null = null;
      do {
        const page = engine.holderPage({ mint, after, limit });
        expect(page.holders.length).toBeLessThanOrEqual(limit);
        read.push(...page.holders);
        after = page.next;
      } while (after !== null);
      expect(read).toEqual(whole);
    }
  });

  test('are empty for a mint without holders', () => {
    expect(engine.holderPage({ mint: ann, after: null, limit: 5 })).toEqual({
      holders: [],
      count: 0,
      next: null,
    });
  });
});
