import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  RunningCommand,
  runCommand,
  temporaryFolder,
  writeLines,
} from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { storedRows } from '../support/stored-rows.ts';

const CLOCK = fileURLToPath(new URL('../support/skewed-clock.ts', import.meta.url));
const HOUR_MS = 3_600_000;
/** Start time of the simulated chain. */
const CHAIN_MS = Date.UTC(2026, 0, 1);

function skewed(skewMs: number, stepAfterMs?: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${CLOCK}`,
    CLOCK_SKEW_MS: String(skewMs),
    ...(stepAfterMs === undefined ? {} : { CLOCK_STEP_AFTER_MS: String(stepAfterMs) }),
  };
}

describe('a clock that is wrong (F-17)', () => {
  test('changes no figure and no row when it is an hour ahead, an hour behind or steps back two hours', async () => {
    const path = writeLines(temporaryFolder(), 'blocks.jsonl', marketBlocks(300));
    const outcomes: unknown[] = [];
    for (const clock of [{}, skewed(HOUR_MS), skewed(-HOUR_MS), skewed(HOUR_MS, 300)]) {
      const dataDir = temporaryFolder();
      const args = ['replay', path, '--json', '--data-dir', dataDir];
      const { stdout, stderr, exitCode } = await runCommand(args, clock);
      expect(exitCode, stderr).toBe(0);
      const { digest } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { digest: string };
      outcomes.push({ digest, rows: await storedRows(dataDir) });
    }
    const [calm, ...others] = outcomes;
    for (const other of others) expect(other).toEqual(calm);
  });

  test.each([
    ['behind the chain', -HOUR_MS, 200, /"\d{1,4} ms, \d+ slots behind the chain"/],
    ['ahead of the chain', HOUR_MS, 503, /3[56]\d{5} ms, \d+ slots behind the chain/],
  ])(
    'an hour %s shows no negative age, and is reported',
    async (_, skewMs, status, lag) => {
      await using chain = await FollowedChain.start({ slots: 120 });
      const key = 'clock-skew-test-key';
      const service = new RunningCommand(
        ['start', '--port', '0', '--data-dir', temporaryFolder(), '--log-level', 'warn'],
        {
          ...skewed(CHAIN_MS + skewMs - Date.now()),
          SOLANA_RPC_URL: chain.endpoints[0]?.url ?? '',
          MINTSCOPE_BOOTSTRAP_KEY: key,
        },
      );
      try {
        const [, url = ''] = await service.shows(/listens on (http:\S+);/, 60_000);
        const get = (path: string) => fetch(url + path, { headers: { 'x-api-key': key } });
        const figure = async (name: string) => {
          const text = await (await get('/metrics')).text();
          return Number(new RegExp(`^mintscope_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 'NaN');
        };
        chain.run(50);
        while (!((await figure('final_slot')) > 0)) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        expect(await figure('source_lag_seconds')).toBeGreaterThanOrEqual(0);
        const ready = await get('/readyz');
        expect([ready.status, await ready.text()]).toEqual([status, expect.stringMatching(lag)]);
        const answer = await get('/v1/coverage');
        expect(Number(answer.headers.get('x-data-age-ms'))).toBeGreaterThanOrEqual(0);
      } finally {
        service.process.kill('SIGKILL');
        await service.finished;
      }
    },
    400_000,
  );

  test.each([
    ['jumps an hour ahead', HOUR_MS, /clock was set ahead by 3[56]\d{5} ms/],
    ['is set back an hour', -HOUR_MS, /clock was set back by 3[56]\d{5} ms/],
  ])(
    'that %s keeps the service ready, hides no lag, and is logged',
    async (_, stepMs, logged) => {
      await using chain = await FollowedChain.start({ slots: 120 });
      const key = 'clock-skew-test-key';
      const stepFile = join(temporaryFolder(), 'step');
      const service = new RunningCommand(
        ['start', '--port', '0', '--data-dir', temporaryFolder(), '--log-level', 'warn'],
        {
          // The chain began a minute ago by the clock of this machine.
          ...skewed(CHAIN_MS + 48_000 - Date.now()),
          CLOCK_STEP_MS: String(stepMs),
          CLOCK_STEP_FILE: stepFile,
          SOLANA_RPC_URL: chain.endpoints[0]?.url ?? '',
          MINTSCOPE_BOOTSTRAP_KEY: key,
        },
      );
      try {
        const [, url = ''] = await service.shows(/listens on (http:\S+);/, 60_000);
        const get = (path: string) => fetch(url + path, { headers: { 'x-api-key': key } });
        chain.run(400);
        const readyWhen = async (isThere: (ready: { status: number; text: string }) => boolean) => {
          for (;;) {
            const answer = await get('/readyz');
            const ready = { status: answer.status, text: await answer.text() };
            if (isThere(ready)) return ready;
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
        };
        // Its clock is compared with the monotonic one from the first slot on.
        await readyWhen(({ status }) => status === 200);
        writeFileSync(stepFile, '');
        const ready = await readyWhen(({ text }) => logged.test(text));
        expect(ready).toEqual({
          status: 200,
          text: expect.stringMatching(
            /"\d{1,5} ms, \d+ slots behind the chain; this machine's clock/,
          ),
        });
      } finally {
        service.process.kill('SIGKILL');
        await service.finished;
      }
    },
    400_000,
  );
});
