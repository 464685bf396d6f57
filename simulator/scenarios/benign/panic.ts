import { stageOrdinaryToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';

const HOLDERS = { least: 30, more: 14 } as const;
const PANIC_MS = { least: 15_000, most: 60_000 } as const;
const LEAVING_SHARE = { least: 0.65, most: 0.9 } as const;

/**
 * N9: many holders sell at the same time out of fear. Unrelated holders all sell within a
 * minute.
 */
export function* panic(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(HOLDERS);
  const share = random.within(LEAVING_SHARE);
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.3,
    onlookers: { count, overMs: 90_000, medianSol: 0.4, nervousShare: 0.1, impatientShare: 0 },
    purchases: count - 6,
  });
  if (staged === null) return;
  for (const wallet of staged.onlookers.wallets) group.add(wallet);
  group.begin(staged.mint, world.slot, { count, share });
  const overMs = random.within(PANIC_MS);
  staged.onlookers.frighten(overMs, share);
  yield* pause(world, overMs + 10_000);
  group.end();
}
