import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { AnswerReader, pathOf } from './answer-reader.ts';
import { ToolRefusal } from './api-answer.ts';

const Body = Type.Object({ count: Type.Integer() });

/** Answers by path; with status 200 unless said otherwise. */
function readerOf(
  answers: Readonly<
    Record<string, { status?: number; text: string; headers?: Record<string, string> }>
  >,
): AnswerReader {
  return new AnswerReader(async (path) => {
    const { status = 200, text, headers = {} } = answers[path] ?? { status: 404, text: '{}' };
    return { status, text, header: (name) => headers[name] ?? null };
  });
}

describe('answers that a tool reads', () => {
  test('are together as old as the oldest, and complete only if each is', async () => {
    const headers = (slot: number, ageMs: number, complete: boolean) => ({
      'x-slot': String(slot),
      'x-data-age-ms': String(ageMs),
      'x-complete': String(complete),
      'x-simulated': 'true',
    });
    const reader = readerOf({
      '/new': { text: '{"count":1}', headers: headers(12, 300, true) },
      '/old': { text: '{"count":2}', headers: headers(7, 2_500, false) },
    });
    expect(await reader.read('/new', Body)).toEqual({ count: 1 });
    expect(reader.provenance()).toMatchObject({ as_of_slot: 12, is_complete: true });
    await reader.read('/old', Body);
    expect(reader.provenance()).toEqual({
      chain: 'simulated',
      as_of_slot: 7,
      age_seconds: 2.5,
      is_complete: false,
    });
    expect(reader.dataTimeMs(10_000)).toBe(7_500);
  });

  test('are null where there is no such thing, and only where that is asked for', async () => {
    const reader = readerOf({});
    expect(await reader.find('/nothing', Body)).toBeNull();
    await expect(reader.read('/nothing', Body)).rejects.toThrow(ToolRefusal);
  });

  test.each([
    [{ status: 422, text: '{"message":"limit must be whole."}' }, 'limit must be whole.'],
    [
      { status: 503, text: '{"message":"Busy."}', headers: { 'retry-after': '3' } },
      'Busy. Try again in 3 s.',
    ],
    [{ status: 503, text: '{"message":"Busy."}', headers: { 'retry-after': 'now\n' } }, 'Busy.'],
    [{ status: 500, text: '<html>' }, 'The service gave no answer that can be used.'],
    [{ status: 400, text: '{"message":"a\u202eb"}' }, 'a\\u202eb'],
    [{ text: '{"count":"many"}' }, 'The service is of another version than this tool.'],
    [{ text: '<html>' }, 'The service is of another version than this tool.'],
  ])('that cannot be used are one sentence: %j', async (answer, message) => {
    await expect(readerOf({ '/x': answer }).read('/x', Body)).rejects.toThrow(message);
  });

  test('are asked for with encoded parameters, without those that are null', () => {
    expect(pathOf('/v1/tokens', { q: 'a&b=c', limit: 5, model: null })).toBe(
      '/v1/tokens?q=a%26b%3Dc&limit=5',
    );
    expect(pathOf('/v1/tokens', { model: null })).toBe('/v1/tokens');
  });
});
