/**
 * A few minutes of a market contain every form of pump's instructions since October 2026: counted
 * from the transactions' bytes, without the service's decoders.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import type { SimulatedTransaction } from '../../simulator/chain/simulated-transaction.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { PUMP, PUMP_AMM } from '../../simulator/venues/pump-program.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';

const SLOTS = 1_200;
const SELF_CALL = 'e445a52e51cb9a1d';

/** By program: discriminators of instructions, and of the events it emits by calling itself. */
const FORMS = {
  [PUMP.program]: {
    buy: '66063d1201daebea',
    buy_exact_sol_in: '38fc74089edfcd5f',
    sell: '33e685a4017f83ad',
    buy_v2: 'b817ee6167c5d33d',
    buy_exact_quote_in_v2: 'c2ab1c46684d5b2f',
    sell_v2: '5df6823ce7e940b2',
    buy_v3: '07051dc4f5176550',
    buy_exact_quote_in_v3: 'e1f7501ed5b38488',
    sell_v3: '1c92de7726c469d5',
    sweep_protocol_fee: '0830be07b644b7e5',
    sweep_creator_fee: '20f6bf3408c949ba',
    migrate_v2: 'bbcb121fceedfe29',
    multi_hop_curve_swap: 'e19a7516d756f667',
    PostCompleteBuyEvent: '6fb06d8b316cd5fb',
  },
  [PUMP_AMM.program]: {
    buy: '66063d1201daebea',
    buy_exact_quote_in: 'c62e1552b4d9e870',
    sell: '33e685a4017f83ad',
    buy_v2: 'b817ee6167c5d33d',
    buy_exact_quote_in_v2: 'c2ab1c46684d5b2f',
    sell_v2: '5df6823ce7e940b2',
    init_boost: '8ce9215e845ac28f',
    boost_buy_and_burn: '694406af000723a2',
    multi_hop_swap: '2b644913e9f66f94',
    sweep_protocol_fee: '0830be07b644b7e5',
    sweep_creator_fee: '20f6bf3408c949ba',
  },
} as const;

describe('a market of eight minutes', () => {
  const counts = new Map<string, number>();
  let simulation: Simulation;
  let trades = 0;
  let kept = 0;

  beforeAll(() => {
    simulation = createSimulation({
      ...PRESETS.demo,
      seed: 'forms',
      launchesPerHour: 900,
      otherQuoteShare: 0.2,
      boostEveryMs: 5_000,
      feeSweepEveryMs: 5_000,
    });
    for (let passed = 0; passed < SLOTS; passed++) {
      const transactions = simulation.step()?.block.transactions ?? [];
      const succeeded = transactions.filter(({ error }) => error === null);
      for (const transaction of succeeded) countForms(counts, transaction);
      const traded = succeeded.flatMap(({ facts }) => facts.filter(isPumpTrade));
      trades += traded.length;
      kept += traded.filter(({ keptQuoteRaw }) => keptQuoteRaw > 0n).length;
    }
  });

  test.each(
    Object.entries(FORMS).flatMap(([program, forms]) =>
      Object.entries(forms).map(([name, discriminator]) => ({ program, name, discriminator })),
    ),
  )('has $name of $program', ({ program, discriminator }) => {
    expect(counts.get(`${program} ${discriminator}`) ?? 0).toBeGreaterThan(0);
  });

  test('keeps fees on the curve in most trades, as four of five wallets do', () => {
    expect(trades).toBeGreaterThan(5_000);
    expect(kept / trades).toBeGreaterThan(0.6);
    expect(kept / trades).toBeLessThan(0.95);
  });

  test('has on every curve the rent, the real quote and pending fees, and in the books the kept fees', () => {
    const { truth, world } = simulation;
    let compared = 0;
    for (const { pool } of truth.launches) {
      const account = world.chain.ledger.get(pool);
      const state = account.state as CurveBooks | null;
      if (state === null) continue;
      const waitsRaw = state.protocolFeesRaw + state.creatorFeesRaw;
      const book = truth.pools.get(pool);
      expect(waitsRaw).toBe((book?.keptQuoteRaw ?? 0n) - (book?.sweptQuoteRaw ?? 0n));
      if (book?.quoteMint === WRAPPED_SOL) {
        // Rent of 166 bytes. A complete curve keeps the part of its last purchase beyond the end.
        const ownRaw = state.realQuoteRaw + state.beyondQuoteRaw;
        expect(account.lamports).toBe(2_046_240n + ownRaw + waitsRaw);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});

interface CurveBooks {
  readonly realQuoteRaw: bigint;
  readonly beyondQuoteRaw: bigint;
  readonly protocolFeesRaw: bigint;
  readonly creatorFeesRaw: bigint;
}

type Trade = MarketFact & { readonly kind: 'trade' };

function isPumpTrade(fact: MarketFact): fact is Trade {
  return fact.kind === 'trade' && fact.venue.startsWith('pump');
}

function countForms(
  counts: Map<string, number>,
  { staticKeys, loadedWritable, loadedReadonly, instructions }: SimulatedTransaction,
): void {
  const keys = [...staticKeys, ...loadedWritable, ...loadedReadonly];
  for (const { programIndex, data } of instructions) {
    const head = Buffer.from(data).toString('hex', 0, 16);
    const tag = head.startsWith(SELF_CALL) ? head.slice(16) : head.slice(0, 16);
    const key = `${keys[programIndex]} ${tag}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}
