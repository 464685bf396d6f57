import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { cursorEvidence, tradedIn } from './data-folder-state.ts';
import { StormChain } from './storm-chain.ts';
import { type ServiceFigures, StormService } from './storm-service.ts';
import { cursorDifferences, judge } from './storm-verdict.ts';

const STOP_MS = 10_000;
const PATIENCE_MS = 300_000;

const TICK_MS = 20;

/** How long work takes, without the time in which a busy machine kept even this process waiting. */
async function durationMs(work: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now();
  let lastMs = sinceMs;
  let lateMs = 0;
  const ticks = setInterval(() => {
    const nowMs = performance.now();
    lateMs += Math.max(0, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
  }, TICK_MS);
  try {
    await work();
    return performance.now() - sinceMs - lateMs;
  } finally {
    clearInterval(ticks);
  }
}

describe('SIGTERM during ingestion and requests (F-23)', () => {
  test('ends with 0 within ten seconds, keeps all final slots, and the next start continues', async () => {
    const chain = await StormChain.start('terminate', 1);
    const dataDir = temporaryFolder();
    const services: StormService[] = [];
    const start = () => {
      const [pool] = tradedIn(chain.steps).keys();
      const paths = ['/readyz', `/v1/indicators/current?pair_address=${pool}`];
      const service = new StormService({ dataDir, rpcUrl: chain.url, paths });
      services.push(service);
      return service;
    };
    try {
      chain.calm();
      chain.run(() => services.at(-1)?.figures ?? { headSlot: null, finalSlot: null });
      let shown: ServiceFigures | null = null;
      for (const finalSlots of [10, 30]) {
        const service = start();
        const begin = chain.steps[0]?.block.slot ?? 0;
        await service.until(
          ({ finalSlot }) => (finalSlot ?? 0) > begin + 30 + finalSlots,
          PATIENCE_MS,
        );
        shown = service.figures;
        expect(await durationMs(() => service.stop())).toBeLessThan(STOP_MS);
        expect(service.report.offences).toEqual([]);
        const evidence = await cursorEvidence(dataDir);
        expect(evidence?.slot).toBeGreaterThanOrEqual(shown.finalSlot ?? Number.NaN);
        expect(cursorDifferences(chain, evidence)).toEqual([]);
      }
      const verdict = await judge(chain, dataDir, temporaryFolder());
      expect(verdict.differences).toEqual([]);
      expect(verdict.trades).toBeGreaterThan(10);
    } finally {
      for (const service of services) service.process.process.kill('SIGKILL');
      await chain.close();
    }
  });
});
