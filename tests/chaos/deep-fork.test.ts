import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';
import { storedRows } from '../support/stored-rows.ts';
import { calmState, stateOf } from './data-folder-state.ts';
import { StormService } from './storm-service.ts';

const PATIENCE_MS = 300_000;
const SLOTS = 140;

/** Follows the chain until this slot is final, then stops in an orderly way. */
async function follow(chain: FollowedChain, dataDir: string, finalSlot: number): Promise<void> {
  const service = serve(chain, dataDir);
  try {
    await service.until((figures) => (figures.finalSlot ?? 0) >= finalSlot, PATIENCE_MS);
    await service.stop();
  } finally {
    service.process.process.kill('SIGKILL');
  }
}

function serve(chain: FollowedChain, dataDir: string): StormService {
  const rpcUrl = chain.endpoints[0]?.url ?? '';
  return new StormService({ dataDir, rpcUrl, paths: ['/readyz'] });
}

describe('a fork deeper than finality (F-09)', () => {
  test('stops writing with a message that names the remedy, which gives the state of a calm run', async () => {
    await using stored = await FollowedChain.start({ slots: SLOTS, market: { seed: 'stored' } });
    await using other = await FollowedChain.start({ slots: SLOTS, market: { seed: 'other' } });
    const dataDir = temporaryFolder();
    const tip = other.canonical.at(-1)?.block.slot ?? 0;
    stored.run(20);
    await follow(stored, dataDir, tip - 20);
    const before = await storedRows(dataDir);

    // The same slots of the same network, each with another block.
    other.run(20);
    const forked = serve(other, dataDir);
    const line = await forked.process.shows(/"code":"deep-fork".*"message":"([^"]+)"/, PATIENCE_MS);
    expect(line[1]).toContain('a fork deeper than finality');
    expect(line[1]).toMatch(
      /Compare with a second node; nothing is written until the log is rebuilt/,
    );
    let readyz = await forked.get('/readyz');
    // Until then a lag may be what makes the service unready.
    const isStopped = () => readyz.text.includes('a fork deeper than finality');
    while (!isStopped()) readyz = await forked.get('/readyz');
    expect(readyz.status).toBe(503);
    expect((await forked.get('/metrics')).text).toMatch(/^mintscope_source_stopped 1$/m);
    const figures = forked.figures;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(forked.figures.finalSlot).toBe(figures.finalSlot);
    await forked.stop();
    expect(await storedRows(dataDir)).toEqual(before);

    // The remedy: the present chain from an empty folder.
    const rebuilt = temporaryFolder();
    await follow(other, rebuilt, (other.canonical.at(-1)?.block.slot ?? 0) + 10);
    const state = await stateOf(rebuilt, []);
    const steps = other.canonical.filter(
      ({ block }) => block.slot >= state.firstSlot && block.slot <= state.lastSlot,
    );
    const calm = await calmState(temporaryFolder(), [], steps, state.observations);
    expect(state.digest).toBe(calm.digest);
    expect(state.rows).toEqual(calm.rows);
  });
});
