/** Files too large for memory, read by a process with a heap of half a gigabyte. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lines } from '../support/record-folder.ts';
import { rpcLoose } from '../support/rpc-records.ts';

const READER = fileURLToPath(new URL('../support/read-recorded.ts', import.meta.url));
const MEBIBYTE = 2 ** 20;

describe('huge input (F-05, F-24)', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'huge-input-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** A file of a valid line, a line of a hundred megabytes, and another valid line. */
  function write(name: string, piece: string): string {
    const path = join(folder, name);
    const file = openSync(path, 'w');
    writeSync(file, lines(rpcLoose(8, 'a')));
    const filler = piece.repeat(MEBIBYTE / piece.length);
    for (let written = 0; written < 100; written++) writeSync(file, filler);
    writeSync(file, `\n${lines(rpcLoose(9, 'b'))}`);
    closeSync(file);
    return path;
  }

  function read(path: string) {
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--max-old-space-size=512', READER, path],
      { encoding: 'utf8', env: { ...process.env, NODE_NO_WARNINGS: '1' } },
    );
    return { status, ...JSON.parse(stdout === '' ? '{}' : stdout) };
  }

  test('a line of a hundred megabytes of open brackets is reported by its byte, not parsed', () => {
    const first = lines(rpcLoose(8, 'a')).length;
    const { status, slots, problems } = read(write('brackets.jsonl', '['));
    expect({ status, slots }).toEqual({ status: 0, slots: [8, 9] });
    expect(problems).toEqual([
      `not-json at line 2, byte ${first + 512}: more than 512 values inside each other`,
    ]);
  });

  test('a line of a hundred megabytes of brackets after commas is not parsed either', () => {
    const { status, slots, problems } = read(write('commas.jsonl', '[1,['));
    expect({ status, slots, problems: problems.length }).toEqual({
      status: 0,
      slots: [8, 9],
      problems: 1,
    });
  });

  test('four gigabytes without a line end are skipped in bounded memory', () => {
    const path = write('zeros.jsonl', '{}  ');
    truncateSync(path, 4 * 1_024 * MEBIBYTE);
    const { status, slots, problems, peakBytes } = read(path);
    expect({ status, slots }).toEqual({ status: 0, slots: [8, 9] });
    expect(problems).toHaveLength(2);
    expect(problems[1]).toMatch(
      /^unreadable at line 4, byte \d+: the line is longer than 268435456 bytes$/,
    );
    expect(peakBytes).toBeLessThan(1_024 * MEBIBYTE);
  });
});
