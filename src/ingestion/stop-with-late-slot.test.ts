import { afterEach, expect, test, vi } from 'vitest';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { StoredFold } from '../../tests/support/stored-fold.ts';
import type { SourceItem } from '../chain/source.ts';
import { Engine } from '../engine/engine.ts';
import { asSlot } from '../model/units.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a stop while a late slot waits writes no checkpoint, which would not count', async () => {
  const facts = marketFacts(60);
  const last = facts.at(-1)?.slot ?? asSlot(0);
  const fold = new StoredFold();
  await fold.open({ pagesMax: 20_000, objectBytesMax: 50_000_000 });
  const stopping = new AbortController();
  const begun = vi.spyOn(Engine.prototype, 'beginCheckpoint');
  async function* followed(): AsyncGenerator<SourceItem> {
    for (const [index, each] of facts.entries()) {
      if (index !== 20) yield { kind: 'facts', facts: each };
    }
    yield { kind: 'final', slot: last };
    yield { kind: 'facts', facts: facts[20] as (typeof facts)[number] };
    begun.mockClear();
    stopping.abort(new Error('stop'));
    yield { kind: 'final', slot: last };
  }
  const hooks = { writeAfterMs: 0, refoldAfterMs: 60_000, signal: stopping.signal };
  await fold.ingestion.ingest(itemSource(followed(), false), hooks);
  await fold.ingestion.close();
  expect(begun).not.toHaveBeenCalled();
  fold.close();
});
