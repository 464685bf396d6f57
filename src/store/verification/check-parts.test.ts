import { describe, expect, test } from 'vitest';
import { Lane } from '../sql/lane.ts';
import { SqlError, type SqlSession } from '../sql/sql-session.ts';
import { checkParts } from './check-parts.ts';
import { type StoredPart, toPart } from './stored-part.ts';

const MB = 1_000_000;

function part(name: string, bytes: number): StoredPart {
  const found = toPart('swaps', name, { rows: 1, bytes, hash: name });
  if (found === null) throw new Error(`${name} is no name of a part`);
  return found;
}

/** An engine that reads 10 MB per millisecond, by its own clock. */
class Engine {
  nowMs = 0;
  readonly read: string[] = [];
  /** The recorded result for each part: its name, and whether it is intact. */
  readonly noted: [name: string, isWhole: boolean][] = [];
  private readonly parts: readonly StoredPart[];
  private readonly answers: Readonly<Record<string, string | SqlError>>;

  constructor(
    parts: readonly StoredPart[],
    answers: Readonly<Record<string, string | SqlError>> = {},
  ) {
    this.parts = parts;
    this.answers = answers;
  }

  check(budgetMs: number | null, share?: number) {
    const rows = async <Row>(sql: string): Promise<Row[]> => {
      const name = /PART '([^']+)'/.exec(sql)?.[1] ?? '';
      this.read.push(name);
      this.nowMs += (this.parts.find((one) => one.name === name)?.bytes ?? 0) / (10 * MB);
      const answer = this.answers[name];
      if (answer instanceof SqlError) throw answer;
      return [{ part_path: name, is_passed: answer === undefined, message: answer ?? '' } as Row];
    };
    const unused = async () => undefined;
    const session: SqlSession = {
      rows,
      bytes: async () => new Uint8Array(),
      insert: unused,
      command: unused,
      close: unused,
    };
    const lane = new Lane([session], { name: 'heavy', waitingMax: 1, servesClients: false });
    const nowMs = () => this.nowMs;
    return checkParts(lane, this.parts, {
      budgetMs,
      nowMs,
      onChecked: ({ name }, isWhole) => this.noted.push([name, isWhole]),
      ...(share === undefined ? {} : { share }),
    });
  }
}

describe('reading parts', () => {
  const parts = [part('1_1_1_0', 30 * MB), part('1_2_2_0', 900 * MB), part('1_3_3_0', 60 * MB)];

  test('reads all parts without a budget, and returns how much was read', async () => {
    const engine = new Engine(parts);
    expect(await engine.check(null)).toEqual({
      findings: [],
      bytes: 990 * MB,
      bytesTotal: 990 * MB,
      parts: 3,
      partsTotal: 3,
      unread: { parts: 0, bytes: 0, why: null },
    });
  });

  test('skips a part that would exceed the rest of the budget at the speed measured so far', async () => {
    const engine = new Engine(parts);
    const { bytes, parts: count } = await engine.check(20);
    expect(engine.read).toEqual(['1_1_1_0', '1_3_3_0'].slice(0, count));
    expect(engine.nowMs).toBeLessThanOrEqual(20);
    expect(bytes).toBeLessThan(990 * MB);
  });

  test('reads nothing once the budget is spent', async () => {
    const engine = new Engine(parts);
    expect(await engine.check(0)).toMatchObject({ bytes: 0, parts: 0, bytesTotal: 990 * MB });
  });

  test('ends once the share is read', async () => {
    const engine = new Engine(parts);
    await engine.check(null, 0.02);
    expect(engine.read).toEqual(['1_1_1_0']);
  });

  test('reports damaged parts, however the engine reports them, and skips merged ones', async () => {
    const mismatch =
      'Code: 40. DB::Exception: Checksum mismatch for file data.bin. (CHECKSUM_DOESNT_MATCH) (version 26)';
    const engine = new Engine(parts, {
      '1_1_1_0': mismatch,
      '1_2_2_0': new SqlError('Code: 40. DB::Exception: corrupted. (CHECKSUM_DOESNT_MATCH)', 40),
      '1_3_3_0': new SqlError('Code: 232. DB::Exception: No such data part', 232),
    });
    expect((await engine.check(null)).findings).toEqual([
      {
        kind: 'part-damaged',
        table: 'swaps',
        part: '1_1_1_0',
        why: 'Checksum mismatch for file data.bin',
      },
      { kind: 'part-damaged', table: 'swaps', part: '1_2_2_0', why: 'corrupted' },
    ]);
    expect(engine.noted).toEqual([
      ['1_1_1_0', false],
      ['1_2_2_0', false],
      ['1_3_3_0', true],
    ]);
  });

  test.each([
    ['time', 159, 'Code: 159. DB::Exception: Timeout exceeded: elapsed 600 seconds.'],
    ['memory', 241, 'Code: 241. DB::Exception: Memory limit exceeded.'],
    ['space', 243, 'Code: 243. DB::Exception: Cannot reserve 1 MiB.'],
    ['descriptors', 76, 'Code: 76. DB::Exception: Cannot open file: Too many open files.'],
  ])('calls no part damaged for want of %s, nor read', async (_, code, message) => {
    const engine = new Engine(parts, { '1_2_2_0': new SqlError(message, code) });
    const { unread, ...read } = await engine.check(null);
    expect(read).toMatchObject({ findings: [], parts: 2, bytes: 90 * MB });
    expect(unread).toMatchObject({ parts: 1, bytes: 900 * MB });
    expect(message).toContain(unread.why);
  });

  test('throws on a lost connection, which does not mean that the part is damaged', async () => {
    const engine = new Engine(parts, { '1_1_1_0': new SqlError('socket hang up', null) });
    await expect(engine.check(null)).rejects.toThrow('socket hang up');
  });
});
