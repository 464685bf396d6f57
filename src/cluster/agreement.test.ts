import { describe, expect, it } from 'vitest';
import { asSlot } from '../model/units.ts';
import { Agreement, type Vote } from './agreement.ts';

const vote = (replica: string, slot: number, digest: string, rest: Partial<Vote> = {}): Vote => ({
  replica,
  rules: 'rules 1',
  slot: asSlot(slot),
  blockhash: `hash-${slot}`,
  lateSeq: 0,
  digest,
  ...rest,
});

/** The states of these replicas after all of them have heard all votes, in every order. */
function statesAfter(names: readonly string[], votes: readonly Vote[]): string[] {
  const orders = permutations(votes);
  const results = orders.map((order) =>
    names
      .map((name) => {
        const agreement = new Agreement(name, 'rules 1');
        // All have voted on the slot before.
        for (const { replica } of votes) agreement.take(vote(replica, 4, 'x'));
        for (const each of order) agreement.take(each);
        return agreement.status.state;
      })
      .join(' '),
  );
  return [...new Set(results)];
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe('replicas that compare their states', () => {
  it('agree where all have the same digest, whatever the order of votes', () => {
    const votes = [vote('a', 5, 'x'), vote('b', 5, 'x'), vote('c', 5, 'x')];
    expect(statesAfter(['a', 'b', 'c'], votes)).toEqual(['agreed agreed agreed']);
  });

  it('find the one of three that differs, at the first slot that all voted on', () => {
    const votes = [vote('a', 5, 'x'), vote('b', 5, 'wrong'), vote('c', 5, 'x')];
    expect(statesAfter(['a', 'b', 'c'], votes)).toEqual(['agreed minority agreed']);
  });

  it('do not decide between two, or where nobody has a majority', () => {
    expect(statesAfter(['a', 'b'], [vote('a', 5, 'x'), vote('b', 5, 'y')])).toEqual([
      'differing differing',
    ]);
    const split = [vote('a', 5, 'x'), vote('b', 5, 'y'), vote('c', 5, 'z')];
    expect(statesAfter(['a', 'b', 'c'], split)).toEqual(['differing differing differing']);
    const even = [vote('a', 5, 'x'), vote('b', 5, 'x'), vote('c', 5, 'y'), vote('d', 5, 'y')];
    expect(statesAfter(['a', 'd'], even)).toEqual(['differing differing']);
  });

  it('compare nothing of another version, another fork or with other late slots', () => {
    const others = [
      vote('b', 5, 'y', { rules: 'rules 2' }),
      vote('c', 5, 'y', { blockhash: 'fork' }),
      vote('d', 5, 'y', { lateSeq: 7 }),
    ];
    const agreement = new Agreement('a', 'rules 1');
    for (const each of [vote('a', 5, 'x'), ...others]) agreement.take(each);
    expect(agreement.status.state).toBe('alone');
    expect(agreement.status.otherRules).toEqual(['b']);
  });

  it('stay in the minority until a restart, and let nobody vote twice on a slot', () => {
    const agreement = new Agreement('a', 'rules 1');
    const votes = [vote('a', 5, 'x'), vote('b', 5, 'y'), vote('b', 5, 'x'), vote('c', 5, 'y')];
    for (const each of votes) agreement.take(each);
    expect(agreement.status.state).toBe('minority');
    for (const name of ['a', 'b', 'c']) agreement.take(vote(name, 6, 'z'));
    expect(agreement.status.state).toBe('minority');
  });

  it('name each other with the last slot that was compared', () => {
    const agreement = new Agreement('a', 'rules 1');
    for (const each of [
      vote('a', 5, 'x'),
      vote('b', 5, 'x'),
      vote('a', 6, 'x'),
      vote('b', 6, 'y'),
    ]) {
      agreement.take(each);
    }
    expect(agreement.status).toMatchObject({
      state: 'differing',
      slot: 6,
      others: [{ name: 'b', slot: 6, isEqual: false }],
    });
  });

  it('remember a bounded number of slots', () => {
    const agreement = new Agreement('a', 'rules 1');
    for (let slot = 0; slot < 600; slot++) agreement.take(vote('a', slot, 'x'));
    agreement.take(vote('b', 3, 'y'));
    expect(agreement.status.state).toBe('alone');
    agreement.take(vote('b', 599, 'x'));
    expect(agreement.status.state).toBe('agreed');
  });
});
