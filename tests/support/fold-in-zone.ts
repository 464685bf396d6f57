/**
 * Folds a small market whose slots lie around the end of summer time in New York (2025-11-02, 06:00
 * UTC), and prints the state's digest, the first opening times of its candles, and how instants are
 * read and written.
 */

import { parseInstant } from '../../src/api/parameters/parse-instant.ts';
import { formatInstant } from '../../src/api/present/format-wire.ts';
import { Engine } from '../../src/engine/engine.ts';
import { marketFacts } from './followed-market.ts';
import { fallbackSolUsd } from './master-fixture.ts';

const CHANGE_MS = 1_762_063_200_000;
const SLOTS = 400;
const SLOT_MS = 400;

const engine = new Engine({ fallbackSolUsd });
const openTimes = new Set<number>();
for (const [index, facts] of marketFacts(SLOTS).entries()) {
  const blockTimeMs = CHANGE_MS + (index - SLOTS / 2) * SLOT_MS;
  const { candles } = engine.apply({ ...facts, blockTimeMs });
  for (const { openTimeMs } of candles) openTimes.add(openTimeMs);
}
const texts = ['2025-11-02', '2025-11-02T01:30', '2025-03-09T02:30:00', '2016-12-31T23:59:59Z'];
process.stdout.write(
  JSON.stringify({
    digest: engine.digest(),
    openTimes: [...openTimes].sort((one, other) => one - other).map(formatInstant),
    read: texts.map((text) => formatInstant(parseInstant(text) ?? Number.NaN)),
    offsetMinutes: new Date(CHANGE_MS).getTimezoneOffset(),
  }),
);
