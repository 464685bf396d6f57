/**
 * Plays a tape in its own process, controlled by messages: `live-node-process.ts <folder of the
 * tape>`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs, TapeNode } from './live-node.ts';
import { OpenTape } from './live-open-tape.ts';
import { TAPE_SLOT_MS, type TradedPool } from './live-tape.ts';

/** Commands to the node. */
export type NodeOrder =
  /** Plays blocks at once, before or while it is paced. */
  | { readonly kind: 'jump'; readonly blocks: number }
  /** Plays a block every slot from now on. */
  | { readonly kind: 'play' }
  | { readonly kind: 'pause' };

/** A block that the node has shown. */
export interface PassedBlock {
  readonly slot: number;
  /** The newest block that requests receive from now on. */
  readonly confirmedSlot: number;
  readonly atMs: number;
  /** Delay against the requested pace; 0 for blocks played at once. */
  readonly lateMs: number;
  readonly transactions: number;
  readonly votes: number;
  /** Processor time of this process since its start. */
  readonly cpuMs: number;
}

/** Reports of the node. Times are those of `nowMs`. */
export type NodeReport =
  | { readonly kind: 'listening'; readonly port: number }
  | (PassedBlock & { readonly kind: 'passed'; readonly traded: readonly TradedPool[] })
  | {
      readonly kind: 'served';
      readonly slot: number;
      readonly askedAtMs: number;
      readonly sentAtMs: number;
    }
  | { readonly kind: 'ended' };

const report = (message: NodeReport) => process.send?.(message);

/** Time between two looks for blocks that were made meanwhile. */
const READ_ON_MS = 500;
const NEXT_BLOCK_MS = 20;

const tape = await openTape(process.argv[2] ?? '');
const node = new TapeNode(tape, Math.floor(Date.now() / 1_000), {
  onServed: (slot, askedAtMs, sentAtMs) => report({ kind: 'served', slot, askedAtMs, sentAtMs }),
});
/** Which call of `play` may play blocks; 0 for none. */
let playing = 0;
let plays = 0;
process.on('message', (order: NodeOrder) => {
  if (order.kind === 'jump') for (let passed = 0; passed < order.blocks; passed++) pass(0);
  else if (order.kind === 'pause') playing = 0;
  else if (playing === 0) void play();
});
// The parent process has ended.
process.on('disconnect', () => process.exit());
void readOn();
report({ kind: 'listening', port: await node.listen() });

async function openTape(folder: string): Promise<OpenTape> {
  const opened = await OpenTape.open(folder);
  if (opened === null) throw new Error(`there is no tape in ${folder}`);
  return opened;
}

/** Until the tape is complete. */
async function readOn(): Promise<void> {
  while (!tape.isComplete) {
    await sleep(READ_ON_MS);
    await tape.readOn();
  }
}

async function play(): Promise<void> {
  const mine = ++plays;
  playing = mine;
  const startMs = nowMs();
  for (let slots = 1; ; slots++) {
    const dueMs = startMs + slots * TAPE_SLOT_MS;
    await sleep(Math.max(0, dueMs - nowMs()));
    while (playing === mine && node.blocksLeft === 0 && !tape.isComplete) {
      await sleep(NEXT_BLOCK_MS);
    }
    if (playing !== mine || !pass(dueMs)) return;
  }
}

/** False at the end of the tape. */
function pass(dueMs: number): boolean {
  const block = node.advance();
  if (block === null) {
    if (tape.isComplete) report({ kind: 'ended' });
    return false;
  }
  const atMs = nowMs();
  const { slot, transactions, votes, traded } = block;
  const { confirmedSlot } = node.tip;
  const lateMs = dueMs === 0 ? 0 : atMs - dueMs;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1_000;
  report({ kind: 'passed', slot, confirmedSlot, atMs, lateMs, transactions, votes, cpuMs, traded });
  return true;
}
