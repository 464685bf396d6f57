/**
 * The results of the service after a simulated run, compared with the simulation's own books:
 * balances from its ledger, trades from its venues' arithmetic. Neither depends on the decoders or
 * the engine.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import type { SimulatedTransaction } from '../../simulator/chain/simulated-transaction.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { underlying } from '../../simulator/venues/path-market.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

const SLOTS = 1_500;

/** Sums of one pool's trades, by the definitions of METHODS §0.9 and §4. */
interface PoolBook {
  swaps: number;
  quoteRaw: bigint;
  buys: number;
  sells: number;
  readonly traders: Set<Address>;
}

type Trade = MarketFact & { readonly kind: 'trade' };

describe('after a simulated run', () => {
  const books = new Map<Address, PoolBook>();
  const problems: string[] = [];
  const engine = new Engine({ fallbackSolUsd: null });
  let simulation: Simulation;
  let transactions = 0;

  beforeAll(() => {
    simulation = createSimulation({
      ...PRESETS.demo,
      seed: 'ledger',
      qualityPower: PRESETS.market.qualityPower,
      forkRate: 0.01,
      poolLaunchesPerHour: 200,
    });
    for (let passed = 0; passed < SLOTS; passed++) {
      const step = simulation.step();
      if (step?.isCanonical !== true) continue;
      for (const transaction of step.block.transactions) bookTrades(books, transaction);
      const decoded = decodeBlock(toChainBlock(step.block));
      transactions += decoded.transactions.length;
      for (const { program, problem, reason } of decoded.problems) {
        problems.push(`${program} ${problem}: ${reason}`);
      }
      engine.apply(decoded);
    }
  });

  test('the market has enough trades for the comparison', () => {
    expect(simulation.truth.launches.length).toBeGreaterThan(20);
    expect(transactions).toBeGreaterThan(3_000);
    expect(simulation.truth.failed).toBeGreaterThan(10);
  });

  test('tokens of all kinds were traded: launched on curves and in pools, some with a transfer fee', () => {
    const { ledger } = simulation.world.chain;
    const mints = tradedMints(simulation);
    expect(mints.length).toBeGreaterThan(simulation.truth.launches.length + 10);
    const taxed = mints.filter((mint) => ledger.mint(mint).transferFee !== null);
    expect(taxed.length).toBeGreaterThan(1);
  });

  test('no instruction was unknown, malformed or quarantined', () => {
    expect(problems).toEqual([]);
    for (const outcomes of Object.values(engine.counters.outcomes)) {
      expect(outcomes).toMatchObject({ unknown: 0, malformed: 0, quarantined: 0 });
    }
  });

  test('every stored slot follows the previous one', () => {
    expect(engine.isComplete).toBe(true);
  });

  test('holders of every token equal those of the ledger, to the last unit', () => {
    for (const mint of tradedMints(simulation)) {
      const found = engine
        .topHolders(mint, 100_000)
        .map(({ owner, balanceRaw }) => [owner, balanceRaw]);
      const { supplyRaw } = simulation.world.chain.ledger.mint(mint);
      expect([mint, sorted(found)]).toEqual([mint, sorted(holdersOf(simulation, mint, supplyRaw))]);
    }
  });

  test('supplies and authorities equal those of the ledger', () => {
    for (const mint of tradedMints(simulation)) {
      const { supplyRaw, mintAuthority, freezeAuthority } =
        simulation.world.chain.ledger.mint(mint);
      expect(engine.token(mint)).toMatchObject({ supplyRaw, mintAuthority, freezeAuthority });
    }
  });

  test('reserves of every pool equal its vaults', () => {
    for (const market of marketsOf(simulation)) {
      const { baseRaw, quoteRaw } = market.reserves(simulation.world.chain.ledger);
      const { reserves } = engine.pool(market.pool) ?? {};
      expect([market.pool, reserves?.base, reserves?.quote]).toEqual([
        market.pool,
        baseRaw,
        quoteRaw,
      ]);
    }
  });

  test('swaps, volumes, buys, sells and wallets of every pool equal the counts of its venue', () => {
    const tokens = new Set(tradedMints(simulation));
    let compared = 0;
    for (const [pool, book] of books) {
      const record = engine.pool(pool);
      expect([pool, record?.swapCount, record?.quoteVolumeRaw]).toEqual([
        pool,
        book.swaps,
        book.quoteRaw,
      ]);
      if (record === null || !tokens.has(record.baseMint)) continue;
      compared++;
      expect([pool, record.buyCount, record.sellCount, record.walletCount]).toEqual([
        pool,
        book.buys,
        book.sells,
        book.traders.size,
      ]);
    }
    expect(compared).toBeGreaterThan(20);
  });
});

/** Owners with the sum of their accounts, without dust (METHODS §1). */
function holdersOf({ world }: Simulation, mint: Address, supplyRaw: bigint): [Address, bigint][] {
  const byOwner = new Map<Address, bigint>();
  for (const [, { token }] of world.chain.ledger.entries()) {
    if (token?.mint !== mint) continue;
    byOwner.set(token.owner, (byOwner.get(token.owner) ?? 0n) + token.amountRaw);
  }
  const least = supplyRaw / 1_000_000_000n > 1n ? supplyRaw / 1_000_000_000n : 1n;
  return [...byOwner].filter(([, amountRaw]) => amountRaw >= least);
}

function marketsOf(simulation: Simulation) {
  const { world } = simulation;
  return tradedMints(simulation)
    .flatMap((mint) => world.marketsOf(mint).map(underlying))
    .filter((market) => market.isOpen(world.chain.ledger));
}

/** Every token that was launched or traded, except SOL. */
function tradedMints({ truth }: Simulation): Address[] {
  const launched = truth.launches.map(({ mint }) => mint);
  const traded = [...truth.pools.values()].map(({ baseMint }) => baseMint);
  return [...new Set([...launched, ...traded])].filter((mint) => mint !== WRAPPED_SOL);
}

function sorted(holders: readonly (readonly [Address, bigint] | (Address | bigint)[])[]): string[] {
  return holders.map(([owner, amount]) => `${owner} ${amount}`).sort();
}

/**
 * Adds one transaction's trades. A mint that only passed through its trader is no trade: the trader
 * got it in one swap, as base or quote, and spent it in another, and its holding is unchanged.
 * Purchases of a protocol itself have no trader.
 */
function bookTrades(books: Map<Address, PoolBook>, transaction: SimulatedTransaction): void {
  const trades = transaction.facts.filter((fact) => fact.kind === 'trade');
  const nets = new Map<string, bigint>();
  for (const trade of trades) {
    const book = bookOf(books, trade.pool);
    book.swaps++;
    book.quoteRaw += trade.quoteRaw;
    const kind = kindOf(transaction, trade, trades);
    if (trade.trader !== null && kind !== 'hop') book.traders.add(trade.trader);
    if (kind !== 'trade') continue;
    const key = `${trade.pool} ${trade.trader}`;
    nets.set(key, (nets.get(key) ?? 0n) + signedBase(trade));
  }
  for (const [key, net] of nets) {
    const book = bookOf(books, key.split(' ')[0] as Address);
    if (net > 0n) book.buys++;
    if (net < 0n) book.sells++;
  }
}

function kindOf(
  transaction: SimulatedTransaction,
  trade: Trade,
  trades: readonly Trade[],
): 'trade' | 'hop' | 'roundTrip' {
  if (trade.trader === null) return 'trade';
  const legs = legsOf(trade.trader, trade.baseMint, trades);
  if (!passesThrough(transaction, trade, legs)) return 'trade';
  return new Set(legs.map(({ pool }) => pool)).size > 1 ? 'hop' : 'roundTrip';
}

/** Change of a trader's holding of one mint by one trade. */
interface Leg {
  readonly pool: Address;
  readonly isReceived: boolean;
  readonly amountRaw: bigint;
}

function legsOf(trader: Address, mint: Address, trades: readonly Trade[]): Leg[] {
  return trades
    .filter((trade) => trade.trader === trader)
    .flatMap(({ pool, side, baseMint, quoteMint, baseRaw, quoteRaw }) => [
      ...(baseMint === mint ? [{ pool, isReceived: side === 'buy', amountRaw: baseRaw }] : []),
      ...(quoteMint === mint ? [{ pool, isReceived: side === 'sell', amountRaw: quoteRaw }] : []),
    ]);
}

/**
 * According to the ledger at most a thousandth of the inflow and outflow is left (METHODS §0.9).
 */
function passesThrough(
  { tokenBalances }: SimulatedTransaction,
  { trader, baseMint }: Trade,
  legs: readonly Leg[],
): boolean {
  if (new Set(legs.map(({ isReceived }) => isReceived)).size < 2) return false;
  const left = tokenBalances
    .filter(({ owner, mint }) => owner === trader && mint === baseMint)
    .reduce((sum, { beforeRaw, afterRaw }) => sum + (afterRaw ?? 0n) - (beforeRaw ?? 0n), 0n);
  const gross = legs.reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
  return (left < 0n ? -left : left) * 1_000n <= gross;
}

function signedBase({ side, baseRaw }: Trade): bigint {
  return side === 'buy' ? baseRaw : -baseRaw;
}

function bookOf(books: Map<Address, PoolBook>, pool: Address): PoolBook {
  let book = books.get(pool);
  if (book === undefined) {
    book = { swaps: 0, quoteRaw: 0n, buys: 0, sells: 0, traders: new Set() };
    books.set(pool, book);
  }
  return book;
}
