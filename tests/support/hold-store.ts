import { openStore } from '../../src/store/store.ts';
import { buildFacts } from './build-records.ts';

/**
 * A process that holds a store open and writes a slot for each line it reads: `wrote`, or the
 * refusal. Argument: the folder.
 */
const [dataDir = ''] = process.argv.slice(2);
const store = await openStore({ dataDir });
process.stdout.write('open\n');
let slot = 0;
for await (const _ of process.stdin) {
  try {
    await store.writer.writeBatch({ slots: [buildFacts(++slot)], changes: [], epoch: 1 });
    process.stdout.write('wrote\n');
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
