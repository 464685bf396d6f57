import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { SimulationConfig } from '../simulator/simulation-config.ts';
import { PRESETS } from '../simulator/simulation-presets.ts';
import type { Address } from '../src/model/units.ts';
import { tradesOf } from './live-bystanders.ts';

/** Milliseconds of a slot on the tape: five blocks a second, none skipped. */
export const TAPE_SLOT_MS = 200;
/** Capacity of a block. The demand is higher, so that nearly every block is full. */
const BLOCK_CAPACITY = 620;

/**
 * The content of the blocks: trades alone, or trades among the other transactions of main network
 * blocks in the same shares (MAINNET_MIX).
 */
export const MIXES = ['mainnet', 'trades'] as const;
export type Mix = (typeof MIXES)[number];

/** The plan of a tape. The same plan gives the same bytes; more `blocks` append to them. */
export interface TapePlan {
  readonly seed: string;
  /** Slots before the recording, until the market fills its blocks. */
  readonly warmupSlots: number;
  readonly votesPerBlock: number;
  /** Percentage of mainnet's load: people, launches and capacity of a block. */
  readonly loadPercent: number;
  readonly mix: Mix;
  /** Blocks on the tape. */
  readonly blocks: number;
}

/** A mint or metadata account as `getMultipleAccounts` answers it with base64. */
export interface TapeAccount {
  readonly address: string;
  readonly value: object;
}

/** A traded pool and its token. */
export interface TradedPool {
  readonly pool: string;
  readonly mint: string;
}

/** A block without its text. */
export interface TapeBlock {
  readonly slot: number;
  readonly parentSlot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Seconds since 1970, at the time of the tape. */
  readonly blockTime: number;
  readonly leader: Address;
  /** Without votes. */
  readonly transactions: number;
  readonly votes: number;
  readonly traded: readonly TradedPool[];
  /** Mint and metadata accounts that it changed. */
  readonly accounts: readonly TapeAccount[];
}

export interface Tape {
  readonly folder: string;
  /** The configuration of the market, and the number of slots before the first block. */
  readonly config: SimulationConfig;
  readonly warmupSlots: number;
  readonly mix: Mix;
  /** Mint and metadata accounts that existed before the first block. */
  readonly accounts: readonly TapeAccount[];
  readonly blocks: readonly TapeBlock[];
}

/** First line of the index; one line per block follows. */
export type TapeHead = Pick<Tape, 'config' | 'warmupSlots' | 'mix' | 'accounts'>;

/**
 * Share of people for a fifth of the capacity: doubled, as demand falls faster than the number of
 * people.
 */
const MIXED_PEOPLE = 0.4;

export const BLOCKS_FOLDER = 'blocks';
/** Exists only when the tape is complete. */
export const INDEX_FILE = 'tape.jsonl';
/** The index of a tape that is being made: each line follows the file of its block. */
export const UNFINISHED_INDEX_FILE = `.${INDEX_FILE}.unfinished`;

/** Transactions of a full block without votes, and how many of them are the market's. */
export function blockRoom({ loadPercent, mix }: Pick<TapePlan, 'loadPercent' | 'mix'>): {
  readonly all: number;
  readonly trades: number;
} {
  const all = Math.ceil((BLOCK_CAPACITY * loadPercent) / 100);
  return { all, trades: mix === 'trades' ? all : tradesOf(all) };
}

/**
 * A market whose demand, once it is warm, exceeds the capacity of a block: at full load of trades
 * alone about 3,000 transactions a second.
 */
export function tapeConfig(plan: TapePlan): SimulationConfig {
  const { seed, votesPerBlock, loadPercent, mix } = plan;
  const { busy } = PRESETS;
  const percent = loadPercent * (mix === 'trades' ? 1 : MIXED_PEOPLE);
  const scaled = (count: number) => Math.ceil((count * percent) / 100);
  const people = Object.fromEntries(
    Object.entries(busy.people).map(([name, count]) => [name, scaled(count * 2)]),
  ) as SimulationConfig['people'];
  return {
    ...busy,
    seed,
    people,
    votesPerBlock,
    slotMs: TAPE_SLOT_MS,
    laterSlotMs: TAPE_SLOT_MS,
    skipRate: 0,
    forkRate: 0,
    blockCapacity: blockRoom(plan).trades,
    launchesPerHour: scaled(7_200),
    poolLaunchesPerHour: scaled(800),
  };
}

/** Whether a tape can be used for `plan`: the same market, and at least as long. */
export function isTapeOf({ config, warmupSlots, mix, blocks }: Tape, plan: TapePlan): boolean {
  const isSameMarket = mix === plan.mix && isDeepStrictEqual(config, tapeConfig(plan));
  return isSameMarket && warmupSlots === plan.warmupSlots && blocks.length >= plan.blocks;
}

const decompressed = promisify(zstdDecompress);

/** The block as `getBlock` answers it, with its time shifted by whole seconds. */
export async function readTapeBlock(
  { folder }: Tape,
  { slot, blockTime }: TapeBlock,
  shiftSeconds: number,
): Promise<Buffer> {
  const name = `block_${String(slot).padStart(9, '0')}.json.zst`;
  const text = await decompressed(await readFile(join(folder, BLOCKS_FOLDER, name)));
  const at = text.indexOf('"blockTime":') + '"blockTime":'.length;
  const moved = String(blockTime + shiftSeconds);
  if (moved.length !== String(blockTime).length) throw new RangeError('the time is out of reach');
  text.write(moved, at, 'latin1');
  return text;
}
