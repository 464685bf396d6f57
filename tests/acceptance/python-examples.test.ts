import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type ExampleMarket, testExamples } from '../support/client-example-suite.ts';
import { HAS_PYTHON, startPython } from '../support/python.ts';

if (!HAS_PYTHON) process.stdout.write('SKIPPING the examples of Python: it is missing.\n');

beforeAll(() => {
  const build = ['--disable-warning=ExperimentalWarning', 'scripts/build-python-client.ts'];
  const { status, stderr } = spawnSync(process.execPath, build);
  if (status !== 0) throw new Error(String(stderr));
});

testExamples({
  isAvailable: HAS_PYTHON,
  path: resolve('clients/python/examples'),
  fileOf: (name) => `${name.replaceAll('-', '_')}.py`,
  start: (file, args, settings, folder) =>
    startPython(['-W', 'default', file, ...args], settings, { folder }),
  own: testTradesTable,
});

interface Trades {
  readonly trades: readonly { readonly value_usd: string | null }[];
}

function testTradesTable({ mints, run, answerOf }: ExampleMarket): void {
  test('trades-table adds up the trades that the list has, to the digit', async () => {
    const { trades } = await answerOf<Trades>(`/v1/trades?token_address=${mints()[0]}&limit=500`);
    expect(trades.length).toBeLessThan(250);
    const worth = trades.flatMap(({ value_usd }) => value_usd ?? []);
    const scale = Math.max(...worth.map((text) => text.split('.')[1]?.length ?? 0));
    const units = worth.reduce((sum, text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return sum + BigInt(whole + fraction.padEnd(scale, '0'));
    }, 0n);
    const output = await run('trades-table', [mints()[0] ?? '']);
    const [, count, total = ''] = /^(\d+) trades worth ([0-9.]+) USD\n/.exec(output) ?? [];
    const [whole = '', fraction = ''] = total.split('.');
    expect(Number(count)).toBe(trades.length);
    expect(BigInt(whole + fraction.padEnd(scale, '0'))).toBe(units);
  });
}
