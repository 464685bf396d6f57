import { afterAll, describe, expect, test } from 'vitest';
import { decodeBase58, encodeBase58 } from '../../src/lib/base58.ts';
import {
  RunningCommand,
  runCommand,
  temporaryFolder,
  writeLines,
} from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const SWAPS_PER_BLOCK = 3;
const NEW_DISCRIMINATOR = Uint8Array.of(0xee, 1, 2, 3, 4, 5, 6, 7);

interface RawBlock {
  readonly transactions: readonly {
    readonly transaction: { readonly message: { readonly instructions: { data: string }[] } };
  }[];
}

/** The block as it would be if the pool's program had renamed its swap instruction. */
function renamed(block: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(block);
  for (const { transaction } of (copy as unknown as RawBlock).transactions) {
    for (const instruction of transaction.message.instructions) {
      const bytes = decodeBase58(instruction.data) ?? new Uint8Array();
      bytes.set(NEW_DISCRIMINATOR);
      instruction.data = encodeBase58(bytes);
    }
  }
  return copy;
}

describe('a program that changes its layout', () => {
  const inputs = temporaryFolder();
  const blocks = marketBlocks(7);
  const before = writeLines(inputs, 'before.jsonl', blocks.slice(0, 4));
  const after = writeLines(inputs, 'after.jsonl', blocks.slice(4).map(renamed));
  const understood = 4 * SWAPS_PER_BLOCK;
  const unknown = 3 * SWAPS_PER_BLOCK;
  let server: RunningCommand | null = null;

  afterAll(async () => {
    server?.process.kill('SIGKILL');
    await server?.finished;
  });

  /** Metrics of a service that has replayed a file into the folder. */
  async function metricsAfter(path: string, dataDir: string): Promise<string> {
    const key = 'layout-change-test-key';
    const run = new RunningCommand(
      ['start', '--replay', path, '--port', '0', '--data-dir', dataDir],
      { MINTSCOPE_BOOTSTRAP_KEY: key },
    );
    server = run;
    const [, url = ''] = await run.shows(/(http:\S+)\/readyz/);
    await run.shows(/replay finished/);
    const answer = await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } });
    const text = await answer.text();
    run.process.kill('SIGTERM');
    await run.finished;
    return text;
  }

  test('increases the metric of unknown instructions', async () => {
    const dataDir = temporaryFolder();
    const counter = (outcome: string, count: number) =>
      `mintscope_instructions_total{program="raydium_cpmm",outcome="${outcome}"} ${count}\n`;
    const calm = await metricsAfter(before, dataDir);
    expect(calm).toContain(counter('event', understood));
    expect(calm).toContain(counter('unknown', 0));
    const changed = await metricsAfter(after, dataDir);
    expect(changed).toContain(counter('event', understood));
    expect(changed).toContain(counter('unknown', unknown));
    expect(changed).toContain(`mintscope_decode_problems_total{problem="unknown"} ${unknown}\n`);
  });

  test('is listed by an audit, with the unknown discriminator', async () => {
    const { stdout, exitCode } = await runCommand(['audit', before, after, '--json']);
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout) as { problems: string[] };
    expect(report).toMatchObject({
      programs: { raydium_cpmm: { event: understood, unknown, malformed: 0, quarantined: 0 } },
      pool_moving: { transactions: understood + unknown, explained: understood },
    });
    const named = report.problems.filter((line) => line.includes('ee01020304050607'));
    expect(named).toHaveLength(unknown);
    const calm = await runCommand(['audit', before, '--json']);
    expect(JSON.parse(calm.stdout)).toMatchObject({
      programs: { raydium_cpmm: { event: understood, unknown: 0 } },
      problems: [],
    });
  });
});
