import { expect, test } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { marketFacts } from '../support/followed-market.ts';
import { itemSource } from '../support/item-source.ts';
import { calmFold, flipBits, StoredFold } from '../support/stored-fold.ts';

const FINAL = 40;
/** One less than the slots that may be undone. */
const DEPTH = 63;

test.each([
  ['whole', false],
  ['damaged while it is undone', true],
])(
  'a fork of as many slots as can be undone is left with a state of which most is in files (F-07), %s',
  async (_name, isDamaged) => {
    const facts = marketFacts(FINAL + DEPTH + 10);
    const stays = facts.slice(FINAL + DEPTH);
    const parent = facts[FINAL - 1];
    const fold = new StoredFold();
    const ingestion = await fold.open();
    await fold.ingest(facts.slice(0, FINAL));
    async function* chain(): AsyncGenerator<SourceItem> {
      for (const each of facts.slice(FINAL, FINAL + DEPTH)) yield { kind: 'facts', facts: each };
      if (isDamaged) for (const path of fold.files('segment-')) flipBits(path, { every: 40 });
      if (parent === undefined || parent.blockhash === null) throw new Error('no parent');
      yield { kind: 'undo', toSlot: parent.slot, toBlockhash: parent.blockhash };
      // The slots of the branch were skipped on the other one.
      const [first, ...rest] = stays;
      if (first === undefined) throw new Error('no other branch');
      const links = { parentSlot: parent.slot, previousBlockhash: parent.blockhash };
      yield { kind: 'facts', facts: { ...first, ...links } };
      for (const each of rest) yield { kind: 'facts', facts: each };
      yield { kind: 'final', slot: stays.at(-1)?.slot ?? first.slot };
    }
    await ingestion.ingest(itemSource(chain(), false));
    expect(ingestion.status).toMatchObject({ undos: 1, undoneSlots: DEPTH });
    expect(ingestion.status.rebuilds > 0).toBe(isDamaged);
    const links = {
      parentSlot: parent?.slot ?? null,
      previousBlockhash: parent?.blockhash ?? null,
    };
    const [first, ...rest] = stays;
    const other = first === undefined ? [] : [{ ...first, ...links }, ...rest];
    const calm = await calmFold([...facts.slice(0, FINAL), ...other] as typeof facts);
    expect(ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.rows.visibleRows()).toEqual(calm.rows);
    await ingestion.close();
    fold.close();
  },
  300_000,
);
