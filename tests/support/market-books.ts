import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import type { SimulationConfig } from '../../simulator/simulation-config.ts';
import type { Address } from '../../src/model/units.ts';

export type BookedTrade = MarketFact & { readonly kind: 'trade' };

/** What the venues of a simulated market have recorded themselves, as of a slot. */
export interface MarketBooks {
  /** Trades in canonical blocks by pool, oldest first, with their slots. */
  readonly trades: ReadonlyMap<Address, readonly { readonly slot: number; trade: BookedTrade }[]>;
  /** Raw holdings of a pool. */
  reservesOf(mint: Address, pool: Address): { readonly baseRaw: bigint; readonly quoteRaw: bigint };
}

/**
 * The newest confirmed slot of a served market after its node has advanced this many slots: the
 * newest canonical block before the tip.
 */
export function confirmedSlotAfter(config: SimulationConfig, slots: number): number {
  const simulation = createSimulation(config);
  let first: ChainStep | null = null;
  while (first === null) first = simulation.step();
  const steps = [first];
  for (let passed = 0; passed < slots; passed++) {
    const step = simulation.step();
    if (step !== null) steps.push(step);
  }
  const tip = steps.at(-1)?.block.slot ?? 0;
  return (
    steps.findLast(({ isCanonical, block }) => isCanonical && block.slot < tip)?.block.slot ?? 0
  );
}

/** Runs the same market again, up to and including a canonical slot. */
export function booksAsOf(config: SimulationConfig, slot: number): MarketBooks {
  const simulation = createSimulation(config);
  const trades = new Map<Address, { slot: number; trade: BookedTrade }[]>();
  for (let step: ChainStep | null = null; !isAt(step, slot); ) {
    step = simulation.step();
    if (step === null || !step.isCanonical) continue;
    for (const { facts } of step.block.transactions) {
      for (const trade of facts) {
        if (trade.kind !== 'trade') continue;
        const booked = trades.get(trade.pool) ?? [];
        booked.push({ slot: step.block.slot, trade });
        trades.set(trade.pool, booked);
      }
    }
  }
  return { trades, reservesOf: (mint, pool) => reservesIn(simulation, mint, pool) };
}

function isAt(step: ChainStep | null, slot: number): boolean {
  if (step !== null && step.block.slot > slot) throw new RangeError(`slot ${slot} has no block`);
  return step?.isCanonical === true && step.block.slot === slot;
}

function reservesIn({ world }: Simulation, mint: Address, pool: Address) {
  const market = world.marketsOf(mint).find((each) => each.pool === pool);
  if (market === undefined) throw new RangeError(`the market has no pool ${pool} of ${mint}`);
  return market.reserves(world.chain.ledger);
}
