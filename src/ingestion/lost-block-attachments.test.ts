import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ruleContent } from '../../tests/support/build-rule.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { StoredFold } from '../../tests/support/stored-fold.ts';
import type { SourceItem } from '../chain/source.ts';
import { asSlot } from '../model/units.ts';
import { FindingRefusals } from './finding-refusals.ts';
import { RuleChanges } from './rule-changes.ts';

const MEMORY = { pagesMax: 20_000, objectBytesMax: 50_000_000 };
const FINAL_LAG = 3;

test('a rule and a refusal outlive the final block that they were stored with', async () => {
  const facts = marketFacts(30);
  const slotAt = (index: number) => facts[index]?.slot ?? asSlot(0);
  const fold = new StoredFold();
  await fold.open(MEMORY);
  const rules = new RuleChanges([]);
  rules.publish({ author: 'a', name: 'one', content: ruleContent({ name: 'one', version: 1 }) });
  const refusals = new FindingRefusals([]);
  refusals.add('finding');
  const known = () => {
    const { engine } = fold.ingestion;
    return [engine.publishedRules().length, engine.isFindingRefused('finding')];
  };
  const seen: unknown[] = [];
  async function* followed(): AsyncGenerator<SourceItem> {
    for (const [index, each] of facts.entries()) {
      yield { kind: 'facts', facts: each };
      if (index === 2) seen.push(known());
      if (index >= FINAL_LAG) yield { kind: 'final', slot: slotAt(index - FINAL_LAG) };
      // The first blocks turn out to be of a branch that lost.
      if (index === 15) yield { kind: 'dropped', from: slotAt(0), to: slotAt(1) };
      await delay(20);
    }
  }
  await fold.ingestion.ingest(itemSource(followed(), false), {
    ...{ writeAfterMs: 0, refoldAfterMs: 0, rules, refusals },
  });
  expect(fold.ingestion.status.refolds).toBe(1);
  expect(seen).toEqual([[1, true]]);
  expect(known()).toEqual([1, true]);
  await fold.ingestion.close();
  fold.close();
});
