import { cpSync, mkdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { storedDigestOf } from '../../src/ingestion/state-head.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { readCheckpoints } from '../../src/store/checkpoints/read-checkpoints.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { dataFolderAt, prepareDataFolder } from '../../src/store/data-folder.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import {
  FOLD,
  type FoldedInMemory,
  foldInFolder,
  foldInMemory,
} from '../support/fold-in-folder.ts';
import { marketFacts } from '../support/followed-market.ts';
import { chosenOf, runInFolder, type StateOperation, type StateRun } from '../support/state-run.ts';

const SLOTS = 130;
/** Stops beside one in each phase: MINTSCOPE_TEST_STATE_STOPS=1000 stops at every operation. */
const STOPS = Number(process.env.MINTSCOPE_TEST_STATE_STOPS ?? 0);
let facts: readonly SlotFacts[];
/** An engine that folded all slots in one go and evicted nothing. */
let calm: FoldedInMemory;
let undisturbed: StateRun;

beforeAll(async () => {
  facts = marketFacts(SLOTS);
  calm = foldInMemory(facts);
  undisturbed = await runInFolder(temporaryFolder(), { facts });
}, 300_000);

/** A data folder whose cursor is that of a new store: of the first fold. */
function dataFolder() {
  const dataDir = temporaryFolder();
  openControlPlane(prepareDataFolder(dataDir).controlFile).close();
  const { stateFolder } = dataFolderAt(dataDir);
  mkdirSync(stateFolder);
  return { dataDir, stateFolder };
}

/** Slots of the checkpoints that are complete before an operation: those that have their names. */
function completeBefore({ operation }: StateOperation): readonly number[] {
  const before = undisturbed.operations.slice(0, operation - 1);
  const names = before.filter(({ kind }) => kind === 'rename').length;
  return (undisturbed.folded?.checkpoints.toSorted() ?? []).slice(0, names);
}

/** Reads the checkpoints of a folder as another process does. */
function expectWhole(stateFolder: string, slots: readonly number[]): void {
  const engine = new Engine({ fallbackSolUsd: null });
  const { checkpoints, damaged } = readCheckpoints(stateFolder, FOLD);
  expect(damaged).toEqual([]);
  const found = checkpoints.map((each) => [each.slot, storedDigestOf(each, engine)?.digest]);
  expect(found).toEqual(slots.toReversed().map((slot) => [slot, calm.digests.get(slot as never)]));
  const [newest] = checkpoints;
  if (newest === undefined) return;
  const { rules } = newest;
  const { records, checkpoint, passedOver } = new StateFolders(stateFolder).open(FOLD, { rules });
  expect([checkpoint?.slot, passedOver]).toEqual([newest.slot, []]);
  const checked = [...records.check()];
  records.close();
  expect(checked.filter(({ kind }) => kind === 'finding')).toEqual([]);
  const { recordCount } = records.sizes();
  expect(recordCount).toBeGreaterThan(100);
  expect(checked.at(-1)).toMatchObject({ recordsChecked: recordCount });
}

async function printedDigest(dataDir: string) {
  const command = new RunningCommand(['digest', '--data-dir', dataDir, '--json']);
  const { exitCode, stdout, stderr } = await command.finished;
  return { exitCode, stderr, ...JSON.parse(stdout || '{}') };
}

test('others read whole checkpoints while a process stands still at any write of its state (F-01)', async () => {
  const { dataDir, stateFolder } = dataFolder();
  const at = chosenOf(undisturbed.operations, STOPS);
  const stops: StateOperation[] = [];
  const run = await runInFolder(stateFolder, {
    ...{ facts, signal: 'SIGSTOP', at },
    whileStopped: async (operation) => {
      stops.push(operation);
      const complete = completeBefore(operation);
      expectWhole(stateFolder, complete);
      // The command of users, where the next checkpoint is whole but for its name.
      if (operation.kind === 'rename' && complete.length > 0) {
        const digest = calm.digests.get(complete.at(-1) as never);
        expect(await printedDigest(dataDir)).toMatchObject({ exitCode: 0, stderr: '', digest });
      }
      // What a copy of the folder has, which another process goes on with.
      const copy = temporaryFolder();
      cpSync(stateFolder, copy, { recursive: true });
      const { digest, from, sentences } = await foldInFolder(copy, facts);
      expect({ digest, from, sentences }).toEqual({
        digest: calm.digest,
        from: complete.at(-1) ?? null,
        sentences: [],
      });
    },
  });
  expect(stops).toEqual(at.map((operation) => undisturbed.operations[operation - 1]));
  expect(stops.filter(({ kind }) => kind === 'rename').length).toBeGreaterThan(0);
  expect(run.signal).toBeNull();
  expect(run.folded).toEqual(undisturbed.folded);
  expect(run.folded?.digest).toBe(calm.digest);
  expect(run.rows).toEqual([...calm.rows]);
}, 3_600_000);
