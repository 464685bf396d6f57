import { expect, test } from 'vitest';
import { Lane } from '../lane.ts';
import { SqlError, type SqlSession } from '../sql-session.ts';
import { salvageLog } from './salvage-log.ts';

/** Runs of slots that are written again, where slot 600 fails with `failure`. */
async function salvaged(failure: SqlError): Promise<[from: unknown, to: unknown][]> {
  const written: [unknown, unknown][] = [];
  const session: SqlSession = {
    rows: async <Row>(_: string, { from, to }: Record<string, unknown>) => {
      const isAll = from === undefined;
      if (!isAll && Number(from) <= 600 && Number(to) >= 600) throw failure;
      return [{ from: '0', to: '1000' } as Row];
    },
    command: async (_, { from, to }) => {
      written.push([from, to]);
    },
    insert: async () => undefined,
    close: async () => undefined,
  };
  const lane = new Lane([session], { name: 'writer', waitingMax: 1, servesClients: false });
  await salvageLog(lane, '1_1_1_0');
  return written;
}

test('writes again what can be read beside a damaged run', async () => {
  const written = await salvaged(new SqlError('Code: 40. corrupted', 40));
  expect(written[0]).toEqual([0, 500]);
  expect(written.some(([from, to]) => Number(from) <= 600 && Number(to) >= 600)).toBe(false);
  expect(written.at(-1)?.[1]).toBe(1_000);
});

test.each([
  ['no descriptor', new SqlError('Cannot open file: Too many open files', 76)],
  ['a lost connection', new SqlError('socket hang up', null)],
])('gives no rows up for %s', async (_, failure) => {
  await expect(salvaged(failure)).rejects.toThrow(failure.message);
});
