import { Random } from '../../simulator/random/random.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import { FeatureWindows, MINUTE_MS, startOf } from '../../src/signals/features/feature-windows.ts';
import type { SignalTrade } from '../../src/signals/features/minute-bar.ts';
import { WindowReading } from '../../src/signals/features/window-reading.ts';

/** A feature of one pool: its value after each minute, computed from all trades. */
export type TapeFeature = (tape: readonly SignalTrade[]) => ReadonlyMap<number, number | null>;

/**
 * Names of features that depend on the future: their values before some moment change when the
 * trades after it are shuffled in time.
 */
export function findLeaks(
  features: Readonly<Record<string, TapeFeature>>,
  tapes: readonly (readonly SignalTrade[])[],
  seed: string,
): string[] {
  return Object.keys(features).filter((name) =>
    tapes.some((tape, at) => isLeaking(features[name], tape, new Random(`${seed}/${name}/${at}`))),
  );
}

const MOMENTS = 8;

function isLeaking(
  feature: TapeFeature | undefined,
  tape: readonly SignalTrade[],
  random: Random,
): boolean {
  const minutes = [...new Set(tape.map(({ timeMs }) => startOf(timeMs, MINUTE_MS)))];
  if (feature === undefined || minutes.length < 3) return false;
  const values = feature(tape);
  for (let moment = 0; moment < MOMENTS; moment++) {
    const lastMs = minutes[random.below(minutes.length - 1)] ?? 0;
    const shuffled = feature(shuffledAfter(tape, lastMs + MINUTE_MS, random));
    for (const [minuteMs, value] of values) {
      if (minuteMs <= lastMs && shuffled.get(minuteMs) !== value) return true;
    }
  }
  return false;
}

/** The same times, with the trades after the moment in another order. */
function shuffledAfter(
  tape: readonly SignalTrade[],
  afterMs: number,
  random: Random,
): SignalTrade[] {
  const before = tape.filter(({ timeMs }) => timeMs < afterMs);
  const after = tape.filter(({ timeMs }) => timeMs >= afterMs);
  const left = [...after];
  const shuffled = after.map(({ timeMs }) => {
    const [drawn] = left.splice(random.below(left.length), 1);
    return { ...(drawn as SignalTrade), timeMs };
  });
  return [...before, ...shuffled];
}

/** Figures of the window, read as the service reads them: when the first later minute begins. */
const READINGS: Readonly<Record<string, (reading: WindowReading) => number | null>> = {
  close: (reading) => reading.close,
  priceAgo: (reading) => reading.priceAgo(10),
  highBefore: (reading) => reading.highBefore(60),
  sixHourHigh: (reading) => reading.sixHourHigh,
  hourLow: (reading) => reading.hourLow?.price ?? null,
  organicBuyUsd: (reading) => reading.organicFlow(5)?.buyUsd ?? null,
  usualOrganicUsd: (reading) => reading.usualOrganicUsd,
  volumeUsd: (reading) => reading.volumeUsd(5),
  organicBuyers: (reading) => reading.organicBuyers(5),
  smartBuyers: (reading) => reading.smartBuyers(10),
};

export const WINDOW_FEATURES: Readonly<Record<string, TapeFeature>> = Object.fromEntries(
  Object.entries(READINGS).map(([name, read]) => [name, (tape) => foldTape(tape, read)]),
);

/** The rise to the next minute's close: a value that only the future shows. */
export const CANARY: TapeFeature = (tape) => {
  const closes = [...foldTape(tape, ({ close }) => close)];
  return new Map(
    closes.map(([minuteMs, close], at) => {
      const next = closes[at + 1]?.[1] ?? null;
      return [minuteMs, close === null || next === null ? null : next / close];
    }),
  );
};

function foldTape(
  tape: readonly SignalTrade[],
  read: (reading: WindowReading) => number | null,
): Map<number, number | null> {
  const windows = new FeatureWindows(new UndoLog());
  const values = new Map<number, number | null>();
  let minuteMs: number | null = null;
  for (const trade of tape) {
    const current = startOf(trade.timeMs, MINUTE_MS);
    const window = windows.window(trade.pool);
    if (minuteMs !== null && current > minuteMs && window !== null) {
      values.set(minuteMs, read(new WindowReading(window, minuteMs, (wallet) => wallet)));
    }
    minuteMs = current;
    windows.note(trade);
  }
  return values;
}
