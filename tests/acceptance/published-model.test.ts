/** A published model, end to end: from scripted trades to the answers of the API. */
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { fallbackSolUsd, START_MS } from '../support/master-fixture.ts';
import { playSlots } from '../support/signal-stage.ts';

const KEY = 'published-model-test-secret';
const MINUTE_MS = 60_000;
const SOL_USD = 150;
const POOL_SOL = 500;

interface Purchase {
  readonly wallet: number;
  readonly elapsedMs: number;
  /** In thousandths of the SOL in the pool. */
  readonly share: 1 | 5;
}

/** An hour of one small purchase per minute, each by another wallet. */
const quietHour: readonly Purchase[] = Array.from({ length: 61 }, (_, minute) => ({
  wallet: 100 + minute,
  elapsedMs: MINUTE_MS + (minute % 7) * 1_000 - 3_000,
  share: 1,
}));

/** Three minutes of larger purchases, by this many wallets. */
const crowd = (people: number): readonly Purchase[] =>
  Array.from({ length: 20 }, (_, place) => ({
    wallet: 300 + (place % people),
    elapsedMs: 7_000 + (place % 5) * 1_300,
    share: 5,
  }));

const after: readonly Purchase[] = [400, 401, 402].map((wallet) => ({
  wallet,
  elapsedMs: MINUTE_MS,
  share: 1,
}));

function marketOf(purchases: readonly Purchase[]): SlotFacts[] {
  return playSlots(
    purchases.map(({ wallet, elapsedMs, share }) => ({
      slots: 1,
      elapsedMs,
      trades: [{ curve: 0, wallet, isSale: false, share }],
    })),
  );
}

/**
 * Figures at the end of a minute, from the constant product alone: a purchase of a share `s` of the
 * SOL takes s / (1 + s) of the tokens, so its price is (1 + s) times the price before it.
 */
function figuresAt(purchases: readonly Purchase[], minuteMs: number) {
  let [timeMs, sol, marketCapSol, capBefore] = [START_MS, POOL_SOL, POOL_SOL, POOL_SOL];
  const buyers = new Set<number>();
  let volumeUsd = 0;
  for (const { wallet, elapsedMs, share } of purchases) {
    timeMs += elapsedMs;
    const ofMinuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    if (ofMinuteMs > minuteMs) break;
    const paid = share / 1_000;
    marketCapSol = (sol ** 2 / POOL_SOL) * (1 + paid);
    if (ofMinuteMs < minuteMs) capBefore = marketCapSol;
    if (ofMinuteMs > minuteMs - 5 * MINUTE_MS) {
      buyers.add(wallet);
      volumeUsd += sol * paid * SOL_USD;
    }
    sol *= 1 + paid;
  }
  const rise = marketCapSol / capBefore;
  return { buyers: buyers.size, volumeUsd, marketCapUsd: marketCapSol * SOL_USD, rise };
}

describe('organic_momentum', () => {
  const story = [...quietHour, ...crowd(20), ...after];

  test('signals once when a crowd buys a quiet token, and the API returns the features', async () => {
    const service = await openMarketService(temporaryFolder());
    service.store.keys.installBootstrap(KEY);
    await service.ingestion.ingest(finalSlots(marketOf(story)));
    const app = await apiInThread(service);
    const get = async (url: string) => {
      const answer = await app.inject({ url, headers: { 'x-api-key': KEY } });
      expect(answer.statusCode).toBe(200);
      return answer.json();
    };
    const from = new Date(START_MS).toISOString();
    const to = new Date(START_MS + 3 * 3_600_000).toISOString();
    const { signals } = await get(`/v1/signals?from_date=${from}&to_date=${to}`);
    expect(signals).toMatchObject([{ model_name: 'organic_momentum' }]);
    const [{ row_id: rowId, created_at: createdAt, signal_market_cap: signalMarketCap }] = signals;
    // The minute that had ended when the slot arrived.
    const minuteMs = Math.floor(Date.parse(createdAt) / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
    const { buyers, volumeUsd, marketCapUsd, rise } = figuresAt(story, minuteMs);
    expect(Number(signalMarketCap)).toBeCloseTo(marketCapUsd, 0);
    const { features } = await get(`/v1/signals/${rowId}`);
    expect(buyers).toBeGreaterThanOrEqual(15);
    expect(Number(features.organicBuyers5m)).toBe(buyers);
    expect(Number(features.organicVolumeUsd5m)).toBeCloseTo(volumeUsd, 1);
    expect(Number(features.priceToHourHigh)).toBeCloseTo(rise, 6);
    const statistics = await get(`/v1/signals/statistics?from_date=${from}&to_date=${to}`);
    expect(statistics).toMatchObject({
      total_signals: 1,
      model_breakdown: [{ model_name: 'organic_momentum', signal_count: 1 }],
    });
    await app.close();
    await service.close();
  });

  test.each([
    ['four wallets that buy much', [...quietHour, ...crowd(4), ...after]],
    ['a quiet hour', [...quietHour, ...after]],
  ])('gives no signal for %s', (_, purchases) => {
    const engine = new Engine({ fallbackSolUsd });
    const signals = marketOf(purchases).flatMap((facts) => engine.apply(facts).signals);
    expect(signals.filter(({ model }) => model !== 'random_minute')).toEqual([]);
  });
});
