import { expectTypeOf, test } from 'vitest';
import type { ApiKeys } from '../../src/api/api-keys.ts';
import type { BundleReads, CandleReads } from '../../src/api/deps.ts';
import type { Store } from '../../src/store/store.ts';

test('the store is what the endpoints read from, without anything in between', () => {
  expectTypeOf<Store['keys']>().toExtend<ApiKeys>();
  expectTypeOf<Store['candles']>().toExtend<CandleReads>();
  expectTypeOf<Store['bundles']>().toExtend<BundleReads>();
});
