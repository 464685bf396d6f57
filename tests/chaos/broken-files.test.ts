import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runCommand, temporaryFolder, writeLines } from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';

interface Summary {
  readonly slots: number;
  readonly added: { readonly slots: number; readonly known_slots: number };
  readonly digest: string;
}

async function replay(dataDir: string, paths: readonly string[]) {
  const args = ['replay', ...paths, '--json', '--data-dir', dataDir];
  const { stdout, stderr } = await runCommand(args);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Summary;
  return { summary, stderr };
}

describe('recorded files that are cut, mixed and duplicated (F-24)', () => {
  test('are read up to the damage, reported by byte, and give the calm digest once complete', async () => {
    const folder = temporaryFolder();
    const blocks = marketBlocks(120);
    const first = writeLines(folder, 'z-first.jsonl', blocks.slice(0, 60));
    const twice = writeLines(folder, 'b-twice.jsonl', blocks.slice(0, 60));
    const mixed = writeLines(folder, 'a-mixed.jsonl', blocks.slice(60, 90).toReversed());
    const archive = gzipSync(
      blocks
        .slice(90)
        .map((block) => JSON.stringify(block))
        .join('\n'),
    );
    const cut = join(folder, 'm-cut.jsonl.gz');
    writeFileSync(cut, archive.subarray(0, archive.length / 2));

    const dataDir = temporaryFolder();
    const partly = await replay(dataDir, [first, twice, mixed, cut]);
    expect(partly.stderr).toMatch(/m-cut\.jsonl\.gz.*compressed byte \d+ of \d+/);
    expect(partly.summary.slots).toBeGreaterThanOrEqual(90);
    expect(partly.summary.slots).toBeLessThan(120);

    writeFileSync(cut, archive);
    const whole = await replay(dataDir, [mixed, cut, twice, first]);
    expect(whole.summary.added).toMatchObject({
      slots: 120 - partly.summary.slots,
      known_slots: partly.summary.slots,
    });
    const calm = writeLines(folder, 'calm.jsonl', blocks);
    const expected = await replay(temporaryFolder(), [calm]);
    expect(whole.summary.slots).toBe(120);
    expect(whole.summary.digest).toBe(expected.summary.digest);
  });
});
