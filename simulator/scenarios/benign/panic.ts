import { stageOrdinaryToken } from '../audience.ts';
import { Innocents } from '../innocents.ts';
import type { BenignScenario } from '../scenario.ts';
import { pause } from '../script.ts';

const HOLDERS = { least: 30, more: 14 } as const;
const PANIC_MS = { least: 15_000, most: 60_000 } as const;
const LEAVING_SHARE = { least: 0.65, most: 0.9 } as const;

/** N9: many holders sell at the same time out of fear. */
export const panic: BenignScenario = {
  name: 'N9',
  describe: 'Unrelated holders all sell within a minute.',
  *run(context) {
    const { world, random } = context;
    const count = random.count(HOLDERS);
    const share = random.within(LEAVING_SHARE);
    const party = new Innocents(context, 'N9', { count, share });
    const staged = yield* stageOrdinaryToken(context, {
      quality: 0.3,
      onlookers: {
        count,
        overMs: 90_000,
        medianSol: 0.4,
        nervousShare: 0.1,
        impatientShare: 0,
      },
      purchases: count - 6,
    });
    if (staged === null) return;
    for (const wallet of staged.onlookers.wallets) party.add(wallet);
    party.begin(staged.mint, world.slot);
    const overMs = random.within(PANIC_MS);
    staged.onlookers.frighten(overMs, share);
    yield* pause(world, overMs + 10_000);
    party.end();
  },
};
