import type { LiveEngine } from '../../src/bridge/live-rows.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import type { Address, RawAmount, Slot } from '../../src/model/units.ts';
import { fakeCandle, fakeIndicators, fakePool, fakeToken } from './fake-api-deps.ts';

/** An engine whose every answer is new: it counts its reads by kind. */
export class FakeLiveEngine implements LiveEngine {
  lastSlot = 1 as Slot;
  lastBlockhash: string | null = 'first';
  timeMs = 1_000;
  readonly solUsd = null;
  readonly asked: string[] = [];
  readonly supplies = new Map<Address, RawAmount>();

  token(mint: Address): TokenRecord {
    return fakeToken({ mint, supplyRaw: this.supplies.get(mint) ?? null });
  }

  pool(pool: Address) {
    this.asked.push(`pool ${pool}`);
    return fakePool({ pool, slot: this.lastSlot });
  }

  candle(scope: Address, openTimeMs: number) {
    this.asked.push(`candle ${scope} ${openTimeMs}`);
    return fakeCandle(openTimeMs, { scope, slot: this.lastSlot });
  }

  topHolders(mint: Address, limit: number) {
    this.asked.push(`${limit} holders ${mint}`);
    return [];
  }

  indicators(pool: Address) {
    this.asked.push(`indicators ${pool}`);
    return fakeIndicators({ pool, slot: this.lastSlot });
  }

  holderPage() {
    return { holders: [], count: this.asked.length, next: null };
  }

  wallet() {
    return null;
  }

  readonly walletReads = {
    links: () => ({ trades: [], transfers: [], liquidity: [], payments: [], classes: new Map() }),
    topTraders: () => ({ traders: [], next: null }),
    standings: () => [],
    positions: () => ({ positions: [], next: null }),
    recordedLinks: () => [],
    tokenBot: () => null,
    poolsOf: () => [],
  };
}
