import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/model/units.ts';
import { ATTACK_CASES, playAttack } from '../../../tests/support/attack-runs.ts';
import { sumOf } from '../../../tests/support/scenario-record.ts';

const SUPPLY = 10n ** 15n;
const WINDOW_MS = 600_000;

/** METHODS §7.7, from the decoded raw blocks. */
describe.each(ATTACK_CASES)('a coordinated exit, %s, seed %s', (difficulty, seed) => {
  const { record, label, knobs, of, run } = playAttack('coordinated_exit', difficulty, seed);
  const { mint, startSlot, endSlot } = label;
  const crew = of('attacker', 'unknown', 'intermediary');
  const heldBefore = record.held(crew, mint, startSlot - 1);
  const swaps = record.swaps(mint);
  const exits = swaps.filter(
    ({ trader, side, slot }) =>
      crew.has(trader) && side === 'sell' && slot >= startSlot && slot <= endSlot,
  );
  const pool = exits[0]?.pool;
  if (pool === undefined) throw new Error('the crew has sold nothing');
  const removals = record
    .liquidity(pool)
    .filter(({ provider, poolQuoteDelta }) => crew.has(provider) && poolQuoteDelta < 0n);

  it('is by a crew that holds at least 5 % of the supply in three wallets', () => {
    expect(heldBefore * 20n).toBeGreaterThanOrEqual(SUPPLY);
    const holders = [...crew].filter(
      (wallet) => record.held(new Set([wallet]), mint, startSlot - 1) > 0n,
    );
    expect(holders.length).toBeGreaterThanOrEqual(3);
  });

  it("sells at least 60 % of its wallets' holdings, or the liquidity, within ten minutes", () => {
    const soldRaw = sumOf(exits, ({ baseRaw }) => baseRaw);
    const liquid = knobs.liquidityExit === 'none' ? heldOfWallets() : soldRaw;
    expect(soldRaw * 10n).toBeGreaterThanOrEqual(liquid * 6n);
    expect(record.timeOf(endSlot) - record.timeOf(startSlot)).toBeLessThan(WINDOW_MS);
  });

  /** Without the holding of the creator of a pool. */
  function heldOfWallets(): bigint {
    return record.held(of('unknown', 'intermediary'), mint, startSlot - 1);
  }

  it('takes at least a fifth of the quote out of the pool, or lowers the price by 40 %', () => {
    const before = swaps.filter((swap) => swap.pool === pool && swap.slot < startSlot);
    const added = record.liquidity(pool).filter(({ slot }) => slot < startSlot);
    const traded = sumOf(before, ({ side, quoteRaw }) => (side === 'buy' ? quoteRaw : -quoteRaw));
    const created = poolQuoteAtCreation(pool);
    const inPool = traded + created + sumOf(added, ({ poolQuoteDelta }) => poolQuoteDelta);
    const sold = sumOf(exits, ({ quoteRaw }) => quoteRaw);
    const takenOut = sold - sumOf(removals, ({ poolQuoteDelta }) => poolQuoteDelta);
    expect(takenOut * 5n).toBeGreaterThanOrEqual(inPool);
  });

  function poolQuoteAtCreation(address: Address): bigint {
    for (const { events } of record.transactions) {
      for (const event of events) {
        if (event.kind === 'poolCreated' && event.pool === address) return event.quoteRaw;
      }
    }
    return 0n;
  }

  it('uses the exit route of the knobs', () => {
    expect(removals.length > 0).toBe(knobs.liquidityExit !== 'none');
    const sellers = new Set(exits.map(({ trader }) => trader));
    if (knobs.forwardsToOneSeller) {
      expect(sellers.size).toBe(1);
      const forwarders = of('intermediary');
      const [seller] = [...sellers];
      const forwarded = record
        .tokenTransfers(mint)
        .filter(
          ({ fromOwner, toOwner }) =>
            toOwner === seller && fromOwner !== null && forwarders.has(fromOwner),
        );
      expect(forwarded.length).toBeGreaterThanOrEqual(3);
    } else expect(sellers.size).toBeGreaterThanOrEqual(3);
  });

  it('is not a general sell-off: few others sell at the same time', () => {
    const strangers = new Set(
      swaps
        .filter(({ slot }) => slot < startSlot)
        .map(({ trader }) => trader)
        .filter((trader) => !label.roles.has(trader)),
    );
    const firstMs = record.timeOf(startSlot);
    const lastCrewMs = exits.at(-1)?.timeMs ?? firstMs;
    expect(strangers.size).toBeGreaterThanOrEqual(10);
    expect(lastCrewMs).toBeGreaterThanOrEqual(firstMs);
    expect(run.labels.attacks).toHaveLength(1);
  });
});
