import { expectTypeOf, test } from 'vitest';
import type { ApiKeys } from '../../src/api/api-keys.ts';
import type { Store } from '../../src/store/store.ts';

test('the store implements the check of keys of the endpoints directly', () => {
  expectTypeOf<Store['keys']>().toExtend<ApiKeys>();
});
