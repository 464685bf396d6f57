import { Chain } from '../../simulator/chain/chain.ts';
import type { Execution } from '../../simulator/chain/execution.ts';
import { Keyring } from '../../simulator/chain/keyring.ts';
import { SlotSchedule } from '../../simulator/chain/slot-schedule.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { planStyledPool } from '../../simulator/launches/pool-style.ts';
import { createGenesis } from '../../simulator/market/genesis.ts';
import { buySteps, sellSteps } from '../../simulator/market/trade-steps.ts';
import { World } from '../../simulator/market/world.ts';
import { endow } from '../../simulator/people/wallets.ts';
import { ensureTokenAccount, wrapLamports } from '../../simulator/programs/associated-token.ts';
import { transferLamports } from '../../simulator/programs/system.ts';
import { Random } from '../../simulator/random/random.ts';
import { TruthBook } from '../../simulator/truth/truth-book.ts';
import { planToken } from '../../simulator/venues/planned-token.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';

const SOL = 1_000_000_000n;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_SLOT = 400_000_000;
export const EDGE_START_MS = Date.UTC(2026, 0, 5);
/** Stories of the token a day. */
export const EDGES_PER_DAY = 4;

/** In the pool, beside the whole supply: some $80,000 of liquidity at $200. */
const POOL_SOL = 200n;
const SUPPLY_RAW = 1_000_000_000_000_000n;
/** $60 at $200. */
const NOISE_LAMPORTS = (3n * SOL) / 10n;
/** $600 at $200: no other minute has between $400 and $800. */
const OMEN_LAMPORTS = 3n * SOL;
/** Four of them raise the price by two thirds: (263 / 203)². */
const PUMP_LAMPORTS = 15n * SOL;
const PUMPS = 4;
const UNITS = { unitLimit: 500_000, priceMicroLamports: 50_000n };

/**
 * Slots of a simulated chain with one token, whose creator burned its liquidity, for some days, and
 * one trade two days later, when nothing is followed any more. Four
 * times a day: somebody buys and sells for $60; an hour later somebody buys for $600, the omen;
 * within ten minutes four others raise the price by two thirds; two hours later all of them sell.
 * Each story has wallets of its own.
 */
export function plantedEdgeSlots(seed: string, days: number): SlotFacts[] {
  const market = new EdgeMarket(seed);
  const startMs = EDGE_START_MS + 10 * MINUTE_MS;
  for (let at = 0; at < days * EDGES_PER_DAY; at++) {
    market.planStory(startMs + (at * DAY_MS) / EDGES_PER_DAY);
  }
  return market.play(EDGE_START_MS + (days + 2) * DAY_MS);
}

class EdgeMarket {
  private readonly world: World;
  private readonly creator: Address;
  private readonly token: ReturnType<typeof planToken>;
  private readonly pool: ReturnType<typeof planStyledPool>;

  constructor(seed: string) {
    const random = new Random(seed);
    const keyring = new Keyring(random);
    const chain = new Chain(keyring, new Keyring(random.fork('blockhashes')), FIRST_SLOT, []);
    this.world = new World({
      ...{ chain, random: random.fork('world'), truth: new TruthBook(), blockCapacity: 100 },
      ...{ forks: { rate: 0, maxLength: 1 }, skipsIdleSlots: true },
      schedule: new SlotSchedule(random.fork('slots'), {
        ...{ firstSlot: FIRST_SLOT, startMs: EDGE_START_MS, paces: [], skipRate: 0 },
        leaders: [keyring.wallet()],
      }),
    });
    const { world } = this;
    createGenesis({
      ...{ ledger: chain.ledger, keyring, tokenAccounts: world.tokenAccounts },
      clock: { slot: FIRST_SLOT - 1, unixTime: EDGE_START_MS / 1_000 },
      ...{ tables: [], solUsd: 200 },
    });
    this.creator = this.wallet((POOL_SOL + 5n) * SOL);
    this.token = planToken(world, {
      ...{ creator: this.creator, decimals: 6, supplyRaw: SUPPLY_RAW, transferFee: null },
      text: { name: 'Edge', symbol: 'EDGE', uri: 'https://metadata.example/edge.json' },
    });
    this.pool = planStyledPool(world, this.token.mint, {
      ...{ venue: 'raydium_cpmm', transferFee: null, handling: 'burn' },
    });
    this.planLaunch();
  }

  planStory(startMs: number): void {
    const [noise, omen] = [this.wallet(2n * SOL), this.wallet(2n * OMEN_LAMPORTS)];
    const pumpers = Array.from({ length: PUMPS }, () => this.wallet(2n * PUMP_LAMPORTS));
    const afterMinutes = (minutes: number) => startMs + minutes * MINUTE_MS + 20 * SECOND_MS;
    this.buyAt(afterMinutes(0), noise, NOISE_LAMPORTS);
    this.sellAt(afterMinutes(10), noise);
    this.buyAt(afterMinutes(80), omen, OMEN_LAMPORTS);
    for (const [at, pumper] of pumpers.entries()) {
      this.buyAt(afterMinutes(83 + at), pumper, PUMP_LAMPORTS);
    }
    // The omen's tokens are sold at the top, for more than an omen buys for.
    for (const [at, seller] of [omen, ...pumpers].entries()) {
      this.sellAt(afterMinutes(200 + 2 * at), seller);
    }
    // Other payments end these minutes at once, as on a chain with a slot in each of them.
    for (const minutes of [1, 11, 81, 87, 209]) this.payAt(afterMinutes(minutes), noise);
  }

  /** Canonical blocks until a time, decoded. */
  play(endMs: number): SlotFacts[] {
    const { world } = this;
    let isOver = false;
    this.buyAt(endMs - MINUTE_MS, this.wallet(2n * SOL), NOISE_LAMPORTS);
    world.at(endMs, () => {
      isOver = true;
    });
    const slots: SlotFacts[] = [];
    while (!isOver) {
      const step = world.step();
      if (step !== null) slots.push(decodeBlock(toChainBlock(step.block)));
    }
    return slots;
  }

  private planLaunch(): void {
    const { world, creator, token, pool } = this;
    const { planned, seal } = pool;
    world.addMarket(planned.pool);
    const steps: [signers: readonly Address[], build: (execution: Execution) => void][] = [
      [token.createSigners, (execution) => token.create(execution)],
      [
        planned.createSigners,
        (execution) => {
          const lamports = POOL_SOL * SOL;
          wrapLamports(execution, world.tokenAccounts, creator, lamports);
          ensureTokenAccount(execution, world.tokenAccounts, creator, creator, token.mint);
          planned.create(execution, creator, SUPPLY_RAW, lamports);
        },
      ],
      [seal?.signers ?? [], (execution) => seal?.build(execution, creator)],
    ];
    for (const [at, [signers, build]] of steps.entries()) {
      world.at(EDGE_START_MS + (at + 1) * 10 * SECOND_MS, () => this.send(creator, build, signers));
    }
  }

  private wallet(lamports: bigint): Address {
    const wallet = this.world.keyring.wallet();
    endow(this.world, wallet, lamports);
    return wallet;
  }

  private buyAt(timeMs: number, trader: Address, amountInRaw: bigint): void {
    const { world } = this;
    const market = this.pool.planned.pool;
    world.at(timeMs, () =>
      this.send(trader, (execution) =>
        buySteps(execution, world.tokenAccounts, { market, trader, amountInRaw, minOutRaw: 1n }),
      ),
    );
  }

  /** Sells everything that the trader holds. */
  private sellAt(timeMs: number, trader: Address): void {
    const { world } = this;
    const market = this.pool.planned.pool;
    world.at(timeMs, () =>
      this.send(trader, (execution) => {
        const account = world.tokenAccounts.of(trader, market.baseMint);
        const amountInRaw = execution.ledger.heldRaw(account);
        sellSteps(execution, world.tokenAccounts, { market, trader, amountInRaw, minOutRaw: 1n });
      }),
    );
  }

  private payAt(timeMs: number, from: Address): void {
    const { world, creator } = this;
    world.at(timeMs, () =>
      this.send(from, (execution) => transferLamports(execution, from, creator, SOL / 100n)),
    );
  }

  private send(
    feePayer: Address,
    build: (execution: Execution) => void,
    signers: readonly Address[] = [],
  ): void {
    this.world.send({
      ...{ feePayer, signers, build, computeBudget: UNITS },
      onLanded: ({ isFailed }) => {
        if (isFailed) throw new Error('a transaction of the story failed');
      },
      onDropped: () => {
        throw new Error('a transaction of the story was dropped');
      },
    });
  }
}
