import type { Slot } from '../../src/model/units.ts';
import { Snapshots } from '../../src/store/snapshots/snapshots.ts';

/**
 * A process that stores snapshots of two slots, printing `kept <slot>` after each, and kills itself
 * within the third: before its chunk number `killAt`, or with 'whole' when the file is complete but
 * has no name yet. Each chunk is filled with the slot. Arguments: the folder, the first slot,
 * killAt.
 */
const [folder = '', first = '1', killAt = '0'] = process.argv.slice(2);
const CHUNKS = 40;
const last = Number(first) + 2;
let slot = Number(first);

const kill = () => process.kill(process.pid, 'SIGKILL');

function* chunks(): Iterable<Uint8Array> {
  for (let index = 0; index < CHUNKS; index++) {
    if (slot === last && index === Number(killAt)) kill();
    yield Buffer.alloc(64 * 1_024, slot);
  }
}

const snapshots = new Snapshots(folder, async () => {
  if (slot === last && killAt === 'whole') kill();
});

for (; slot <= last; slot++) {
  const head = { rules: 'kill', epoch: 1, slot: slot as Slot, blockhash: null, olderSlots: 0 };
  await snapshots.write(head, chunks());
  process.stdout.write(`kept ${slot}\n`);
}
