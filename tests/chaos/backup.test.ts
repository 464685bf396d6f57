import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
import { StormChain } from './storm-chain.ts';
import { pause, StormService } from './storm-service.ts';
import { judge, type Verdict } from './storm-verdict.ts';

/** A generous limit for busy machines. */
const PATIENCE_MS = 300_000;
/** Final slots before the first backup, and after which the service is killed. */
const SLOTS_BEFORE = 60;
const SLOTS_DURING = 120;
/** Final slots that the restored folder has to get by itself. */
const SLOTS_AFTER = 40;

/** Runs a command that must succeed, and returns its JSON line. */
async function succeeding(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runCommand([...args, '--json']);
  if (exitCode !== 0) throw new Error(`${args[0]} ended with ${exitCode}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

interface Digest {
  readonly digest: string;
  readonly slots: readonly number[];
}

async function digestOf(dataDir: string, atSlot: number | null): Promise<Digest> {
  const at = atSlot === null ? [] : ['--at-slot', String(atSlot)];
  return (await succeeding('digest', '--data-dir', dataDir, ...at)) as unknown as Digest;
}

function startService(dataDir: string, chain: StormChain): StormService {
  return new StormService({ dataDir, rpcUrl: chain.url, paths: [] });
}

/** Compares with a calm run over the same blocks, and with the market's own records. */
async function expectWhole(chain: StormChain, dataDir: string): Promise<Verdict> {
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true });
  const calm = temporaryFolder();
  try {
    const verdict = await judge(chain, copy, calm);
    expect(verdict.differences).toEqual([]);
    expect(verdict.digest).toBe(verdict.calmDigest);
    expect(verdict.trades).toBeGreaterThan(0);
    return verdict;
  } finally {
    for (const folder of [copy, calm]) rmSync(folder, { recursive: true });
  }
}

describe('a backup that is made while the chain is followed (H-11)', () => {
  test('is whole when restored elsewhere, continues there, and equals a calm run', async () => {
    const [root, dataDir] = [temporaryFolder(), join(temporaryFolder(), 'data')];
    const chain = await StormChain.start('backup', 1);
    chain.calm();
    let service = startService(dataDir, chain);
    chain.run(() => service.figures);
    const firstSlot = chain.tipSlot;
    const isFinal = (slots: number) =>
      service.until(({ finalSlot }) => (finalSlot ?? 0) >= firstSlot + slots, PATIENCE_MS);
    try {
      await isFinal(SLOTS_BEFORE);
      // An orderly stop makes a checkpoint, which the backups then contain.
      await service.stop();
      service = startService(dataDir, chain);
      await isFinal(SLOTS_BEFORE + 1);
      const backups: string[] = [];
      const backUp = async () => {
        const backup = join(root, `backup-${backups.length}`);
        backups.push(backup);
        return await succeeding('backup', backup, '--data-dir', dataDir);
      };
      while ((service.figures.finalSlot ?? 0) < firstSlot + SLOTS_DURING) {
        expect((await backUp()).is_linked).toBe(true);
      }
      // The service dies while the last one is made.
      const last = backUp();
      await pause(200);
      await service.kill();
      await last;

      for (const backup of backups) await succeeding('restore', backup, '--verify');
      const restored = join(root, 'restored');
      await succeeding('restore', backups.at(-1) ?? '', '--data-dir', restored);
      const checked = await succeeding('check', '--data-dir', restored);
      expect([checked.is_whole, checked.findings]).toEqual([true, []]);
      const [own, original] = [await digestOf(restored, null), await digestOf(dataDir, null)];
      const common = own.slots.filter((slot) => original.slots.includes(slot));
      expect(common.length).toBeGreaterThan(0);
      for (const slot of common) {
        const digests = [await digestOf(restored, slot), await digestOf(dataDir, slot)];
        expect(digests[0]?.digest).toBe(digests[1]?.digest);
      }
      const { slots } = await expectWhole(chain, restored);

      const again = startService(restored, chain);
      try {
        const until = (service.figures.finalSlot ?? 0) + SLOTS_AFTER;
        chain.leap(SLOTS_AFTER * 2, service.figures);
        await again.until(({ finalSlot }) => (finalSlot ?? 0) >= until, PATIENCE_MS);
      } finally {
        await again.stop();
      }
      expect((await expectWhole(chain, restored)).slots).toBeGreaterThan(slots);
    } finally {
      if (service.process.process.signalCode === null) await service.kill();
      await chain.close();
    }
  }, 900_000);
});
