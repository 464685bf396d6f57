import { Chain } from '../../simulator/chain/chain.ts';
import { Keyring } from '../../simulator/chain/keyring.ts';
import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import { SlotSchedule } from '../../simulator/chain/slot-schedule.ts';
import { createGenesis } from '../../simulator/market/genesis.ts';
import { type LaunchedToken, launchToken } from '../../simulator/market/launch-token.ts';
import { World } from '../../simulator/market/world.ts';
import { BEHAVIOURS, type Behaviour } from '../../simulator/people/behaviour-names.ts';
import { Crowd } from '../../simulator/people/crowd/crowd.ts';
import { Exchanges } from '../../simulator/people/exchanges.ts';
import { endow } from '../../simulator/people/wallets.ts';
import { Random } from '../../simulator/random/random.ts';
import type { SimulationConfig } from '../../simulator/simulation-config.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { TruthBook } from '../../simulator/truth/truth-book.ts';
import { planPumpLaunch } from '../../simulator/venues/pump-launch.ts';
import type { Address } from '../../src/model/units.ts';

export const SOL = 1_000_000_000n;
const START_MS = Date.UTC(2026, 0, 1);
const CREATOR_LAMPORTS = 50n * SOL;

/** A market with exchanges, SOL pools and the kinds of people that a test requests. */
export class PeopleMarket {
  readonly world: World;
  readonly crowd: Crowd;
  readonly exchanges: readonly Address[];
  readonly random: Random;
  readonly launches: LaunchedToken[] = [];
  /** Canonical blocks. */
  readonly blocks: SimulatedBlock[] = [];
  private readonly keepsBlocks: boolean;

  constructor(
    seed: string,
    people: Partial<Record<Behaviour, number>> = PRESETS.market.people,
    options: { readonly keepsBlocks?: boolean; readonly forkRate?: number } = {},
  ) {
    const random = new Random(seed);
    this.random = random.fork('test');
    this.keepsBlocks = options.keepsBlocks ?? true;
    const keyring = new Keyring(random);
    const blockhashes = new Keyring(random.fork('blockhashes'));
    const firstSlot = 1_000;
    const chain = new Chain(keyring, blockhashes, firstSlot, []);
    const schedule = new SlotSchedule(random.fork('slots'), {
      firstSlot,
      startMs: START_MS,
      paces: [],
      leaders: [keyring.wallet()],
      skipRate: options.forkRate === undefined ? 0 : 0.02,
    });
    this.world = new World({
      chain,
      schedule,
      random: random.fork('world'),
      truth: new TruthBook(),
      blockCapacity: 1_200,
      forks: { rate: options.forkRate ?? 0, maxLength: 3 },
    });
    const genesis = createGenesis({
      ledger: chain.ledger,
      keyring,
      tokenAccounts: this.world.tokenAccounts,
      clock: { slot: firstSlot - 1, unixTime: START_MS / 1_000 },
      tables: [],
      solUsd: 200,
    });
    this.exchanges = genesis.exchanges;
    const wallets = { hotWallets: genesis.exchanges, bridges: [] };
    this.crowd = new Crowd(this.world, new Exchanges(this.world, wallets), everyKind(people));
  }

  /** Launches `count` tokens, evenly over the given slots, with qualities evenly over a range. */
  planLaunches(count: number, slots: number, qualities: readonly [number, number] = [0, 1]): void {
    const { world, random } = this;
    const qualityOf = (index: number): number =>
      qualities[0] + ((qualities[1] - qualities[0]) * (index + 0.5)) / count;
    const order = random.shuffle(Array.from({ length: count }, (_, index) => qualityOf(index)));
    const creators = Array.from({ length: count }, () => world.keyring.wallet());
    for (const creator of creators) endow(world, creator, CREATOR_LAMPORTS);
    creators.forEach((creator, index) => {
      const afterMs = Math.round(((index + random.unit()) * slots * 400) / count);
      world.at(START_MS + afterMs, () => this.launch(creator, order[index] as number));
    });
  }

  /** Before the first slot: one launch after the other, each by a wallet that can afford it. */
  planLaunch(afterMs: number, quality: number, creatorBuyLamports: bigint): void {
    const creator = this.world.keyring.wallet();
    endow(this.world, creator, CREATOR_LAMPORTS + creatorBuyLamports);
    this.world.after(afterMs, () => this.launch(creator, quality, creatorBuyLamports));
  }

  launch(
    creator: Address,
    quality: number,
    creatorBuyLamports = this.random.chance(0.5) ? SOL / 2n : 0n,
  ): LaunchedToken {
    const { world, crowd, random } = this;
    const text = { name: `Token ${this.launches.length}`, symbol: 'TKN', uri: 'https://a.test/' };
    const version = random.chance(0.3) ? 'create' : 'create_v2';
    const plan = planPumpLaunch(world, creator, text, { version });
    const token = launchToken(world, plan, creator, { creatorBuyLamports });
    this.launches.push(token);
    crowd.attract(token, { quality, startMs: world.nowMs });
    return token;
  }

  /** Wallets of a kind, according to the ground truth. */
  walletsOf(behaviour: Behaviour): Set<Address> {
    const { wallets } = this.world.truth.labels;
    const ofKind = [...wallets].filter(([, label]) => label.behaviour === behaviour);
    return new Set(ofKind.map(([address]) => address));
  }

  /** Advances slots, and some more until the newest block is canonical. */
  run(slots: number): this {
    let isOnBranch = false;
    for (let passed = 0; passed < slots || isOnBranch; passed++) {
      const step = this.world.step();
      if (step === null) continue;
      isOnBranch = !step.isCanonical;
      if (step.isCanonical && this.keepsBlocks) this.blocks.push(step.block);
    }
    return this;
  }
}

function everyKind(people: Partial<Record<Behaviour, number>>): SimulationConfig['people'] {
  return Object.fromEntries(BEHAVIOURS.map((name) => [name, people[name] ?? 0])) as Record<
    Behaviour,
    number
  >;
}
