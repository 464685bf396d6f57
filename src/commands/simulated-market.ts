import type { FastifyBaseLogger } from 'fastify';
import { PacedSource } from '../../simulator/faces/paced-source.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-config.ts';
import type { Source } from '../sources/source.ts';

/** How much of the market has happened when the service opens. */
const PAST_MS = 5 * 60_000;
/** A pool with fewer buys than this makes a poor example. */
const EXAMPLE_BUYS_MIN = 20;

/** How to reach the service: as it stands in a command line. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

/**
 * A simulated market whose present is now: its last minutes first, then slot by slot in real time.
 * Once the past is told, prints requests that have something to answer.
 */
export function startSimulatedMarket(
  seed: string,
  access: Access,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Source {
  const simulation = createSimulation({
    ...PRESETS.demo,
    seed,
    startMs: Math.floor(Date.now() / 1_000) * 1_000 - PAST_MS,
  });
  logger.info({ seed }, 'simulated market: nothing here is on any real chain');
  return new PacedSource({
    chain: simulation,
    pastMs: PAST_MS,
    signal,
    onPresent: () => process.stdout.write(examplesOf(simulation, access)),
  });
}

/** Requests about the pool that people traded most, as lines to copy. */
function examplesOf({ truth, world }: Simulation, { url, key }: Access): string {
  const { launches, pools } = truth;
  const traded = launches
    .map(({ mint }) => world.openMarketOf(mint))
    .filter((market) => market !== null)
    .map(({ pool, baseMint }) => ({ pool, mint: baseMint, buys: pools.get(pool)?.buys ?? 0 }))
    .sort((a, b) => b.buys - a.buys);
  const example = traded[0];
  if (example === undefined || example.buys < EXAMPLE_BUYS_MIN) return '';
  const paths = [
    `/v1/token/${example.mint}`,
    `/v1/market/ohlc?token_address=${example.mint}&interval=15s`,
    `/v1/indicators/current?pair_address=${example.pool}`,
    '/v1/coverage',
  ];
  const lines = paths.map((path) => `curl -H "X-API-Key: ${key}" '${url}${path}'`);
  return `The simulated market is live. Ask it, for example:\n${lines.join('\n')}\n`;
}
