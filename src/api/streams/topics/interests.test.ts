import { describe, expect, test } from 'vitest';
import { Interests } from './interests.ts';

function waiting(subjectsMax = 10) {
  let nowMs = 0;
  const sent: (readonly [number, readonly string[], readonly string[]])[] = [];
  const forgotten: string[] = [];
  const interests = new Interests({
    keptMs: 1_000,
    subjectsMax,
    nowMs: () => nowMs,
    onChanged: (id, added, removed) => sent.push([id, added, removed]),
    onForgotten: (subject) => forgotten.push(subject),
  });
  const answers: string[] = [];
  const enter = (subject: string, name = subject) =>
    interests.enter(subject, (isConfirmed) => answers.push(`${name} ${isConfirmed}`));
  const pass = (ms: number) => {
    nowMs += ms;
    interests.dropUnused();
  };
  return { interests, sent, forgotten, answers, enter, pass };
}

/** Changes are sent at the end of a turn. */
const turn = () => Promise.resolve();

describe('wanted subjects', () => {
  test('are requested together, each once, and confirmed to all that wait', async () => {
    const { interests, sent, answers, enter } = waiting();
    enter('a', 'first');
    enter('b');
    enter('a', 'second');
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual([[1, ['a', 'b'], []]]);
    expect(answers).toEqual([]);
    interests.confirm(1, true, 77);
    expect(answers).toEqual(['first true', 'second true', 'b true']);
    enter('a', 'third');
    expect(answers.at(-1)).toBe('third true');
    expect(interests.completeFrom('a')).toBe(77);
  });

  test('stay wanted for a time after their last subscription', async () => {
    const { interests, sent, forgotten, enter, pass } = waiting();
    enter('a');
    enter('a');
    await turn();
    interests.confirm(1, true, 5);
    interests.leave('a');
    pass(5_000);
    expect(interests.has('a')).toBe(true);
    interests.leave('a');
    pass(1_000);
    expect(interests.has('a')).toBe(true);
    pass(1);
    expect(interests.has('a')).toBe(false);
    expect(forgotten).toEqual(['a']);
    await turn();
    expect(sent.at(-1)).toEqual([2, [], ['a']]);
  });

  test('that are wanted again in time stay complete from where they were', async () => {
    const { interests, sent, enter, pass } = waiting();
    enter('a');
    await turn();
    interests.confirm(1, true, 5);
    interests.leave('a');
    pass(999);
    enter('a');
    pass(9_999);
    await turn();
    expect(interests.completeFrom('a')).toBe(5);
    expect(sent).toHaveLength(1);
  });

  test('are given up when the other thread cannot take them', async () => {
    const { interests, answers, enter } = waiting();
    enter('a');
    await turn();
    interests.confirm(1, false, 5);
    expect(answers).toEqual(['a false']);
    expect(interests.has('a')).toBe(false);
  });

  test('that were given up are confirmed by the later request alone', async () => {
    const { interests, answers, enter, pass } = waiting();
    enter('a', 'old');
    await turn();
    interests.leave('a');
    pass(1_001);
    await turn();
    enter('a', 'new');
    await turn();
    interests.confirm(1, true, 5);
    expect(answers).toEqual([]);
    interests.confirm(3, true, 9);
    expect(answers).toEqual(['new true']);
    expect(interests.completeFrom('a')).toBe(9);
  });

  test('make room for others when nobody uses them, and are refused when all are used', () => {
    const { interests, forgotten, enter } = waiting(2);
    enter('a');
    enter('b');
    expect(enter('c')).toBe(false);
    interests.leave('b');
    expect(enter('c')).toBe(true);
    expect(forgotten).toEqual(['b']);
    expect(interests.enterOwn('own', 3)).toBe(false);
    interests.leave('a');
    expect(interests.enterOwn('own', 3)).toBe(true);
    expect(interests.completeFrom('own')).toBe(3);
  });
});
