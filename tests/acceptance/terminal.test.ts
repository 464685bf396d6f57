import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/lib/terminal/display-width.ts';
import {
  RunningCommand,
  runCommand,
  temporaryFolder,
  writeLines,
} from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { HAS_TERMINAL, screenOf, TerminalCommand } from '../support/terminal-screen.ts';

if (!HAS_TERMINAL) {
  process.stderr.write('SKIPPED: tests on a terminal need /usr/bin/script and /usr/bin/stty.\n');
}

/** `slot 123 · lag 0.4 s · 2.5 slots/s · no gaps · 210 MiB`; the simulated chain is in the past. */
const STATUS =
  /^slot (\d+) · lag \d[^·]* · (?:-|\d+\.\d) slots\/s · (?:no gaps|1 gap|\d+ gaps) · \d+ MiB$/;
const ESC = '\u001b';
const REASON_WORDS = /part of the input could not be used/;

function replayArguments(): string[] {
  const folder = temporaryFolder();
  const blocks = writeLines(folder, 'blocks.jsonl', [...marketBlocks(60), { not: 'a block' }]);
  return ['start', '--replay', blocks, '--port', '0', '--data-dir', `${folder}/data`];
}

test('the screen of a test shows what a terminal would', () => {
  expect(screenOf('one\r\ntwo\r\u001b[2Kthree')).toEqual(['one', 'three']);
  expect(screenOf('abcdef\r\nx\u001b[1A\r\u001b[Jnew')).toEqual(['new']);
  expect(screenOf('\u001b[31mred\u001b[39m\rR')).toEqual(['Red']);
});

describe.skipIf(!HAS_TERMINAL)('a service on a terminal', () => {
  describe.each([80, 120])('of %i columns', (columns) => {
    let command: TerminalCommand;

    beforeAll(async () => {
      command = new TerminalCommand(replayArguments(), columns, { NO_COLOR: '1' });
      await command.shows(/replay finished[\s\S]*slot 1059 · .*MiB/);
    });

    afterAll(async () => {
      command.kill('SIGKILL');
      await command.finished;
    });

    test('shows no line that is wider than the window, and no colour', () => {
      expect(command.screen.filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(command.output).not.toMatch(/\[[0-9;]*m/);
    });

    test('shows the box with the link to its pages, and the key once there and once to copy', () => {
      const box = command.screen.filter((line) => /^[╭│╰].*[╮│╯]$/.test(line));
      expect(box).toHaveLength(7);
      expect(box.join('\n')).toMatch(/Dashboard {2}http:\/\/127\.0\.0\.1:\d+\/ /);
      const [key = 'no key'] = /tik_live_\S+/.exec(box.join('\n')) ?? [];
      expect(command.screen.join('\n').split(key)).toHaveLength(3);
    });

    test('writes the log for people, with reasons in whole words', () => {
      const at = command.screen.findIndex((line) => REASON_WORDS.test(line));
      expect(command.screen[at]).toMatch(
        /^\d\d:\d\d:\d\d warn {2}part of the input could not be used/,
      );
      const next = command.screen.slice(at + 1).findIndex((line) => /^\S/.test(line));
      const text = command.screen.slice(at, at + 1 + next).map((line) => line.trim());
      expect(text.join(' ')).toMatch(/problem\.code=\S+ .*problem\.message=".+"/);
    });

    test('shows its status in the last line', () => {
      expect(command.screen.at(-1)).toMatch(/^slot 1059 · no gaps · \d+ MiB$/);
    });

    test('ends on Ctrl+C with 0, and leaves neither status nor styles behind', async () => {
      command.kill('SIGINT');
      expect(await command.finished).toBe(0);
      expect(command.screen.at(-1)).toBe('');
      expect(command.screen.at(-2)).toMatch(/stopped$/);
    });
  });

  describe.each([80, 120])('of %i columns, while it follows a chain', (columns) => {
    let chain: FollowedChain;
    let command: TerminalCommand;

    beforeAll(async () => {
      chain = await FollowedChain.start();
      const url = chain.endpoints.map((endpoint) => endpoint.url).join(',');
      const options = ['--port', '0', '--data-dir', `${temporaryFolder()}/data`];
      command = new TerminalCommand(['start', ...options], columns, {
        NO_COLOR: '1',
        SOLANA_RPC_URL: url,
      });
      await command.shows(/following the chain/, 180_000);
    });

    afterAll(async () => {
      command.kill('SIGKILL');
      await command.finished;
      await chain[Symbol.asyncDispose]();
    });

    test('shows slot, lag, rate, gaps and memory in the last line, and goes on with the chain', async () => {
      const status = () => STATUS.exec(command.screen.at(-1) ?? '');
      const slotShown = async (isNew: (slot: number) => boolean) => {
        for (;;) {
          const [, slot] = status() ?? [];
          if (slot !== undefined && isNew(Number(slot))) return Number(slot);
          await new Promise((wake) => setTimeout(wake, 50));
        }
      };
      chain.run(400);
      const first = await slotShown(() => true);
      const produced = chain.canonical.map(({ block }) => Number(block.slot));
      expect(produced).toContain(first);
      expect(await slotShown((slot) => slot > first)).toBeGreaterThan(first);
    });

    test('shows no line that is wider than the window, and the status once', () => {
      expect(command.screen.filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(command.screen.filter((line) => STATUS.test(line)).length).toBeLessThanOrEqual(1);
    });

    test('ends on Ctrl+C with 0 and without the status', async () => {
      command.kill('SIGINT');
      expect(await command.finished).toBe(0);
      expect(command.screen.filter((line) => STATUS.test(line))).toEqual([]);
      expect(command.screen.at(-2)).toMatch(/stopped$/);
    });
  });

  test('colours levels unless NO_COLOR is set', async () => {
    const command = new TerminalCommand(replayArguments(), 80);
    await command.shows(/\[36minfo/);
    command.kill('SIGINT');
    await command.finished;
  });

  test('wraps what a command refuses at words', async () => {
    const command = new TerminalCommand(['token', 'x'.repeat(20)], 40, { NO_COLOR: '1' });
    expect(await command.finished).toBe(2);
    const lines = command.screen.filter((line) => line !== '');
    expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
    expect(lines.join(' ')).toBe(
      `mintscope: "${'x'.repeat(20)}" is no address: one is the base58 text of 32 bytes, 32 to 44 characters.`,
    );
  });
});

describe('a service whose output programs read', () => {
  let command: RunningCommand;

  beforeAll(async () => {
    command = new RunningCommand(replayArguments(), { FORCE_COLOR: '1', TERM: 'xterm' });
    await command.shows(/replay finished/);
    command.process.kill('SIGTERM');
  });

  test('writes JSON lines alone to standard error, as without a terminal before', async () => {
    const { stderr } = await command.finished;
    const lines = stderr.trimEnd().split('\n');
    for (const line of lines) {
      const value = JSON.parse(line) as Record<string, unknown>;
      expect(JSON.stringify(value)).toBe(line);
      expect(Object.keys(value).slice(0, 2)).toEqual(['level', 'time']);
      expect(Object.keys(value).at(-1)).toBe('msg');
    }
    expect(stderr).not.toContain(ESC);
  });

  test('writes link, reference and key to standard output in these lines', async () => {
    const { stdout } = await command.finished;
    const url = 'http://127\\.0\\.0\\.1:\\d+';
    expect(stdout).toMatch(
      new RegExp(
        `^Dashboard: ${url}/\nMintscope listens on ${url}; its documentation is at ${url}/docs\n` +
          `API key, shown this once: (tik_live_\\S+)\n` +
          `curl -H 'X-API-Key: \\1' ${url}/readyz\n$`,
      ),
    );
  });

  test('a command that is refused says so in one line', async () => {
    const { stderr } = await runCommand(['token', 'x'.repeat(200)]);
    expect(stderr.match(/\n/g)).toHaveLength(1);
  });
});
