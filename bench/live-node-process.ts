/** Plays a tape in a process of its own, led by messages: `live-node-process.ts <folder of the tape>`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs, TapeNode } from './live-node.ts';
import { readTape, TAPE_SLOT_MS, type TradedPool } from './live-tape.ts';

/** What the node is told. */
export type NodeOrder =
  /** Lets blocks pass at once, before or while it is paced. */
  | { readonly kind: 'jump'; readonly blocks: number }
  /** Lets a block pass every slot from now on. */
  | { readonly kind: 'play' }
  | { readonly kind: 'pause' };

/** What the node tells. Times are those of `nowMs`. */
export type NodeReport =
  | { readonly kind: 'listening'; readonly port: number }
  | {
      readonly kind: 'passed';
      readonly slot: number;
      /** The newest block that is given to whoever asks, from now on. */
      readonly confirmedSlot: number;
      readonly atMs: number;
      /** How much later than the pace asked for; 0 for a jump. */
      readonly lateMs: number;
      readonly transactions: number;
      readonly votes: number;
      /** Processor time of this process since it began. */
      readonly cpuMs: number;
      readonly traded: readonly TradedPool[];
    }
  | {
      readonly kind: 'served';
      readonly slot: number;
      readonly askedAtMs: number;
      readonly sentAtMs: number;
    }
  | { readonly kind: 'ended' };

const tell = (report: NodeReport) => process.send?.(report);

const tape = await readTape(process.argv[2] ?? '');
if (tape === null) throw new Error(`there is no tape in ${process.argv[2]}`);
const node = new TapeNode(tape, Math.floor(Date.now() / 1_000), {
  onServed: (slot, askedAtMs, sentAtMs) => tell({ kind: 'served', slot, askedAtMs, sentAtMs }),
});
/** Which call of `play` may let blocks pass; 0 for none. */
let playing = 0;
let plays = 0;
process.on('message', (order: NodeOrder) => {
  if (order.kind === 'jump') for (let passed = 0; passed < order.blocks; passed++) pass(0);
  else if (order.kind === 'pause') playing = 0;
  else if (playing === 0) void play();
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
tell({ kind: 'listening', port: await node.listen() });

async function play(): Promise<void> {
  const mine = ++plays;
  playing = mine;
  const startMs = nowMs();
  for (let slots = 1; ; slots++) {
    const dueMs = startMs + slots * TAPE_SLOT_MS;
    await sleep(Math.max(0, dueMs - nowMs()));
    if (playing !== mine || !pass(dueMs)) return;
  }
}

/** False at the end of the tape. */
function pass(dueMs: number): boolean {
  const block = node.advance();
  if (block === null) {
    tell({ kind: 'ended' });
    return false;
  }
  const atMs = nowMs();
  const { slot, transactions, votes, traded } = block;
  const { confirmedSlot } = node.tip;
  const lateMs = dueMs === 0 ? 0 : atMs - dueMs;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1_000;
  tell({ kind: 'passed', slot, confirmedSlot, atMs, lateMs, transactions, votes, cpuMs, traded });
  return true;
}
