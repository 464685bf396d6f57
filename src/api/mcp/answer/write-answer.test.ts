import { describe, expect, test } from 'vitest';
import { AnswerReader } from './answer-reader.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type Detail, writeAnswer } from './write-answer.ts';

const ADDRESS = 'HbwPjvGVMvYjAvcgv1Syz2NFHzNHW27sButz2App9mcH';
const LINKS = { api: ['/v1/tokens'], page: null };

function write(lists: Record<string, readonly string[]>, detail: Detail = 'short') {
  const reader = new AnswerReader(async () => {
    throw new Error('nothing is read');
  });
  const text = writeAnswer({ summary: 'Two lists.', lists, links: LINKS }, reader, detail);
  return { text, body: JSON.parse(text) };
}

describe('the text of an answer', () => {
  test('has whole lists and counts nothing as omitted where there is room', () => {
    const { body } = write({ one: [ADDRESS], other: [] });
    expect(body).toMatchObject({ summary: 'Two lists.', one: [ADDRESS], other: [], links: LINKS });
    expect(body).not.toHaveProperty('omitted');
  });

  test('leaves out the last entries beyond the bound of a list, and says how many', () => {
    const { body } = write({ one: Array.from({ length: 13 }, (_, at) => String(at)) });
    expect(body.one).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(body.omitted).toEqual({ one: 3 });
  });

  test('leaves out the last entries of the longest list until it is short enough', () => {
    const long = Array.from({ length: 10 }, () => ADDRESS.repeat(8));
    const { text, body } = write({ one: [ADDRESS], other: long });
    expect(estimateTokens(text)).toBeLessThanOrEqual(2_000);
    expect(body.one).toEqual([ADDRESS]);
    expect(body.other.length).toBeGreaterThan(0);
    expect(body.omitted.other).toBe(10 - body.other.length);
    // One entry more would have been too long.
    const entry = estimateTokens(`,"${ADDRESS.repeat(8)}"`);
    expect(estimateTokens(text) + entry).toBeGreaterThan(2_000);
    const full = write({ one: [ADDRESS], other: long }, 'full');
    expect(full.body.other).toHaveLength(10);
  });

  test('knows no slot and no age before anything was read', () => {
    expect(write({}).body.provenance).toEqual({
      chain: 'solana',
      as_of_slot: null,
      age_seconds: null,
      is_complete: true,
    });
  });
});
