import { interceptFiles } from './file-operations.ts';

/**
 * A process that folds a small market from the newest checkpoint of a folder on, with few pages in
 * memory and a checkpoint every so many slots, and kills itself at an operation on the files of the
 * state: a write is done in half then. At the end it prints what it found as JSON. Arguments: the
 * folder, the number of the operation, 0 for none.
 */
const [folder = '', killAt = '0'] = process.argv.slice(2);
const SLOTS = 160;
const EVERY = 40;
let operations = 0;
interceptFiles(folder, ({ kind, bytes }, doFirst) => {
  if (kind === 'read' || ++operations !== Number(killAt)) return;
  if (bytes !== null) doFirst(Math.floor(bytes.length / 2));
  process.kill(process.pid, 'SIGKILL');
});

// Loaded afterwards, so that they use what is intercepted.
const { EngineStates } = await import('../../src/ingestion/engine-states.ts');
const { Fold } = await import('../../src/ingestion/fold.ts');
const { StateFolders } = await import('../../src/store/checkpoints/state-folders.ts');
const { marketFacts } = await import('./followed-market.ts');
const { fallbackSolUsd } = await import('./master-fixture.ts');

const facts = marketFacts(SLOTS);
const sentences: string[] = [];
const report = (sentence: string) => sentences.push(sentence);
const states = new EngineStates({
  folders: new StateFolders(folder),
  log: { find: async (slot) => facts.find((each) => each.slot === slot) ?? null },
  rules: 'rules',
  engine: { fallbackSolUsd, undoSlotsMax: 64 },
  memory: { pagesMax: 20, objectBytesMax: 20_000 },
});
const last = facts.at(-1)?.slot ?? null;
const restored = await states.restore({ epoch: 1, slot: last }, report);
const fold = new Fold(restored?.engine ?? states.create(1), 1, () => 0, restored?.end ?? null);
const checkpoints = states.checkpointsOf(fold.engine, report);
let folded = 0;
for (const each of facts) {
  if (each.slot <= (restored?.end.slot ?? -1)) continue;
  await fold.addWritten(each);
  const progress = { fold, cursor: { slot: each.slot, isDirty: false }, olderSlots: 0 };
  if (++folded % EVERY === 0) await checkpoints?.complete(progress);
  else checkpoints?.step(progress);
}
const digest = fold.engine.digest();
process.stdout.write(JSON.stringify({ digest, folded, operations, sentences }));
