import type { SourceItem } from '../../src/chain/source.ts';
import type { IngestionSource } from '../../src/ingestion/ingestion-run.ts';

/** Items as a source yields them. */
export function itemSource(
  items: Iterable<SourceItem> | AsyncIterable<SourceItem>,
  areBlocksFinal: boolean,
): IngestionSource {
  return {
    areBlocksFinal,
    async *[Symbol.asyncIterator]() {
      yield* items;
    },
  };
}
