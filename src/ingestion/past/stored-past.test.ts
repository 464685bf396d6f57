import { readdirSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { marketFacts } from '../../../tests/support/followed-market.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { flipBits, StoredFold } from '../../../tests/support/stored-fold.ts';
import { Engine } from '../../engine/engine.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { StateFolders } from '../../store/checkpoints/state-folders.ts';
import { encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { EngineStates } from '../engine-states.ts';
import { answerPast, type QueryOf } from './past-query.ts';
import { PastStates } from './past-states.ts';

const MEMORY = { pagesMax: 4_000, objectBytesMax: 4_000_000 };
/** So few that most of a state is read from its folder and written to it again. */
const SMALL = { pagesMax: 20, objectBytesMax: 20_000 };
const QUERY: QueryOf<'holders'> = {
  kind: 'holders',
  page: { mint: address('cat mint'), after: null, limit: 50 },
};
const facts = marketFacts(1_400);

let fold: StoredFold;
let past: PastStates;
const sentences: string[] = [];

beforeEach(async () => {
  fold = new StoredFold();
  const ingestion = await fold.open(MEMORY);
  await fold.ingest(facts);
  const { log } = fold.rows.open();
  sentences.length = 0;
  past = new PastStates({
    source: () => ingestion.past,
    states: new EngineStates({
      ...{ folders: new StateFolders(fold.path), log, rules: 'rules', memory: MEMORY },
      engine: { fallbackSolUsd, undoSlotsMax: 64 },
    }),
    log: {
      async *readEncoded({ from, to }) {
        for await (const each of log.read(from)) {
          if (each.slot > to) return;
          yield encodeSlotFacts(each);
        }
      },
      find: (slot) => log.find(asSlot(slot)),
    },
    settings: { fallbackSolUsd, memory: SMALL },
    report: (sentence) => sentences.push(sentence),
  });
});

afterEach(async () => {
  await past.close();
  await fold.ingestion.close();
  fold.close();
});

function slotAt(index: number): Slot {
  const { slot = null } = facts[index] ?? {};
  if (slot === null) throw new RangeError(`no slot ${index}`);
  return slot;
}

function answerAt(slot: Slot) {
  const engine = new Engine({ fallbackSolUsd });
  for (const each of facts) if (each.slot <= slot) engine.apply(each);
  const { lastSlot, timeMs } = engine;
  return {
    kind: 'answered',
    answer: { slot: lastSlot, timeMs, data: answerPast<'holders'>(engine, QUERY) },
  };
}

describe('states of earlier slots', () => {
  test('are computed from the newest checkpoint before them, which they leave as it is', async () => {
    const { checkpoints } = fold.ingestion.past;
    expect(checkpoints.length).toBeGreaterThan(2);
    const [newest = 0, second = 0] = checkpoints;
    const index = facts.findIndex(({ slot }) => slot === second) + 40;
    const slot = slotAt(index);
    expect(await past.read(QUERY, slot)).toEqual(answerAt(slot));
    expect(past.counts).toMatchObject({ built: 1, slots: 40 });
    expect(readdirSync(fold.path)).toEqual(['fold-1', 'past-1']);
    // As of a checkpoint nothing is applied.
    const atCheckpoint = asSlot(newest ?? -1);
    expect(await past.read(QUERY, atCheckpoint)).toEqual(answerAt(atCheckpoint));
    expect(past.counts).toMatchObject({ built: 2, slots: 40 });
    await past.close();
    expect(readdirSync(fold.path)).toEqual(['fold-1']);
    // The stored states are those of the fold as before.
    const digest = fold.ingestion.digest()?.digest;
    await fold.ingestion.close();
    const again = await fold.open(MEMORY);
    expect([again.digest()?.digest, fold.sentences]).toEqual([digest, []]);
  });

  test('are computed from an earlier checkpoint if the newest is damaged', async () => {
    const [newest, second] = fold.ingestion.past.checkpoints;
    const slot = asSlot(newest ?? -1);
    // The end of the newest file: what the newest checkpoint alone has, and its index.
    const path = fold.files('segment-').at(-1) ?? '';
    flipBits(path, { from: statSync(path).size - 20_000, every: 256 });
    expect(await past.read(QUERY, slot)).toEqual(answerAt(slot));
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain(`The state after slot ${newest} is not used for earlier slots`);
    expect(past.counts).toMatchObject({ built: 1, slots: slot - (second ?? 0), failed: 0 });
  });
});
