import type { Simulation } from '../../simulator/simulation.ts';
import { monotonicClock } from '../lib/clock.ts';
import { printAbove } from '../lib/terminal/print-above.ts';
import { terminalOf } from '../lib/terminal/terminal.ts';
import type { Address } from '../model/units.ts';
import type { Service } from '../service/app.ts';

/** Minimum number of buys of an example pool. */
const EXAMPLE_BUYS_MIN = 20;
/** Minimum number of posts since migration of an example token. */
const EXAMPLE_POSTS_MIN = 30;
/** Minimum confidence of findings returned by the API. */
const CONFIDENCE_MIN = 0.5;
/** Poll interval: posts are counted and findings stored several seconds after they occur. */
const POLL_MS = 7_000;

/** How to reach the service, as used in a command line. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

export interface ExampleParts {
  readonly simulation: Simulation;
  readonly access: Access;
  readonly service: Service;
  readonly signal: AbortSignal;
  /** Whether the service counts posts. */
  readonly hasPosts: boolean;
  readonly print?: (text: string) => void;
}

/**
 * Prints example requests: immediately for the most traded token, and for posts and a fraud finding
 * as soon as there are any.
 */
export async function reportExamples(parts: ExampleParts): Promise<void> {
  const { signal, hasPosts, print = printExamples } = parts;
  print(marketExamples(parts));
  const later = hasPosts ? [socialExamples, fraudExamples] : [fraudExamples];
  while (later.length > 0 && !signal.aborted) {
    await monotonicClock.sleep(POLL_MS, signal);
    for (const examples of [...later]) {
      if (signal.aborted) return;
      const text = await examples(parts);
      if (text === null) continue;
      print(text);
      later.splice(later.indexOf(examples), 1);
    }
  }
}

/** On a terminal, in the place of its status line; the terminal breaks what is too long to copy. */
function printExamples(text: string): void {
  const terminal = terminalOf(1);
  if (terminal === null) process.stdout.write(text);
  else printAbove(terminal, text.replaceAll(/^(curl -H "[^"]*") '/gm, "$1 \\\n  '").split('\n'));
}

interface ExampleToken {
  readonly mint: Address;
  readonly pool: Address;
  readonly buys: number;
  readonly isMigrated: boolean;
  /** Posts since the token left its curve, from which on they are counted; 0 before. */
  readonly posts: number;
}

function marketExamples(parts: ExampleParts): string {
  const example = exampleToken(parts);
  if (example === null || example.buys < EXAMPLE_BUYS_MIN) {
    return linesOf(parts, 'The simulated market is live', ['/v1/tokens', '/v1/coverage']);
  }
  const { mint, pool } = example;
  return linesOf(parts, 'The simulated market is live. Ask it, for example', [
    `/v1/token/${mint}`,
    `/v1/token/${mint}/holders?limit=10`,
    `/v1/market/ohlc?token_address=${mint}&interval=15s`,
    `/v1/indicators/current?pair_address=${pool}`,
    '/v1/coverage',
  ]);
}

function socialExamples(parts: ExampleParts): string | null {
  const example = exampleToken(parts);
  if (example === null || example.posts < EXAMPLE_POSTS_MIN) return null;
  return linesOf(parts, 'People post about a token that left its curve', [
    `/v1/socials/summary?token_address=${example.mint}`,
    `/v1/socials/posts?token_address=${example.mint}&page_number=1&page_size=10&ordering=created_at:desc`,
  ]);
}

async function fraudExamples(parts: ExampleParts): Promise<string | null> {
  const { simulation, service } = parts;
  for (const { mint, endSlot } of simulation.truth.labels.attacks) {
    if (endSlot === null) continue;
    const query = { mint, confidenceMin: CONFIDENCE_MIN, asOfSlot: null };
    const [found] = await service.store.classifications.ofMint(query);
    if (found === undefined) continue;
    const paths = [
      `/v1/fraud/check?token_address=${mint}`,
      `/v1/fraud/classifications/${found.id}`,
    ];
    return linesOf(parts, 'Fraud was found in a token', paths);
  }
  return null;
}

/**
 * The token with the most posts since it left its curve, if there is one; otherwise the most traded
 * token, preferring those that left their curve.
 */
function exampleToken({ simulation, service }: ExampleParts): ExampleToken | null {
  const { engine } = service.ingestion;
  const { truth } = simulation;
  const [example = null] = truth.launches
    .flatMap(({ mint, pool: first }) => {
      const pool = engine.token(mint)?.primaryPool ?? null;
      if (pool === null) return [];
      const buys = truth.pools.get(pool)?.buys ?? 0;
      const isMigrated = (engine.pool(first)?.migratedTo ?? null) !== null;
      const posts = isMigrated ? postsSince(simulation, mint, migratedMs(service, mint)) : 0;
      return [{ mint, pool, buys, isMigrated, posts }];
    })
    .sort(
      (a, b) => b.posts - a.posts || Number(b.isMigrated) - Number(a.isMigrated) || b.buys - a.buys,
    );
  return example;
}

function migratedMs({ ingestion: { engine } }: Service, mint: Address): number | null {
  return engine.token(mint)?.liquidityEvent?.timeMs ?? null;
}

function postsSince({ posts }: Simulation, mint: Address, sinceMs: number | null): number {
  if (sinceMs === null) return 0;
  const since = posts.minutesOf(mint).filter(({ minuteMs }) => minuteMs >= sinceMs);
  return since.reduce((sum, minute) => sum + minute.posts, 0);
}

function linesOf({ access: { url, key } }: ExampleParts, title: string, paths: readonly string[]) {
  const lines = paths.map((path) => `curl -H "X-API-Key: ${key}" '${url}${path}'`);
  return `${title}:\n${lines.join('\n')}\n`;
}
