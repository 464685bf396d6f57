import { describe, expect, it } from 'vitest';
import type { OffchainPosition } from '../../model/offchain-stream.ts';
import { type Fenced, OffchainFence } from './offchain-fence.ts';
import { encodeOffchain, type OffchainHead } from './offchain-message.ts';

const START: OffchainPosition = { logId: null, base: '', seq: 0, claim: null, gatherer: null };
const COMMON = { schema: 5, logId: 'log', id: 'one', writer: 'a' };
const WHOLE = { part: 0, parts: 1 };

/** Takes messages in order, from sequence 1 on. */
class Reader {
  readonly fence: OffchainFence;
  private seq: number;

  constructor(position: Partial<OffchainPosition> = {}) {
    this.seq = position.seq ?? 0;
    this.fence = new OffchainFence({ position: { ...START, ...position }, schema: 5, name: 's' });
  }

  take(head: Partial<OffchainHead> & Pick<OffchainHead, 'kind'>, text = ''): Fenced {
    const message = encodeOffchain({
      head: { ...COMMON, ...head } as OffchainHead,
      body: Buffer.from(text),
    });
    return this.fence.take({ seq: ++this.seq, ...message });
  }

  claim(writer: string, more: object = {}): Fenced {
    return this.take({ kind: 'claim', base: '', writer, id: `claim of ${writer}`, ...more });
  }

  changes(claim: number, text: string, more: object = {}): Fenced {
    return this.take({ kind: 'changes', claim, ...WHOLE, ...more }, text);
  }
}

function textOf(fenced: Fenced): string {
  return 'changes' in fenced ? Buffer.from(fenced.changes).toString() : fenced.kind;
}

describe('the fence of the stream of off-chain data', () => {
  it('takes changes of the last claim, and passes over those of earlier ones', () => {
    const reader = new Reader();
    expect(reader.changes(1, 'before any claim').kind).toBe('passed-over');
    expect(reader.claim('a').kind).toBe('claim');
    expect(textOf(reader.changes(2, 'of a'))).toBe('of a');
    expect(reader.claim('b').kind).toBe('claim');
    expect(reader.changes(2, 'of a, which woke')).toMatchObject({ reason: 'fenced' });
    expect(textOf(reader.changes(4, 'of b'))).toBe('of b');
    expect(reader.changes(99, 'of nobody')).toMatchObject({ reason: 'fenced' });
  });

  it('takes posts without a claim of their own, once there is one', () => {
    const reader = new Reader();
    expect(reader.take({ kind: 'posts', ...WHOLE }, 'early').kind).toBe('passed-over');
    reader.claim('a');
    expect(textOf(reader.take({ kind: 'posts', ...WHOLE, writer: 'b' }, 'post'))).toBe('post');
  });

  it('decides alike wherever a reader begins', () => {
    const whole = new Reader();
    whole.claim('a');
    whole.claim('b');
    const late = new Reader({ logId: 'log', seq: 2, claim: 2 });
    for (const reader of [whole, late]) {
      expect(reader.changes(1, 'of a').kind).toBe('passed-over');
      expect(textOf(reader.changes(2, 'of b'))).toBe('of b');
    }
  });

  it('joins the parts of a transaction, if nothing came between', () => {
    const reader = new Reader();
    reader.claim('a');
    const part = (id: string, at: number, text: string) =>
      textOf(reader.changes(1, text, { id, part: at, parts: 3 }));
    expect([part('x', 0, 'a'), part('x', 1, 'b'), part('x', 2, 'c')]).toEqual([
      'part',
      'part',
      'abc',
    ]);
    // Without the first, of another transaction, twice, and over a message in between.
    expect([part('y', 1, 'b'), part('y', 2, 'c')]).toEqual(['passed-over', 'passed-over']);
    expect([part('x', 0, 'a'), part('y', 1, 'b')]).toEqual(['part', 'passed-over']);
    expect([part('x', 0, 'a'), part('x', 0, 'A'), part('x', 1, 'b'), part('x', 2, 'c')]).toEqual([
      ...['part', 'part', 'part', 'Abc'],
    ]);
    expect(part('x', 0, 'a')).toBe('part');
    expect(textOf(reader.take({ kind: 'posts', ...WHOLE, id: 'p' }, 'post'))).toBe('post');
    expect(part('x', 1, 'b')).toBe('passed-over');
  });

  it('drops the parts of a gatherer that another one followed', () => {
    const reader = new Reader();
    reader.claim('a');
    expect(textOf(reader.changes(1, 'half', { parts: 2 }))).toBe('part');
    reader.claim('b');
    expect(reader.changes(1, 'rest', { part: 1, parts: 2 })).toMatchObject({ reason: 'fenced' });
    expect(textOf(reader.changes(3, 'of b'))).toBe('of b');
  });

  it('stops at another stream, a newer store and another beginning', () => {
    const stopOf = (position: Partial<OffchainPosition>, more: object) => {
      const fenced = new Reader(position).claim('a', more);
      return fenced.kind === 'stop' ? fenced.sentence : fenced.kind;
    };
    expect(stopOf({ logId: 'log', seq: 3 }, { logId: 'other' })).toMatch(
      /not the stream that filled/,
    );
    expect(stopOf({}, { schema: 6 })).toMatch(/newer version.*Update this replica/);
    expect(stopOf({}, { schema: 4 })).toBe('claim');
    expect(stopOf({ base: 'x' }, {})).toMatch(/Move offchain\.sqlite away/);
    expect(stopOf({}, { base: 'x' })).toMatch(/this data folder has none/);
    expect(stopOf({ base: 'y' }, { base: 'x' })).toMatch(/this data folder has others/);
    expect(stopOf({ base: 'x' }, { base: 'x' })).toBe('claim');
    // A store that has followed the stream had its beginning.
    expect(stopOf({ logId: 'log', seq: 3, claim: 1 }, { base: 'x' })).toBe('claim');
  });

  it('passes over what is no message, and goes on', () => {
    const reader = new Reader();
    reader.claim('a');
    const fenced = reader.fence.take({ seq: 2, head: 'hello', body: new Uint8Array() });
    expect(fenced).toMatchObject({ kind: 'passed-over', reason: 'unusable' });
    expect(textOf(reader.changes(1, 'after it'))).toBe('after it');
  });
});
