import type { Books } from './books.ts';

/** Numbers of records that contradict earlier ones. */
export interface Contradictions {
  readonly supplies: number;
  readonly balances: number;
  readonly ownerlessBalances: number;
}

export function contradictionsOf({
  tokens,
  holders,
}: Pick<Books, 'tokens' | 'holders'>): Contradictions {
  return {
    supplies: tokens.contradictionCount,
    balances: holders.contradictionCount,
    ownerlessBalances: holders.ownerlessCount,
  };
}
