import type { IndicatorRecord } from '../../model/indicators.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { FIGURES_EXAMPLE, LeadingFigures, TrailingFigures } from './indicator-figures.ts';
import type { presentSocialScores } from './present-social.ts';
import { address, decimal, instant, integer, maybeInstant, nullable, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** The state of a pool beside its indicators. */
interface PoolState {
  readonly social: ReturnType<typeof presentSocialScores>;
  readonly createdAtMs: number | null;
  readonly updatedAtMs: number | null;
  readonly isActive: boolean;
}

/** Figures of posts are not functions of the slot of the response. */
const OF_POSTS = 'No slot decides it: it is as of last_updated of GET /v1/socials/summary.';

/** Body of the current indicators, keys in the order of CONTRACT §2.2. */
export const IndicatorsBody = wireRecord<IndicatorRecord, PoolState>()(
  {
    pair_address: [address, 'pool'],
    token_address: [address, 'baseMint'],
    ...LeadingFigures.fields,
    social_sentiment_score: [
      nullable(decimal),
      (_, { social }) => social.social_sentiment_score,
      'Sentiment of the posts of the last hour, from −1 to 1, with three decimals. The weight ' +
        'of a post halves every fifteen minutes. 0 without posts; null for a token whose posts ' +
        `are not collected. ${OF_POSTS}`,
    ],
    social_blast_radius_score: [
      nullable(integer),
      (_, { social }) => social.social_blast_radius_score,
      'Estimated reach of the posts of the last hour: quality-weighted followers of the ' +
        'authors, plus 10 % for each doubling of reposts. Null for a token whose posts are not ' +
        `collected. ${OF_POSTS}`,
    ],
    status: [
      word(['active', 'inactive']),
      (_, { isActive }) => (isActive ? 'active' : 'inactive'),
      'inactive after 24 hours of chain time without a swap.',
    ],
    attempts: [
      integer,
      () => 0,
      'Failed attempts to compute these indicators. Always 0: they are computed from each slot as ' +
        'it is applied, and an answer that cannot be computed is an error instead.',
    ],
    created_at: [
      nullable(instant),
      (_, { createdAtMs }) => createdAtMs,
      'Block time of the slot the indicators are as of; null (extension of the ' +
        'specification) if no block time is known.',
    ],
    updated_at: [maybeInstant, (_, { updatedAtMs }) => updatedAtMs],
    ...TrailingFigures.fields,
  },
  {
    description: 'Current indicators of the pool.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        pair_address: EXAMPLE.pool,
        token_address: EXAMPLE.mint,
        ...FIGURES_EXAMPLE,
        social_sentiment_score: '0.847',
        social_blast_radius_score: 284729,
        status: 'active',
        attempts: 0,
        created_at: EXAMPLE.instant,
        updated_at: EXAMPLE.instant,
      },
    ],
  },
);
