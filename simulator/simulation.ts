import type { Address } from '../src/model/units.ts';
import { Chain } from './chain/chain.ts';
import { Keyring } from './chain/keyring.ts';
import { SlotSchedule } from './chain/slot-schedule.ts';
import { Validators } from './chain/votes.ts';
import { commonLookupTables } from './market/common-accounts.ts';
import { createGenesis, type Genesis } from './market/genesis.ts';
import { LaunchStream } from './market/launch-stream.ts';
import { PricePath } from './market/price-path.ts';
import { SolPriceKeeper } from './market/sol-price-keeper.ts';
import { type ChainStep, World } from './market/world.ts';
import { Crowd } from './people/crowd.ts';
import { Exchanges } from './people/exchanges.ts';
import { Random } from './random.ts';
import { ScenarioStream } from './scenarios/scenario-stream.ts';
import type { SimulationConfig } from './simulation-config.ts';
import { TruthBook } from './truth/truth-book.ts';

/** A market that runs: the same configuration gives the same steps. */
export interface Simulation {
  readonly world: World;
  readonly truth: TruthBook;
  /** What a SOL is worth at a time inside the slot that is passing, in dollars. */
  readonly solUsd: PricePath;
  /** Lets one slot pass; null when it brings no block. */
  step(): ChainStep | null;
}

const SOL_PRICE = {
  startUsd: 180,
  yearlyVolatility: 0.8,
  jumpsPerDay: 4,
  jumpSize: 0.02,
} as const;
const PRICE_TRADE_EVERY_MS = 5_000;
/** A schedule needs several leaders also where nobody votes. */
const LEADERS_MIN = 4;

export function createSimulation(config: SimulationConfig): Simulation {
  const random = new Random(`simulation/${config.seed}`);
  const truth = new TruthBook();
  const world = createWorld(config, random, truth);
  const solUsd = new PricePath(random.fork('sol'), { startMs: config.startMs, ...SOL_PRICE });
  const genesis = createGenesis({
    keyring: world.keyring,
    tokenAccounts: world.tokenAccounts,
    ledger: world.chain.ledger,
    clock: { slot: config.firstSlot, unixTime: Math.floor(config.startMs / 1_000) },
    tables: world.chain.tables,
    solUsd: SOL_PRICE.startUsd,
  });
  for (const pool of genesis.solUsdcPools) world.addMarket(pool);
  keepSolPrice(world, random, genesis, solUsd);
  fillMarket(config, world, random, genesis.exchanges);
  return { world, truth, solUsd, step: () => world.step() };
}

function createWorld(config: SimulationConfig, random: Random, truth: TruthBook): World {
  const keyring = new Keyring(random);
  const tables = commonLookupTables(keyring);
  const chain = new Chain(keyring, new Keyring(random.fork('blocks')), config.firstSlot, tables);
  const validators = new Validators(chain, random.fork('validators'), config.votesPerBlock);
  const leaders = [...validators.identities];
  while (leaders.length < LEADERS_MIN) leaders.push(keyring.wallet());
  const schedule = new SlotSchedule(random.fork('schedule'), {
    firstSlot: config.firstSlot,
    startMs: config.startMs,
    paces: [
      { fromSlot: 0, slotMs: config.slotMs },
      { fromSlot: Math.max(config.laterFromSlot, 1), slotMs: config.laterSlotMs },
    ],
    leaders,
    skipRate: config.skipRate,
  });
  return new World({
    chain,
    schedule,
    random: random.fork('world'),
    truth,
    blockCapacity: config.blockCapacity,
    forks: { rate: config.forkRate, maxLength: config.forkSlotsMax },
    extraGroups: (slot) => validators.votes(slot),
  });
}

function keepSolPrice(world: World, random: Random, genesis: Genesis, path: PricePath): void {
  new SolPriceKeeper(world, {
    wallet: genesis.priceKeeper,
    pools: genesis.solUsdcPools,
    path,
    random: random.fork('price keeper'),
    everyMs: PRICE_TRADE_EVERY_MS,
  }).start();
}

function fillMarket(
  config: SimulationConfig,
  world: World,
  random: Random,
  hotWallets: readonly Address[],
): void {
  const exchanges = new Exchanges(world, { hotWallets, bridges: [] });
  const crowd = new Crowd(world, exchanges, config.people);
  new LaunchStream({
    world,
    random: random.fork('launches'),
    exchanges,
    crowd,
    perHour: config.launchesPerHour,
  }).start();
  new ScenarioStream({
    place: { world, exchanges, crowd },
    random: random.fork('scenarios'),
    attacksPerHour: config.attacksPerHour,
    benignPerHour: config.benignPerHour,
  }).start();
}
