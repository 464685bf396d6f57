import { expectTypeOf, test } from 'vitest';
import type { ApiKeys } from '../../src/api/api-keys.ts';
import type { BundleReads, CandleReads } from '../../src/api/deps.ts';
import type { Store } from '../../src/store/store.ts';

test('the store implements the reads of the endpoints directly', () => {
  expectTypeOf<Store['keys']>().toExtend<ApiKeys>();
  expectTypeOf<Store['candles']>().toExtend<CandleReads>();
  expectTypeOf<Store['bundles']>().toExtend<BundleReads>();
});
