import type { PoolState } from '../../fold/market/pools.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import { isCurveVenue } from '../../fold/market/venue-kinds.ts';
import type { PoolRecord } from '../../model/derived.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import { SPL_TOKEN_PROGRAM, type Venue, WRAPPED_SOL } from '../../model/program.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import { poolDepth } from '../../signals/execution/pool-depth.ts';
import { poolFeeBps } from '../../signals/execution/pool-fee.ts';
import type { MinuteFacts } from '../../signals/features/signal-model.ts';
import type { Books } from '../books/books.ts';
import { toPoolRecord, toTokenRecord } from '../books/present-records.ts';
import type { CaseSources } from '../cases/case-sources.ts';
import type { EngineState } from '../state/engine-state.ts';
import { topClusterShare } from './top-cluster-share.ts';

/**
 * Launchpads that burn the LP tokens of the pool they move their liquidity to, or lock them for good,
 * whatever the token's creator wants. Others leave it to who launches.
 */
const LOCKING_LAUNCHPADS: ReadonlySet<Venue> = new Set<Venue>(['pump', 'raydium_launchlab']);

/** Where facts are read: all of it as the last folded slot left it. */
export type FactSources = Pick<EngineState, 'books' | 'walletBooks' | 'cases' | 'fraud'>;

/** What models may know of a pool whose figures are given; null for one that is not known. */
export function readMinuteFacts(
  { books, walletBooks, cases, fraud }: FactSources,
  indicators: IndicatorRecord,
): MinuteFacts | null {
  const pool = books.pools.get(indicators.pool);
  const token = pool === undefined ? undefined : books.tokens.get(pool.baseMint);
  const { slot, createdAtMs: timeMs } = indicators;
  if (pool === undefined || token === undefined || timeMs === null) return null;
  const { mint } = token;
  const sources: CaseSources = { books, walletBooks, cases, slot, timeMs };
  return {
    indicators,
    pool: toPoolRecord(books, pool, timeMs),
    token: toTokenRecord(books, token),
    isCurve: isCurveVenue(pool.venue) && !pool.isCurveComplete,
    isLaunchpadLocked: isLaunchpadLocked(books, pool),
    isFreezable: isFreezable(token),
    fraudConfidence: fraud.confidenceOf(mint),
    transferFeeBps: transferFeeBps(token),
    isPriceFinal: books.prices.isFinal(pool.pool),
    entityOf: (wallet) => walletBooks.funding.clusterOf(wallet),
    heldRawOf: (wallet) => Number(books.holders.balanceOfOwner(mint, wallet)),
    topClusterShare: () => topClusterShare(sources, mint),
  };
}

/** What trading with a pool comes to at a time; null where reserves, price or SOL's price are unknown. */
export function readPoolDepth(
  { solPrices }: Books,
  pool: PoolRecord,
  timeMs: number,
): PoolDepth | null {
  const solUsd = solPrices.usdPerQuote(WRAPPED_SOL);
  if (solUsd === null) return null;
  return poolDepth(pool, { timeMs, feeBps: poolFeeBps(pool.venue), solUsd });
}

function isLaunchpadLocked({ pools }: Books, { pool, baseMint }: PoolState): boolean {
  return pools
    .ofMint(baseMint)
    .some(({ venue, migratedTo }) => migratedTo === pool && LOCKING_LAUNCHPADS.has(venue));
}

/** Null for a mint that is older than the held history and of which nobody told. */
function isFreezable({ freezeAuthority, older }: TokenState): boolean | null {
  if (freezeAuthority !== null) return true;
  const isKnown = older === null || older.told.some(({ part }) => part === 'freezeAuthority');
  return isKnown ? false : null;
}

/** The larger one of the fee and that which is to replace it; null while extensions are unknown. */
function transferFeeBps({ tokenProgram, extensions, older }: TokenState): number | null {
  const fees = extensions.flatMap((extension) =>
    extension.kind === 'transferFee' || extension.kind === 'nextTransferFee'
      ? extension.feeBps
      : [],
  );
  if (fees.length > 0) return Math.max(...fees);
  return tokenProgram === SPL_TOKEN_PROGRAM || older === null ? 0 : null;
}
