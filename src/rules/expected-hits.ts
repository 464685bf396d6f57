import type { RuleHit } from '../model/rule-hit.ts';
import type { Address } from '../model/units.ts';
import type { RuleTest } from './file/rule-test.ts';

/** In a list of tokens, the token that a scenario is about. */
export const SUBJECT = 'subject';

const TOKENS_SHOWN_MAX = 3;

/** The hits of a rule in slots, and the token they are about; null for recorded slots. */
export interface FoundHits {
  readonly hits: readonly Pick<RuleHit, 'mint'>[];
  readonly subject: Address | null;
}

/** Null if the hits are as a test by slots expects, else a sentence. Pure. */
export function expectedHitsProblem(
  expect: RuleTest['expect'],
  { hits, subject }: FoundHits,
): string | null {
  if (expect === 'none')
    return hits.length === 0 ? null : `It should have no hit and has ${countOf(hits)}.`;
  if (typeof expect === 'string') {
    return 'A test by slots expects none, or hits with hits_at_least or tokens.';
  }
  const { hits_at_least: least, tokens } = expect;
  if (least !== undefined && hits.length < least) {
    return `It should have at least ${least} hits and has ${countOf(hits)}.`;
  }
  return tokens === undefined ? null : tokensProblem(tokens, { hits, subject });
}

function tokensProblem(tokens: readonly string[], { hits, subject }: FoundHits): string | null {
  if (subject === null && tokens.includes(SUBJECT)) {
    return `There is no ${SUBJECT} in recorded slots: name the mint.`;
  }
  const wanted = new Set(tokens.map((token) => (token === SUBJECT ? subject : token)));
  const found = new Set<string | null>(hits.map(({ mint }) => mint));
  const missing = [...wanted].filter((mint) => mint !== null && !found.has(mint));
  if (missing.length > 0) return `It should have hits of ${shown(missing)} and has none.`;
  const others = [...found].filter((mint) => !wanted.has(mint));
  return others.length === 0 ? null : `It has hits of other tokens: ${shown(others)}.`;
}

function countOf(hits: FoundHits['hits']): string {
  const tokens = [...new Set(hits.map(({ mint }) => mint))];
  return tokens.length === 0 ? 'none' : `${hits.length}, of ${shown(tokens)}`;
}

function shown(mints: readonly (string | null)[]): string {
  const more = mints.length - TOKENS_SHOWN_MAX;
  const names = mints.slice(0, TOKENS_SHOWN_MAX).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
