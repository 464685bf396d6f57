import { setTimeout as delay } from 'node:timers/promises';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService } from '../../src/service/app.ts';
import { marketFacts } from './followed-market.ts';
import { itemSource } from './item-source.ts';

/**
 * A process that stores slots of a small market one at a time, the second half first, so that the
 * log is folded again repeatedly, until it is killed. It prints the losses that were reported when
 * it opened. Arguments: the folder, the number of slots, the first slot.
 */
const [dataDir = '', slots = '0', begin = '0'] = process.argv.slice(2);
const facts = marketFacts(Number(slots));
const { ingestion } = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }), {
  onLost: (sentence) => process.stdout.write(`lost ${sentence}\n`),
});
process.stdout.write('open\n');

async function* shuffled(): AsyncGenerator<SourceItem> {
  for (let from = Number(begin); from < facts.length; from += 10) {
    for (const each of [...facts.slice(from + 5, from + 10), ...facts.slice(from, from + 5)]) {
      yield { kind: 'facts', facts: each };
      await delay(2);
    }
  }
}

for (;;) await ingestion.ingest(itemSource(shuffled(), true), { writeAfterMs: 0 });
