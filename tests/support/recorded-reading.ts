import {
  createRecordedSource,
  type RecordedOptions,
} from '../../src/chain/recorded/recorded-source.ts';
import type { SourceProblem } from '../../src/model/errors.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';

/** Everything a recorded source yields. */
export async function readAll(paths: readonly string[], options: RecordedOptions = {}) {
  const source = createRecordedSource(paths, options);
  const blocks: ChainBlock[] = [];
  const facts: SlotFacts[] = [];
  const problems: SourceProblem[] = [];
  for await (const item of source) {
    if (item.kind === 'block') blocks.push(item.block);
    else if (item.kind === 'facts') facts.push(item.facts);
    else if (item.kind === 'problem') problems.push(item.problem);
    else throw new Error(`a recorded source yielded ${item.kind}`);
  }
  return { blocks, facts, problems, summary: source.summary };
}
