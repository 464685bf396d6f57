import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

function run(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'sentiment', ...args],
    { input, encoding: 'utf8' },
  );
  return { status, lines: stdout.split('\n').slice(0, -1), stderr };
}

const POSTS = 'this gem is sending 🚀 so bullish\n\ntotal scam, dev rugged us\n';

describe('mintscope sentiment', () => {
  it('prints a score for each line, including empty ones, and the same for a file', () => {
    const { status, lines } = run([], POSTS);
    expect(status).toBe(0);
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => /^-?[01]\.\d{4}$/.test(line))).toBe(true);
    expect(lines.map(Number).map(Math.sign)).toEqual([1, 0, -1]);
    const file = join(mkdtempSync(join(tmpdir(), 'posts-')), 'posts.txt');
    writeFileSync(file, POSTS);
    expect(run([file]).lines).toEqual(lines);
  });

  it('prints with --json: label, probabilities that sum to 1, score of the rules, model', () => {
    const rows = run(['--json'], POSTS).lines.map((line) => JSON.parse(line));
    expect(rows.map(({ label }) => label)).toEqual(['bullish', 'neutral', 'bearish']);
    const [first] = rows;
    expect(first.bearish + first.neutral + first.bullish).toBeCloseTo(1, 3);
    expect(first.rule_score).toBeGreaterThan(0.5);
    expect(first.model).toMatch(/^hashed-/);
  });

  it('prints one score for a post with other line separators', () => {
    // U+2028, U+2029, carriage return and others: only a line feed separates posts.
    const { status, lines } = run(
      ['--json'],
      'a gem\u2028a\u2029b\rc\u0085d\u000be\r\ntotal scam\n',
    );
    expect([status, lines.length]).toEqual([0, 2]);
    expect(run([], 'total scam').lines).toHaveLength(1);
    expect(run([], '').lines).toEqual([]);
  });

  it('refuses a folder and an endless line with one sentence', () => {
    const folder = run([tmpdir()]);
    expect([folder.status, folder.stderr]).toEqual([2, expect.stringContaining('is a folder')]);
    const endless = run([], `good\n${'x'.repeat(1_048_577)}`);
    expect([endless.status, endless.stderr]).toEqual([
      2,
      expect.stringContaining('Line 2 is longer than 1048576 bytes.'),
    ]);
    expect(endless.stderr).not.toContain('    at ');
  });

  it('shows an example in its help, and refuses a missing file', () => {
    expect(run(['--help']).lines.join('\n')).toContain('| mintscope sentiment');
    const missing = run(['/nowhere/posts.txt']);
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('no file')]);
  });
});
