/** Makes a tape in its own process: `live-tape-maker.ts <folder> <plan as JSON>`. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Account, Ledger } from '../simulator/chain/ledger.ts';
import type { SimulatedBlock } from '../simulator/chain/simulated-transaction.ts';
import { formatAccount } from '../simulator/faces/node/format-account.ts';
import { BlockFiles } from '../simulator/faces/write-blocks.ts';
import { createSimulation } from '../simulator/simulation.ts';
import type { Address } from '../src/model/units.ts';
import { Bystanders } from './live-bystanders.ts';
import {
  BLOCKS_FOLDER,
  blockRoom,
  INDEX_FILE,
  type TapeAccount,
  type TapeBlock,
  type TapeHead,
  type TapePlan,
  type TradedPool,
  tapeConfig,
  UNFINISHED_INDEX_FILE,
} from './live-tape.ts';

const SOL_MINT = 'So11111111111111111111111111111111111111112';
/** Pools that are stored with a block. */
const TRADED_MAX = 16;
const PROGRESS_EVERY = 500;

async function makeTape(folder: string, plan: TapePlan): Promise<void> {
  await rm(join(folder, INDEX_FILE), { force: true });
  await rm(join(folder, BLOCKS_FOLDER), { recursive: true, force: true });
  await mkdir(join(folder, BLOCKS_FOLDER), { recursive: true });
  const config = tapeConfig(plan);
  const { warmupSlots } = plan;
  const simulation = createSimulation(config);
  for (let passed = 0; passed < warmupSlots; passed++) simulation.step();
  const changes = new AccountChanges(simulation.world.chain.ledger);
  const { mix } = plan;
  const room = blockRoom(plan);
  const bystanders = mix === 'trades' ? null : new Bystanders(plan.seed);
  const head: TapeHead = { config, warmupSlots, mix, accounts: changes.all() };
  const unfinished = join(folder, UNFINISHED_INDEX_FILE);
  const index = createWriteStream(unfinished);
  writeLine(index, head);
  const files = new BlockFiles({
    folder: join(folder, BLOCKS_FOLDER),
    encoding: 'base64',
    compression: 'zst',
    blocksPerFile: 1,
  });
  const add = async (block: SimulatedBlock, line: TapeBlock) => {
    const outcome = await files.add(block);
    if (outcome.status === 'failed') throw new Error(`${outcome.path}: ${outcome.message}`);
    writeLine(index, line);
    if (files.blocks % PROGRESS_EVERY === 0) process.send?.(files.blocks);
  };
  // A block is compressed and written while the next one is made.
  let adding = Promise.resolve();
  for (let made = 0; made < plan.blocks; ) {
    const step = simulation.step();
    if (step === null) continue;
    simulation.takePosts();
    const block = bystanders?.around(step.block, room.all - room.trades) ?? step.block;
    const line = toTapeBlock(block, changes.of(step.block));
    await adding;
    adding = add(block, line);
    made++;
  }
  await adding;
  index.end();
  await finished(index);
  await rename(unfinished, join(folder, INDEX_FILE));
}

function writeLine(index: WriteStream, value: TapeHead | TapeBlock): void {
  index.write(`${JSON.stringify(value, (_, part) => plainOf(part))}\n`);
}

/** Only rent epochs exceed the safe integers, and no reader uses them. */
function plainOf(part: unknown): unknown {
  return typeof part === 'bigint' ? Number(part) : part;
}

function toTapeBlock(block: SimulatedBlock, accounts: readonly TapeAccount[]): TapeBlock {
  const { transactions, ...links } = block;
  const votes = transactions.filter(({ isVote }) => isVote).length;
  return {
    ...links,
    transactions: transactions.length - votes,
    votes,
    traded: tradedIn(block),
    accounts,
  };
}

function tradedIn({ transactions }: SimulatedBlock): readonly TradedPool[] {
  const pools = new Map<string, string>();
  for (const { facts } of transactions) {
    for (const fact of facts) {
      if (fact.kind === 'trade' && fact.baseMint !== SOL_MINT) pools.set(fact.pool, fact.baseMint);
      if (pools.size === TRADED_MAX) break;
    }
  }
  return [...pools].map(([pool, mint]) => ({ pool, mint }));
}

/** Records which mint and metadata accounts a block changed. */
class AccountChanges {
  private readonly ledger: Ledger;
  private readonly last = new Map<Address, Account>();

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  all(): TapeAccount[] {
    return [...this.ledger.entries()].flatMap(([address, account]) => this.note(address, account));
  }

  of({ transactions }: SimulatedBlock): TapeAccount[] {
    return transactions
      .filter(({ isVote }) => !isVote)
      .flatMap(({ staticKeys, loadedWritable }) => [...staticKeys, ...loadedWritable])
      .flatMap((address) => this.note(address, this.ledger.get(address)));
  }

  private note(address: Address, account: Account): TapeAccount[] {
    if (this.last.get(address) === account) return [];
    const value = formatAccount(address, account, 'base64');
    if (value === null) return [];
    this.last.set(address, account);
    return [{ address, value }];
  }
}

const [, , folder = '', planText = ''] = process.argv;
await makeTape(folder, JSON.parse(planText) as TapePlan);
