import { HttpClient } from '../../../lib/http-client/http-client.ts';
import type { SocialPost } from '../../../model/social-post.ts';
import type { Collector, CollectorContext } from '../../collecting/collector.ts';
import { isBadRequest, type PollOutcome, refusalOf } from '../../collecting/poll.ts';
import { polledCollector } from '../../collecting/polled-collector.ts';
import { fieldsOf, listOf, parseFields } from '../../collecting/read-fields.ts';
import { RequestPace } from '../../collecting/request-pace.ts';
import { type SearchPage, SearchRounds, timeMarks } from '../../collecting/search-rounds.ts';
import type { Tally } from '../../collecting/tally.ts';
import { quotedTerms } from '../../collecting/term-groups.ts';
import { readCast } from './read-cast.ts';

export interface FarcasterSettings {
  readonly baseUrl: string;
  /** The API key of Neynar. */
  readonly apiKey: string;
  readonly pollMs: number;
  readonly requestsPerMinute: number;
  readonly queriesMax: number;
}

const CASTS_MAX = 100;
const CURSOR_LENGTH_MAX = 2_000;
/** The search finds casts with a short delay, in no strict order. */
const OVERLAP_MS = 60_000;

/** Neynar's search of all of Farcaster. It reports no deletions; casts cannot be edited. */
export function createFarcasterCollector(settings: FarcasterSettings): Collector {
  return polledCollector('farcaster', 'farcaster', (context, tally) => {
    const { baseUrl, apiKey } = settings;
    const client = new HttpClient({ baseUrl, headers: { 'x-api-key': apiKey } });
    const rounds = createRounds(settings, client, context, tally);
    return { round: () => rounds.round(), close: () => client.close() };
  });
}

function createRounds(
  settings: FarcasterSettings,
  client: HttpClient,
  context: CollectorContext,
  tally: Tally,
): SearchRounds {
  const { requestsPerMinute: perMinute, pollMs, queriesMax: groupsMax } = settings;
  const pace = new RequestPace(context.clock, { perMinute, burst: Math.min(5, perMinute) });
  const kept = parseFields(context.cursor.read() ?? '')?.sinces;
  const form = { start: '(', joiner: ' | ', end: ')', lengthMax: 500, groupsMax };
  const platform = {
    form,
    pollMs,
    pagesMax: 20,
    terms: quotedTerms,
    marks: timeMarks({ overlapMs: OVERLAP_MS, oldestMs: 7 * 86_400_000 }),
    readPage: async (query: string, since: bigint, page: string | null) => {
      await pace.take(context.signal);
      tally.add('requests');
      return await readPage(client, context, tally, { query, since, page });
    },
  };
  return new SearchRounds(platform, {
    context,
    tally,
    kept,
    keep: async (sinces) => await context.cursor.write(JSON.stringify({ sinces })),
  });
}

async function readPage(
  client: HttpClient,
  { signal, nowMs }: CollectorContext,
  tally: Tally,
  { query, since, page }: { query: string; since: bigint; page: string | null },
): Promise<SearchPage | PollOutcome | { readonly kind: 'refused' }> {
  const after = new Date(Number(since) - OVERLAP_MS).toISOString().slice(0, 19);
  const answer = await client.request(
    {
      path: '/v2/farcaster/cast/search/',
      query: {
        q: `${query} after:${after}`,
        mode: 'literal',
        sort_type: 'desc_chron',
        limit: CASTS_MAX,
        cursor: page,
      },
    },
    signal,
  );
  if (isBadRequest(answer)) return { kind: 'refused' };
  const refusal = refusalOf(answer, 'Neynar', nowMs());
  if (refusal !== null || answer.kind === 'failed') {
    return refusal ?? { kind: 'failed', message: 'Neynar gave no answer.' };
  }
  const { casts, next } = fieldsOf(fieldsOf(answer.json).result);
  const posts = listOf(casts)
    .slice(0, CASTS_MAX)
    .flatMap((cast) => readCast(cast, nowMs(), tally) ?? []);
  const { cursor } = fieldsOf(next);
  return {
    kind: 'page',
    events: posts.map((post) => ({ kind: 'post', post }) as const).reverse(),
    newest: newestOf(posts),
    next: typeof cursor === 'string' && cursor.length <= CURSOR_LENGTH_MAX ? cursor || null : null,
  };
}

function newestOf(posts: readonly SocialPost[]): bigint | null {
  if (posts.length === 0) return null;
  return BigInt(Math.max(...posts.map(({ createdAtMs }) => createdAtMs)));
}
