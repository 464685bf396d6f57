import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { PumpStage, SOL } from '../../tests/support/pump-stage.ts';
import { ensureTokenAccount, wrapLamports } from '../programs/associated-token.ts';
import type { Market } from './market.ts';
import { type PlannedPumpLaunch, planPumpLaunch } from './pump-launch.ts';

const TEXT = { name: 'Random', symbol: 'RND', uri: 'https://example.org/r.json' };
const WALLETS = 3;
const START = 400n * SOL;

interface Step {
  readonly wallet: number;
  readonly side: Side;
  readonly lamports: bigint;
  /** Of the wallet's balance, in thousandths; above a thousand the request exceeds the balance. */
  readonly perMille: bigint;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    wallet: fc.nat(WALLETS - 1),
    side: fc.constantFrom<Side>('buy', 'sell'),
    lamports: fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(1_000n, 20n * SOL)),
    perMille: fc.bigInt(0n, 1_050n),
  }),
  { minLength: 5, maxLength: 25 },
);

class Crowd {
  readonly stage = new PumpStage('crowd');
  readonly launch: PlannedPumpLaunch;
  readonly creator = this.stage.wallet(START);
  readonly wallets: readonly Address[];
  traded = 0;

  constructor() {
    const { stage, creator } = this;
    const others = Array.from({ length: WALLETS - 1 }, () => stage.wallet(START));
    this.wallets = [creator, ...others];
    this.launch = planPumpLaunch(stage, creator, TEXT);
    stage.succeed(creator, (execution) => this.launch.create(execution), this.launch.createSigners);
    for (const wallet of this.wallets) {
      stage.succeed(wallet, (execution) => {
        ensureTokenAccount(execution, stage.tokenAccounts, wallet, wallet, this.launch.mint);
        wrapLamports(execution, stage.tokenAccounts, wallet, 150n * SOL);
      });
    }
  }

  held(wallet: Address, mint: Address): bigint {
    const { ledger, tokenAccounts } = this.stage;
    return ledger.token(tokenAccounts.of(wallet, mint)).amountRaw;
  }

  /** Trades, and compares the output with the previous quote. */
  trade(market: Market, { wallet: index, side, lamports, perMille }: Step): void {
    const { stage } = this;
    const trader = this.wallets[index] ?? this.creator;
    const base = this.held(trader, market.baseMint);
    const amountInRaw = side === 'buy' ? lamports : (base * perMille) / 1_000n;
    const quoted = market.quote(stage.ledger, side, amountInRaw);
    const before = { base, quote: this.quoteOf(market, trader) };
    const { error, feeLamports } = stage.run(trader, (execution) =>
      market.swap(execution, { trader, side, amountInRaw, minOutRaw: 0n }),
    );
    if (error !== null) {
      const available = side === 'buy' ? before.quote - feeLamports : base;
      expect(quoted === 0n || amountInRaw > available).toBe(true);
      return;
    }
    this.traded++;
    const gained = {
      base: this.held(trader, market.baseMint) - before.base,
      quote: this.quoteOf(market, trader) - before.quote,
    };
    if (market.takesLamports) gained.quote += feeLamports;
    expect(side === 'buy' ? gained.base : gained.quote).toBe(quoted);
    const paid = side === 'buy' ? -gained.quote : -gained.base;
    expect(paid).toBeLessThanOrEqual(amountInRaw);
  }

  private quoteOf(market: Market, trader: Address): bigint {
    return market.takesLamports
      ? this.stage.ledger.get(trader).lamports
      : this.held(trader, market.quoteMint);
  }

  /** Nothing is negative or lost, and the venue's accounting agrees with its accounts. */
  check(): void {
    const { stage, launch } = this;
    const { ledger } = stage;
    for (const [, { lamports, token }] of ledger.entries()) {
      expect(lamports).toBeGreaterThanOrEqual(0n);
      if (token !== null) expect(token.amountRaw).toBeGreaterThanOrEqual(0n);
    }
    expect(stage.lamportsInAll()).toBe(BigInt(WALLETS) * START + 1n);
    expect(stage.tokensInAll(launch.mint)).toBe(10n ** 15n);
    if (launch.migratedPool.isOpen(ledger)) return;
    const { curve } = launch;
    const { baseRaw, quoteRaw } = curve.reserves(ledger);
    expect(ledger.token(curve.vault).amountRaw).toBe(baseRaw + 206_900_000_000_000n);
    const state = curve.state(ledger);
    const keptRaw = (state?.protocolFeesRaw ?? 0n) + (state?.creatorFeesRaw ?? 0n);
    // Rent of 166 bytes, by the table of the runtime: (128 + 166) * 6,960.
    expect(ledger.get(curve.pool).lamports).toBe(quoteRaw + keptRaw + 2_046_240n);
  }
}

describe('random trades', () => {
  /** Over all runs; a test in which every trade fails would prove nothing. */
  let traded = 0;
  beforeEach(() => {
    traded = 0;
  });
  afterEach(() => expect(traded).toBeGreaterThan(80));

  it('on a curve give what was quoted, and lose nothing', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const crowd = new Crowd();
        for (const step of taken) crowd.trade(crowd.launch.curve, step);
        crowd.check();
        traded += crowd.traded;
        expect(crowd.stage.decode().problems).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('in a migrated pool give what was quoted, and lose nothing', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const crowd = new Crowd();
        const { stage, launch, creator } = crowd;
        const buyAll: Step = { wallet: 0, side: 'buy', lamports: 100n * SOL, perMille: 0n };
        crowd.trade(launch.curve, buyAll);
        stage.succeed(creator, (execution) => launch.migrate(execution, creator));
        let product = 0n;
        for (const step of taken) {
          crowd.trade(launch.migratedPool, step);
          const { baseRaw, quoteRaw } = launch.migratedPool.reserves(stage.ledger);
          expect(baseRaw * quoteRaw).toBeGreaterThanOrEqual(product);
          product = baseRaw * quoteRaw;
        }
        crowd.check();
        traded += crowd.traded;
        expect(stage.decode().problems).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
