import { readFileSync, writeSync } from 'node:fs';
import { type FileOperation, interceptFiles } from './file-operations.ts';
import { statePhase } from './state-phase.ts';

/**
 * A process that folds slots from the newest checkpoint of a folder on, with few pages in
 * memory, small files and a checkpoint every so many slots. At given operations that change the
 * files of the state, it kills or stops itself, a write being done in half then. It prints a line of
 * JSON for each slot that was folded and for each such operation, before it happens, and one at the
 * end. Arguments: the folder, a file of slots, the signal, the numbers of operations, from 1.
 * Without a signal nothing happens; without numbers, it does at every operation.
 */
const [folder = '', factsFile = '', signal, ...numbers] = process.argv.slice(2);
const chosen = new Set(numbers.map(Number));
const operations: { kind: FileOperation['kind']; phase: string }[] = [];
let isDurable = false;
const print = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
interceptFiles(folder, ({ kind, bytes }, doFirst) => {
  if (kind === 'read') return;
  const phase = statePhase();
  // How long the device takes must not decide which operation is next.
  if (kind === 'sync') isDurable = true;
  operations.push({ kind, phase });
  const isChosen = chosen.size === 0 || chosen.has(operations.length);
  if (signal === undefined || !isChosen) return;
  print({ operation: operations.length, kind, phase });
  if (bytes !== null) doFirst(Math.floor(bytes.length / 2));
  process.kill(process.pid, signal);
});

// Loaded afterwards, so that they use what is intercepted.
const { foldInFolder } = await import('./fold-in-folder.ts');
const { decodeSlotFacts } = await import('../../src/store/codecs/facts-codec.ts');

const facts = readFileSync(factsFile, 'utf8').split('\n').map(decodeSlotFacts);
const folded = await foldInFolder(folder, facts, {
  onRows: (slot, rows) => print({ slot, rows }),
  isCommitAwaited: () => {
    const isAwaited = isDurable;
    isDurable = false;
    return isAwaited;
  },
});
print({ folded, operations });
